#include "harness/runner/shrink_finding.h"

#include <gtest/gtest.h>

#include "generators/reduce.h"
#include "harness/document/json.h"
#include "harness/properties/drawn_objects.h"
#include "harness/properties/one_webhook_test.h"

namespace fixpoint::runner {
namespace {

/// The mark of a drawn namespace keeps what it refuses a warning, also in the smallest Case.
TEST(ShrinkFinding, NeverMakesAViolationWorse) {
  auto value = properties::of_one_webhook(
      properties::script_of(R"([{"patch":[{"op":"add","path":"/spec/hostPID","value":true}]}])"),
      R"({"metadata":{"name":"p","labels":{"a":"b"}},
      "spec":{"containers":[{"name":"main","image":"x:1"}]}})");
  auto space = document::read_json(R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default",
      "labels":{"pod-security.kubernetes.io/enforce":"baseline","team":"a"},"annotations":{"other":"yes"}}})")
                   .value();
  space.edit("metadata").edit("annotations").set(properties::kDrawnAnnotation, "yes");
  value.cluster.objects.push_back(std::move(space));
  const webhooks::Resolve resolve = [](std::string_view) -> document::Result<webhooks::Handler> {
    return document::Error{"no injector"};
  };
  const auto& property = *properties::find("admitted-by-cluster");
  const auto prepared = prepare(value, resolve, {}).value();
  const auto judgement = judged_by(property, examination_of(prepared, {}));
  const auto& violation = std::get<properties::Violated>(judgement).violations.front();
  ASSERT_EQ(violation.severity, properties::Severity::warning);
  const auto shrunk =
      shrink(value, property, fingerprint(value, property.name, violation), resolve, generators::reduce, {});
  ASSERT_TRUE(shrunk);
  EXPECT_EQ(shrunk->violation.severity, properties::Severity::warning);
  EXPECT_TRUE(shrunk->value.request.object["metadata"]["labels"].is_null()) << "the rest got smaller";
}

}  // namespace
}  // namespace fixpoint::runner
