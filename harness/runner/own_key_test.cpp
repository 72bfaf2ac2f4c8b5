#include "harness/runner/own_key.h"

#include <gtest/gtest.h>

#include <string>

#include "harness/properties/one_webhook_test.h"
#include "harness/runner/examine.h"

namespace fixpoint::runner {
namespace {

using document::Value;

const cases::Backend kProgram = cases::InjectorName{"test/handler"};

/// Returns the shape of the first violation of no-duplicate-names.
std::string shape_with(const webhooks::Handler& handler, const char* pod) {
  const webhooks::Resolve resolve = [&](std::string_view) -> document::Result<webhooks::Handler> {
    return handler;
  };
  const auto prepared = prepare(properties::of_one_webhook(kProgram, pod), resolve, {}).value();
  const auto judgement = judged_by(*properties::find("no-duplicate-names"), examination_of(prepared, {}));
  return std::get<properties::Violated>(judgement).violations.front().shape;
}

/// Adds a volume again at every call, with the name that it makes of the label, or one of its own.
webhooks::Handler adds_volume(bool is_named_by_label) {
  return properties::changing([=](Value& pod, int) {
    const Value& label = pod["metadata"]["labels"]["data"];
    if (label.is_null()) return;
    const std::string name = is_named_by_label ? "set-" + std::string(label.text()) : "set-web";
    const Value volume{{"name", name}, {"emptyDir", Value::empty_object()}};
    for (int i = 0; i < 2; ++i) pod.edit("spec").edit("volumes").push_back(volume);
  });
}

constexpr const char* kWeb =
    R"({"metadata":{"name":"p","labels":{"data":"web"}},"spec":{"containers":[{"name":"a","image":"a"}]}})";
constexpr const char* kLogs =
    R"({"metadata":{"name":"p","labels":{"data":"logs"}},"spec":{"containers":[{"name":"a","image":"a"}]}})";

/// A name that the webhook makes of a label differs with each Pod: it would make of one bug a finding for
/// each.
TEST(OwnKey, IsNoneThatAValueOfThePodDecides) {
  EXPECT_EQ(shape_with(adds_volume(true), kWeb), "spec.volumes[*].name");
  EXPECT_EQ(shape_with(adds_volume(true), kLogs), "spec.volumes[*].name");
}

TEST(OwnKey, StaysWhereALabelOnlyHappensToHaveIt) {
  EXPECT_EQ(shape_with(adds_volume(false), kWeb), "spec.volumes[name=set-web].name");
  EXPECT_EQ(shape_with(adds_volume(false), kLogs), "spec.volumes[name=set-web].name");
}

}  // namespace
}  // namespace fixpoint::runner
