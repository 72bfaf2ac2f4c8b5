#include <gtest/gtest.h>

#include "harness/document/json.h"
#include "harness/properties/one_webhook_test.h"

namespace fixpoint::properties {
namespace {

/// A Case that creates a Widget with that spec; its definition has size and suspend, with this default.
cases::Case widget_of(const char* spec, const Value& suspend_default = {}) {
  cases::Case value = of_one_webhook(cases::InjectorName{"test"}, "{}");
  become_widget(value);
  value.request.object.set("spec", document::read_json(spec).value());
  Value suspend{{"type", "boolean"}};
  if (!suspend_default.is_null()) suspend.set("default", suspend_default);
  schema_of_spec(value).edit("properties").set("suspend", suspend);
  return value;
}

/// Returns the judgement of explicit-kept on a webhook that suspends a Widget: each, or that which the label
/// gives to a queue.
Judgement judged_on_suspension(bool asks_for_queue) {
  cases::Case value = widget_of(R"({"size":2})");
  value.request.object.edit("metadata").edit("labels").set("queue", "blue");
  return judgement_of("explicit-kept", value, [=](const webhooks::Call& call) {
    const bool is_queued = !call.object["metadata"]["labels"]["queue"].is_null();
    if (call.object["spec"]["suspend"].is_true() || (asks_for_queue && !is_queued)) return webhooks::allow();
    Value widget = call.object;
    widget.edit("spec").set("suspend", true);
    return webhooks::allow_change(call.object, widget);
  });
}

/// A queue that holds back what names it replaces a false on purpose.
TEST(ExplicitKept, ObservesWhatALabelAsksFor) {
  EXPECT_EQ(violations_in(judged_on_suspension(false)).size(), 1u);
  const Judgement queued = judged_on_suspension(true);
  EXPECT_TRUE(violations_in(queued).empty());
  ASSERT_EQ(observations_of(queued).size(), 1u);
  EXPECT_EQ(observations_of(queued).front().kind, "replaces");
}

/// Go's omitempty leaves a false out: it is lost where the server has a default, and else means the same.
TEST(ExplicitKept, TellsAFalseThatIsLeftOutWhereTheServerHasADefault) {
  const auto leaving_out = [](const webhooks::Call& call) {
    Value widget = call.object;
    widget.edit("spec").remove("suspend");
    return webhooks::allow_change(call.object, widget);
  };
  const auto violations =
      violations_in(judgement_of("explicit-kept", widget_of(R"({"suspend":false})", true), leaving_out));
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].path, "spec.suspend");
  EXPECT_EQ(
      violations[0].reason,
      "spec.suspend was sent as false and left out of what the webhook sends back: the server writes its "
      "default true");
  for (const auto& value : {widget_of(R"({"suspend":false})"), widget_of(R"({"suspend":false})", false),
                            widget_of(R"({"suspend":true})", true)})
    EXPECT_TRUE(violations_in(judgement_of("explicit-kept", value, leaving_out)).empty());
}

}  // namespace
}  // namespace fixpoint::properties
