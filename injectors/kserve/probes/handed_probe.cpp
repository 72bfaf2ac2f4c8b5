#include "injectors/kserve/probes/handed_probe.h"

#include <algorithm>

#include "harness/document/json.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::injectors::kserve::probes {

namespace {

constexpr const char* kHandlers[] = {"exec", "httpGet", "tcpSocket", "grpc"};

}  // namespace

bool is_command(const Value& probe) {
  const auto count = std::count_if(std::begin(kHandlers), std::end(kHandlers),
                                   [&](const char* handler) { return !probe[handler].is_null(); });
  return count == 1 && probe["exec"].is_object();
}

std::optional<Value> probe_in(std::string_view text) {
  if (!text.starts_with('{')) return std::nullopt;
  const auto read = document::read_json(text, {}, document::Strictness::foreign);
  if (!read || !read->is_object()) return std::nullopt;
  for (const char* handler : kHandlers) {
    if ((*read)[handler].is_object()) return *read;
  }
  return std::nullopt;
}

const Value& container_named(const Value& pod, const Value& name) {
  for (const char* list : {"containers", "initContainers"}) {
    for (const Value& container : pod["spec"][list].elements()) {
      if (container["name"] == name) return container;
    }
  }
  static const Value none;
  return none;
}

void for_each_changed_container(const apiserver::Admission& admission,
                                const std::function<void(const Placed&)>& visit) {
  const auto containers = admission.object["spec"]["containers"].elements();
  for (std::size_t i = 0; i < containers.size(); ++i) {
    if (containers[i].same(container_named(admission.first, containers[i]["name"]))) continue;
    visit({containers[i], "spec.containers[" + std::to_string(i) + "]"});
  }
}

const apiserver::CallEvent* culprit_of(const Examination& examination, const Value& name,
                                       const std::function<bool(const Value& container)>& test) {
  const auto& calls = examination.admission.calls;
  const auto event = std::find_if(calls.rbegin(), calls.rend(), [&](const apiserver::CallEvent& call) {
    return call.result.applied && !is_disturbed(examination, call) &&
           test(container_named(call.result.after, name)) && !test(container_named(call.before, name));
  });
  return event == calls.rend() ? nullptr : &*event;
}

}  // namespace fixpoint::injectors::kserve::probes
