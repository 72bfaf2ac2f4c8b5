#include "harness/apiserver/warnings/warnings.h"

#include <algorithm>
#include <utility>

#include "harness/apiserver/warnings/warning_parts.h"
#include "harness/apiserver/warnings/warning_recorder.h"

namespace fixpoint::apiserver {

using document::Value;

namespace {

void warn_of_all(warnings::Warner& warner) {
  const int minor = warner.minor();
  warnings::warn_of_annotations(warner);
  warnings::warn_of_labels(warner);
  warnings::warn_of_volumes(warner);
  if (minor >= warnings::kOverlapsSince) warnings::warn_of_overlaps(warner);
  warnings::warn_of_lists(warner);
  warnings::warn_of_resources(warner);
  warnings::warn_of_env(warner);
  warnings::warn_of_ports(warner);
  warnings::warn_of_addresses(warner);
}

}  // namespace

std::vector<std::string> creation_warnings(const Value& prepared, int minor, const Value& sent) {
  std::vector<std::string> texts;
  warnings::Warner warner(texts, prepared, minor, sent);
  warnings::warn_of_name(warner, "the Pod's hostname");
  warn_of_all(warner);
  return texts;
}

std::vector<std::string> template_warnings(const Value& pod_template, const validation::Path& path, int minor,
                                           const Value& sent) {
  std::vector<std::string> texts;
  warnings::Warner warner(texts, pod_template, minor, sent, path);
  warn_of_all(warner);
  return texts;
}

std::vector<std::string> name_warnings(const Value& object, int minor) {
  std::vector<std::string> texts;
  warnings::Warner warner(texts, object, minor, {});
  warnings::warn_of_name(warner, "Pod names and hostnames");
  return texts;
}

}  // namespace fixpoint::apiserver
