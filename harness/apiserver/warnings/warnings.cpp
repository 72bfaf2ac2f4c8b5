#include "harness/apiserver/warnings/warnings.h"

#include <algorithm>
#include <utility>

#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/registry/prepare.h"
#include "harness/apiserver/warnings/warning_parts.h"
#include "harness/apiserver/warnings/warning_recorder.h"

namespace fixpoint::apiserver {

using document::Result;
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

Result<std::vector<std::string>> warn_vector(const Value& pod, int minor) {
  auto sent = default_vector(pod, minor);
  if (!sent) return std::move(sent).error();
  const std::string own((*sent)["metadata"]["namespace"].text());
  // The registry generates a name; this kind does not run that step.
  if ((*sent)["metadata"].find("generateName") != nullptr) sent->edit("metadata").remove("generateName");
  auto prepared = prepare_for_create(*sent, own, minor);
  if (!prepared) return std::move(prepared).error();
  WarningRecorder recorder{Limits()};
  for (const std::string& text : prepared->warnings) recorder.add(text);
  for (const std::string& text : creation_warnings(prepared->pod, minor, pod)) recorder.add(text);
  std::vector<std::string> texts = recorder.take();
  std::sort(texts.begin(), texts.end());
  return texts;
}

}  // namespace fixpoint::apiserver
