#include "harness/apiserver/registry/whole_request.h"

#include <algorithm>
#include <utility>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/preparation/prepare.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/apiserver/validation/checks.h"
#include "harness/apiserver/validation/validate.h"
#include "harness/apiserver/warnings/warning_recorder.h"
#include "harness/apiserver/warnings/warnings.h"

namespace fixpoint::apiserver {

namespace {

using document::Error;
using document::Result;
using document::Value;

bool is_known_operation(std::string_view operation) {
  return validation::is_one_of(operation, {"update", "ephemeralcontainers", "resize"});
}

}  // namespace

Result<Value> received_pod(const Value& in, int minor) {
  auto pod = decode_pod(in, minor);
  if (!pod) return pod;
  Value named = *pod;
  if (named["kind"].text() != "Pod") put_member(named, kPod, "kind", "Pod");
  if (named["apiVersion"].text() != "v1") put_member(named, kPod, "apiVersion", "v1");
  return named;
}

Result<Value> defaulted_pod(const Value& in, int minor) {
  auto pod = received_pod(in, minor);
  if (!pod) return pod;
  return default_pod(*pod, minor);
}

Result<std::vector<FieldError>> errors_of_request(std::string_view operation, const Value& pod,
                                                const Value& old, int minor) {
  auto sent = defaulted_pod(pod, minor);
  if (!sent) return std::move(sent).error();
  if (operation == "create") {
    const std::string_view own = (*sent)["metadata"]["namespace"].text();
    auto prepared = prepare_for_create(*sent, own.empty() ? "default" : own, minor);
    if (!prepared) return std::move(prepared).error();
    return with_explicit_empties(validate_create(prepared->pod, minor), pod, {}, "", minor);
  }
  if (!is_known_operation(operation)) return Error{"no such operation: " + std::string(operation)};
  auto stored = defaulted_pod(old, minor);
  if (!stored) return std::move(stored).error();
  const std::string_view subresource = operation == "update" ? std::string_view() : operation;
  auto prepared = prepare_for_update(*sent, *stored, subresource, minor);
  if (!prepared) return std::move(prepared).error();
  auto errors = validate_stored(*prepared, *stored, subresource, minor);
  if (!errors) return errors;
  return with_explicit_empties(*std::move(errors), pod, old, subresource, minor);
}

Result<std::vector<std::string>> warnings_of_request(const Value& pod, int minor) {
  auto sent = defaulted_pod(pod, minor);
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
