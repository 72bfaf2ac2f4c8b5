#include "generators/conforming_pod.h"

#include <array>
#include <utility>

namespace fixpoint::generators {

namespace {

using document::Name;
using document::Value;
using runner::Choices;

/// Calls `change` for each container of the Pod's own that is an object.
template <class Change>
void edit_containers(Value& pod, const Change& change) {
  for (const char* member : {"containers", "initContainers"}) {
    const Name list(member);
    if (!pod["spec"][list].is_array()) continue;
    Value& containers = pod.edit("spec").edit(list);
    for (std::size_t i = 0; i < containers.size(); ++i)
      if (containers.at(i).is_object()) change(containers.edit(i));
  }
}

Value& object_at(Value& owner, const char* member) {
  Value& value = owner.edit(member);
  if (!value.is_object()) value = Value::empty_object();
  return value;
}

/// Takes out of a security context that no root runs.
void deny_root(Value& context) {
  if (context["runAsUser"].text() == "0") context.set("runAsUser", 1000);
  if (!context["runAsNonRoot"].is_null()) context.set("runAsNonRoot", true);
}

void require_user(Value& context) {
  context.set("runAsNonRoot", true);
  context.set("seccompProfile", {{"type", "RuntimeDefault"}});
}

}  // namespace

void harden(Value& pod, Choices& choices) {
  if (!pod["spec"].is_object()) return;
  Value& spec = pod.edit("spec");
  for (const char* member : {"hostNetwork", "hostPID", "hostIPC"}) spec.remove(member);
  const bool is_by_pod = !choices.one_in(4);
  if (is_by_pod || spec["securityContext"].is_object()) {
    Value& context = object_at(spec, "securityContext");
    deny_root(context);
    if (is_by_pod) require_user(context);
  }
  edit_containers(pod, [&](Value& container) {
    Value& context = object_at(container, "securityContext");
    deny_root(context);
    context.remove("privileged");
    context.set("allowPrivilegeEscalation", false);
    context.set("capabilities", {{"drop", Value::list({"ALL"})}});
    if (!is_by_pod) require_user(context);
  });
}

void give_amounts(Value& pod, Choices& choices) {
  constexpr std::array<std::array<const char*, 3>, 2> kAmounts{
      {{"cpu", "100m", "1"}, {"memory", "64Mi", "1Gi"}}};
  const bool has_requests = choices.coin();
  edit_containers(pod, [&](Value& container) {
    Value& resources = object_at(container, "resources");
    for (const auto& [resource, request, limit] : kAmounts) {
      const Name name(resource);
      if (!resources["limits"][name].is_null()) continue;
      const Value given = resources["requests"][name];
      object_at(resources, "limits").set(name, given.is_null() ? Value(limit) : given);
      if (given.is_null() && has_requests) object_at(resources, "requests").set(name, request);
    }
  });
}

}  // namespace fixpoint::generators
