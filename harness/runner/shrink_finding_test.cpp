#include "harness/runner/shrink_finding.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "generators/reduce.h"
#include "harness/cases/plain_namespace.h"
#include "harness/document/json.h"
#include "harness/properties/drawn_objects.h"
#include "harness/properties/one_webhook_test.h"

namespace fixpoint::runner {
namespace {

using document::Value;

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

/// A webhook behind a URL is asked in a plain namespace while its Case gets smaller, and the finding is a
/// Case of `default`, unless the violation needs the namespace that it has.
TEST(ShrinkFinding, IsDoneWhereOtherCasesAreAsked) {
  const auto& property = *properties::find("idempotent");
  std::set<std::string> spaces;
  const auto in = [&](const char* space, const cases::Backend& backend, bool needs_it) {
    auto value = properties::of_one_webhook(backend, R"({"metadata":{"name":"p","labels":{"a":"b"}},
        "spec":{"containers":[{"name":"main","image":"x:1"}]}})");
    value.request.namespace_name = space;
    const webhooks::Handler counting = [&spaces, needs_it](const webhooks::Call& call) {
      spaces.insert(call.request.namespace_name);
      if (needs_it && call.request.namespace_name != "team-a") return webhooks::allow();
      Value pod = call.object;
      if (pod["spec"]["containers"].empty()) return webhooks::allow();
      pod.edit("spec").edit("containers").edit(0).edit("args").push_back("more");
      return webhooks::allow_change(call.object, pod);
    };
    webhooks::Resolve resolve = [=](std::string_view) -> document::Result<webhooks::Handler> {
      return counting;
    };
    resolve.outside = [=](const cases::Backend&) -> document::Result<webhooks::Handler> { return counting; };
    const auto prepared = prepare(value, resolve, {}).value();
    const auto judgement = judged_by(property, examination_of(prepared, {}));
    const std::string print =
        fingerprint(value, property.name, std::get<properties::Violated>(judgement).violations.front());
    spaces.clear();
    const auto shrunk = shrink(value, property, print, resolve, generators::reduce, {}).value();
    const auto moved = in_default_namespace(shrunk, property, print, resolve, {});
    return std::pair(shrunk.value.request.namespace_name, moved ? moved->value.request.namespace_name : "");
  };
  const auto [space, moved] = in("team-a", cases::Url{"https://example.com"}, false);
  EXPECT_TRUE(cases::is_plain_namespace(space)) << space;
  EXPECT_EQ(moved, "default");
  EXPECT_EQ(spaces, (std::set<std::string>{"team-a", space, "default"}));
  EXPECT_EQ(in("team-a", cases::Url{"https://example.com"}, true),
            std::pair(std::string("team-a"), std::string()));
  EXPECT_EQ(in("team-a", cases::InjectorName{"test"}, false),
            std::pair(std::string("default"), std::string()))
      << "it reads no served cluster";
}

}  // namespace
}  // namespace fixpoint::runner
