#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators/definition.h"
#include "harness/apiserver/admission/admission.h"
#include "harness/apiserver/custom/rules.h"
#include "harness/apiserver/custom/structural_schema.h"
#include "harness/cases/kind.h"
#include "harness/document/json.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::generators {
namespace {

using cases::Case;
using document::Value;

Case drawn_case() {
  runner::Choices choices(*rc::gen::arbitrary<std::uint64_t>(), *rc::gen::inRange<std::uint64_t>(0, 1000));
  Case value = draw_definition_case(choices);
  value.webhooks["c/w.example.io"] = cases::Script{};
  return value;
}

apiserver::Admission admit(const Case& value) {
  auto admission = apiserver::admit(value, {{"c/w.example.io", [](const webhooks::Call&) {
    return webhooks::allow();
  }}});
  RC_ASSERT(admission.ok());
  return *std::move(admission);
}

const Value& schema_of(const Case& value) {
  return apiserver::custom::schema_of(cases::kind_of(value.request, value.cluster));
}

RC_GTEST_PROP(Definitions, HaveRulesThatCompile, ()) {
  const Case value = drawn_case();
  const auto problem = apiserver::custom::rule_problem(schema_of(value), apiserver::kNewestMinor);
  if (problem) RC_FAIL(problem->text());
}

RC_GTEST_PROP(Definitions, PruneAndDefaultOnce, ()) {
  const Case value = drawn_case();
  const Value& schema = schema_of(value);
  const Value once = apiserver::custom::with_defaults(
      apiserver::custom::pruned(value.request.object, schema), schema);
  RC_ASSERT(apiserver::custom::pruned(once, schema) == once);
  RC_ASSERT(apiserver::custom::with_defaults(once, schema) == once);
}

/// The server takes a stored object again, even where it would refuse a new one like it. With two versions,
/// the object may have lost what the one has and the stored one has not.
RC_GTEST_PROP(Definitions, TakeAnUpdateThatChangesNothing, ()) {
  Case value = drawn_case();
  RC_PRE(!value.request.is_update());
  RC_PRE(value.cluster.objects.front()["spec"]["versions"].size() == 1U);
  const apiserver::Admission created = admit(value);
  RC_PRE(created.allowed);
  value.request.operation = "UPDATE";
  value.request.object = value.request.old_object = apiserver::shown_to_client(value, created);
  const apiserver::Admission updated = admit(value);
  if (!updated.allowed) RC_FAIL(updated.status->message);
  RC_ASSERT(updated.stored["metadata"]["generation"] == created.stored["metadata"]["generation"]);
}

}  // namespace
}  // namespace fixpoint::generators
