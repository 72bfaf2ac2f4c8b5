#include "harness/apiserver/warnings/warnings.h"

#include <algorithm>
#include <utility>

#include "harness/apiserver/warnings/warning_parts.h"
#include "harness/apiserver/warnings/warning_recorder.h"

namespace fixpoint::apiserver {

using document::Value;

std::vector<std::string> creation_warnings(const Value& prepared, int minor, const Value& sent) {
  std::vector<std::string> texts;
  warnings::Warner warner(texts, prepared, minor, sent);
  warnings::warn_of_metadata(warner);
  warnings::warn_of_labels(warner);
  warnings::warn_of_volumes(warner);
  if (minor >= warnings::kOverlapsSince) warnings::warn_of_overlaps(warner);
  warnings::warn_of_lists(warner);
  warnings::warn_of_resources(warner);
  warnings::warn_of_env(warner);
  warnings::warn_of_ports(warner);
  warnings::warn_of_addresses(warner);
  return texts;
}

}  // namespace fixpoint::apiserver
