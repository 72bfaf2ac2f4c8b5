#include "harness/apiserver/defaulting/default_autoscaler.h"

#include "harness/document/json.h"

namespace fixpoint::apiserver {

namespace {

using document::Value;

Value from_text(const char* text) { return document::read_json(text).value(); }

struct Defaults {
  Value metrics = from_text(R"([{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization",
      "averageUtilization":80}}}])");
  Value scale_up = from_text(R"({"stabilizationWindowSeconds":0,"selectPolicy":"Max","policies":[
      {"type":"Pods","value":4,"periodSeconds":15},{"type":"Percent","value":100,"periodSeconds":15}]})");
  Value scale_down = from_text(R"({"selectPolicy":"Max","policies":[
      {"type":"Percent","value":100,"periodSeconds":15}]})");
};
/// One per thread: a reference count shared between threads costs more than a thread's own.
const Defaults& defaults() {
  static thread_local const Defaults all;
  return all;
}

/// The given rules override the default ones, member by member.
Value rules(const Value& given, const Value& otherwise) {
  if (given.is_null() || (given.is_object() && given.empty())) return otherwise;
  Value merged = otherwise;
  for (const document::Member& member : given.members()) {
    if (!member.value.is_null()) merged.set(member.key.name(), member.value);
  }
  return merged == given ? given : merged;
}

}  // namespace

Value default_autoscaler(Value autoscaler) {
  Value& spec = autoscaler.edit("spec");
  if (spec["minReplicas"].is_null()) spec.set("minReplicas", 1);
  if (spec["metrics"].empty()) spec.set("metrics", defaults().metrics);
  if (!spec["behavior"].is_object()) return autoscaler;
  Value& behavior = spec.edit("behavior");
  behavior.set("scaleUp", rules(behavior["scaleUp"], defaults().scale_up));
  behavior.set("scaleDown", rules(behavior["scaleDown"], defaults().scale_down));
  return autoscaler;
}

}  // namespace fixpoint::apiserver
