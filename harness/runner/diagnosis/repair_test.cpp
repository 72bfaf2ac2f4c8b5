#include "harness/runner/diagnosis/repair.h"

#include <gtest/gtest.h>

#include "harness/properties/one_webhook_test.h"
#include "harness/runner/diagnosis/cause.h"

namespace fixpoint::runner {
namespace {

using document::Value;

/// A webhook that spoils the user's first container if it cannot read its configuration.
webhooks::Answer spoil_without_configuration(const webhooks::Call& call) {
  if (call.read_fault.empty()) return webhooks::allow();
  Value pod = call.object;
  pod.edit("spec").edit("containers").edit(0).set("image", " ");
  return webhooks::allow(document::diff(call.object, pod));
}

/// A repair is asked under the faults of the Case: it does not heal by switching them off.
TEST(Repair, LeavesTheFaultsOfReadsOn) {
  cases::Case value = properties::of_one_webhook(cases::InjectorName{"own"},
                                                 R"({"metadata":{"name":"a"},"spec":{"containers":[
      {"name":"a","image":"a"}]}})");
  value.faults = {{.webhook = "c/a.b.c", .fault = "read-error"}};
  const webhooks::Resolve resolve = [](std::string_view) -> document::Result<webhooks::Handler> {
    return webhooks::Handler(spoil_without_configuration);
  };
  const auto prepared = prepare(value, resolve, {}, kWithoutWarnings).value();
  const properties::Property& property = *properties::find("valid-spec");
  const auto judgement = judged_by(property, examination_of(prepared, {}));
  const auto violations = properties::violations_in(judgement);
  ASSERT_FALSE(violations.empty());
  const std::string print = fingerprint(prepared.value, property.name, violations.front());
  const auto cause = cause_of(prepared, property, violations.front(), resolve, {});
  const auto repair = find_repair(prepared, property, print, "c/a.b.c", cause, {});
  EXPECT_FALSE(repair.has_value()) << repair->kind << " heals, since the call has lost its fault";
}

}  // namespace
}  // namespace fixpoint::runner
