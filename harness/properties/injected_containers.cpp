#include "harness/properties/injected_containers.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "harness/document/named.h"

namespace fixpoint::properties {

namespace {

bool may_change_the_network(const Value& container) {
  const Value& context = container["securityContext"];
  const auto added = context["capabilities"]["add"].elements();
  return context["privileged"].is_true() || std::any_of(added.begin(), added.end(), [](const Value& one) {
           return one.text() == "NET_ADMIN" || one.text() == "ALL";
         });
}

/// A Pod of a Job that runs to its end.
bool is_to_end(const Value& pod) {
  const std::string_view policy = pod["spec"]["restartPolicy"].text();
  return policy == "Never" || policy == "OnFailure";
}

}  // namespace

void observe_injected_containers(const FirstCall& call, std::vector<Observation>& observations) {
  const Value &sent = call.event.before, &result = call.event.result.after;
  for (const char* list : {"containers", "initContainers"}) {
    const document::Name name(list);
    for (const Value& container : result["spec"][name].elements()) {
      if (document::has_named(sent["spec"][name], container["name"].text())) continue;
      const std::string path = std::string("spec.").append(list), who(container["name"].text());
      if (sent["spec"]["hostNetwork"].is_true() && may_change_the_network(container))
        observations.push_back({.kind = "network-of-node",
                                .webhook = call.webhook.key,
                                .path = path,
                                .reason = "adds " + who +
                                          ", which may change network rules, to a Pod with hostNetwork: they "
                                          "would be those of the node"});
      if (list == std::string_view("containers") && is_to_end(sent) && sent["spec"]["containers"].size() > 0)
        observations.push_back({.kind = "outlives-its-pod",
                                .webhook = call.webhook.key,
                                .path = path,
                                .reason = "adds " + who +
                                          " beside the containers of a Pod that is to end: a "
                                          "Job never completes unless " +
                                          who + " ends, too"});
    }
  }
}

}  // namespace fixpoint::properties
