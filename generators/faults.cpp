#include <array>

#include "generators/repertoire.h"

namespace fixpoint::generators {

namespace {

constexpr std::array<const char*, 33> kFaults{"timeout",
                                              "refused",
                                              "status-500",
                                              "status-503",
                                              "status-404",
                                              "status-400",
                                              "status-200",
                                              "retry-after-503",
                                              "retry-after-429",
                                              "not-json",
                                              "empty-body",
                                              "wrong-uid",
                                              "wrong-kind",
                                              "wrong-api-version",
                                              "no-response",
                                              "patch-without-type",
                                              "type-without-patch",
                                              "unknown-patch-type",
                                              "patch-with-deny",
                                              "patch-not-json",
                                              "patch-not-a-patch",
                                              "patch-unknown-op",
                                              "patch-cannot-apply",
                                              "patch-makes-non-pod",
                                              "deny",
                                              "deny-400",
                                              "deny-403",
                                              "deny-409",
                                              "deny-422",
                                              "deny-500",
                                              "deny-0",
                                              "deny-599",
                                              "deny-without-status"};

}  // namespace

void add_fault(Case& value, Choices& choices) {
  const auto names = cases::configured_webhooks(value.cluster);
  if (names.empty()) return;
  cases::Fault fault{.webhook = choices.pick(names), .fault = choices.pick(kFaults)};
  if (choices.coin()) fault.call = choices.between(1, 2);
  value.faults.push_back(std::move(fault));
}

void draw_faults(Case& value, Choices& choices) {
  if (!choices.one_in(8)) return;
  add_fault(value, choices);
  if (choices.one_in(4)) add_fault(value, choices);
}

}  // namespace fixpoint::generators
