#include "injectors/kserve/volumes/own_volumes.h"

#include <algorithm>
#include <set>
#include <string>

#include "harness/cases/problem.h"
#include "harness/properties/judge.h"
#include "harness/properties/variants.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::injectors::kserve::volumes {

namespace {

using document::Name;
using document::Value;
using properties::Examination;
using properties::FirstCall;
using properties::Judgement;
using properties::Severity;
using properties::Violation;

constexpr const char* kLists[] = {"containers", "initContainers"};

const Value& named(const Value& list, std::string_view name) {
  static const Value none;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list.at(i)["name"].text() == name) return list.at(i);
  return none;
}

/// Returns the names of the user's volumes that the call mounts, where no mount of theirs was before.
std::set<std::string> newly_mounted(const FirstCall& call) {
  std::set<std::string> names;
  const Value &before = call.event.before["spec"], &after = call.event.result.after["spec"];
  for (const char* list : kLists) {
    for (const Value& container : after[Name(list)].elements()) {
      const Value& old = named(before[Name(list)], container["name"].text());
      for (const Value& mount : container["volumeMounts"].elements()) {
        const std::string name(mount["name"].text());
        const bool is_new = named(old["volumeMounts"], name).is_null();
        if (is_new && !named(before["volumes"], name).is_null()) names.insert(name);
      }
    }
  }
  return names;
}

/// Returns the volume that the webhook adds under that name to a Pod that has none; null if it adds none.
Value own_volume(const Examination& examination, const FirstCall& call, const std::string& name) {
  Value pod = call.event.before;
  Value others = Value::empty_list();
  for (const Value& volume : pod["spec"]["volumes"].elements())
    if (volume["name"].text() != name) others.push_back(volume);
  pod.edit("spec").set("volumes", std::move(others));
  if (!properties::is_called(examination, call.webhook, pod)) return {};
  const auto result = properties::call_afresh(examination, call.webhook, pod);
  return properties::went_well(result) ? named(result.after["spec"]["volumes"], name) : Value();
}

}  // namespace

Judgement mounts_own_volumes(const Examination& examination) {
  bool reached = false;
  std::vector<Violation> violations;
  for (const FirstCall& call : properties::first_calls(examination)) {
    const Value& after = call.event.result.after;
    for (const std::string& name : newly_mounted(call)) {
      reached = true;
      const Value own = own_volume(examination, call, name);
      const Value& mounted = named(after["spec"]["volumes"], name);
      if (own.is_null() || own == mounted) continue;
      // One look-up by name finds them all: none of them is a place of its own.
      Violation violation{
          .severity = Severity::warning, .webhook = call.webhook.key, .path = cases::kNoPlace};
      violation.shape = violation.path;
      violation.value = mounted;
      violation.reason =
          "mounts the user's volume " + name +
          " where it would mount one of its own of that name: " + "the container finds other files there";
      violations.push_back(std::move(violation));
    }
  }
  if (!reached) return properties::not_reached("the webhook mounted no volume that the user's Pod has");
  return properties::judged(std::move(violations));
}

}  // namespace fixpoint::injectors::kserve::volumes
