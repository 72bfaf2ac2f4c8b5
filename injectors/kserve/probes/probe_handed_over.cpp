#include <algorithm>
#include <string>
#include <vector>

#include "harness/properties/judge.h"
#include "harness/properties/webhook_caller.h"
#include "injectors/kserve/probes/handed_probe.h"

namespace fixpoint::injectors::kserve::probes {

namespace {

using properties::at_path;
using properties::not_reached;
using properties::shape_of;
using properties::Violation;

constexpr const char* kProbes[] = {"readinessProbe", "livenessProbe", "startupProbe"};

/// A command that a container must run as a probe, and the path where it is written.
struct Command {
  Value exec;
  std::string where;  ///< the path below the container: env[0].value, readinessProbe.exec
};

std::vector<Command> commands_of(const Value& container) {
  std::vector<Command> found;
  for (const char* probe : kProbes) {
    if (is_command(container[probe]))
      found.push_back({container[probe]["exec"], std::string(probe) + ".exec"});
  }
  const auto env = container["env"].elements();
  for (std::size_t i = 0; i < env.size(); ++i) {
    const auto probe = probe_in(env[i]["value"].text());
    if (probe && is_command(*probe))
      found.push_back({(*probe)["exec"], "env[" + std::to_string(i) + "].value"});
  }
  return found;
}

bool has_command(const Value& container, const Value& exec) {
  const auto commands = commands_of(container);
  return std::any_of(commands.begin(), commands.end(), [&](const Command& c) { return c.exec == exec; });
}

/// Returns another container of the Pod, with another image, whose own probe has the command; nullptr if
/// there is none.
const Value* owner_of(const Value& pod, const Value& container, const Value& exec) {
  for (const Value& other : pod["spec"]["containers"].elements()) {
    if (other["name"] == container["name"] || other["image"] == container["image"]) continue;
    for (const char* probe : kProbes) {
      if (is_command(other[probe]) && other[probe]["exec"] == exec) return &other;
    }
  }
  return nullptr;
}

std::string named(const Value& container) {
  const auto name = container["name"].text();
  return name.empty() ? "a container without a name" : "container " + std::string(name);
}

}  // namespace

Judgement probe_handed_over(const Examination& examination) {
  const apiserver::Admission& admission = examination.admission;
  if (admission.object.is_null()) return not_reached("the request was refused before the end of admission");
  if (admission.calls.empty()) return not_reached("no webhook was called");
  std::vector<Violation> violations;
  for_each_changed_container(admission, [&](const Placed& placed) {
    for (const Command& command : commands_of(placed.container)) {
      const Value* owner = owner_of(admission.object, placed.container, command.exec);
      if (owner == nullptr) continue;
      const auto* event = culprit_of(examination, placed.container["name"], [&](const Value& container) {
        return has_command(container, command.exec);
      });
      if (event == nullptr) continue;
      Violation violation;
      violation.webhook = admission.webhooks[static_cast<std::size_t>(event->index)].key;
      violation.path = placed.path + "." + command.where;
      violation.value = at_path(admission.object, violation.path);
      violation.shape = shape_of(violation.path, admission.object, event->result);
      violation.reason = violation.path + " makes " + named(placed.container) + " run the probe command of " +
                         named(*owner) + ", which its image need not have";
      violations.push_back(std::move(violation));
    }
  });
  return judged(std::move(violations));
}

}  // namespace fixpoint::injectors::kserve::probes
