#include <gtest/gtest.h>

#include "harness/document/json.h"
#include "harness/properties/one_webhook_test.h"

namespace fixpoint::properties {
namespace {

/// A Case that creates a Widget with that spec, of which a part has no schema.
cases::Case open_widget(const char* spec) {
  cases::Case value = of_one_webhook(cases::InjectorName{"test"}, "{}");
  become_widget(value);
  value.request.object.set("spec", document::read_json(spec).value());
  schema_of_spec(value).set("x-kubernetes-preserve-unknown-fields", true);
  return value;
}

webhooks::Handler writing_spec(const std::function<void(Value& spec)>& change) {
  return [change](const webhooks::Call& call) {
    Value widget = call.object;
    change(widget.edit("spec"));
    return webhooks::allow_change(call.object, widget);
  };
}

TEST(UnlikelyWidgets, AnElementWithoutANameMayGetOne) {
  cases::Case value =
      open_widget(R"({"nets":[{"name":"a","role":"node"},{"name":"","role":"node","size":2}]})");
  const auto naming = [](bool drops) {
    return writing_spec([drops](Value& spec) {
      Value nets = Value::list({Value{{"name", "front"}, {"role", "front"}}});
      for (Value net : spec["nets"].elements()) {
        if (net["name"].text().empty()) net.set("name", "own-" + std::to_string(nets.size()));
        net.set("zone", "1");
        if (!drops || net["name"].text() == "a") nets.push_back(net);
      }
      spec.set("nets", nets);
    });
  };
  EXPECT_TRUE(violations_in(judgement_of("preserves-others", value, naming(false))).empty());
  const auto gone = violations_in(judgement_of("preserves-others", value, naming(true)));
  ASSERT_EQ(gone.size(), 1U);
  EXPECT_EQ(gone[0].path, "spec.nets[1]");
}

TEST(UnlikelyWidgets, NobodyLeavesTheSpecOut) {
  const auto valid_after = [](cases::Case value) {
    schema_of_spec(value).set("required", Value::list({"size"}));
    const auto handler = writing_spec([](Value& spec) {
      spec.set("mode", "strict");
      spec.remove("size");
    });
    return violations_in(judgement_of("valid-spec", value, handler)).empty();
  };
  cases::Case bare = open_widget("{}");
  bare.request.object.remove("spec");
  EXPECT_TRUE(valid_after(bare));
  EXPECT_FALSE(valid_after(open_widget(R"({"size":1})")));
}

TEST(UnlikelyWidgets, AZeroTakenForAnAbsentOneIsOneDefect) {
  cases::Case value = open_widget(R"({"replicas":0})");
  const auto replacing = [](bool absent_too) {
    return writing_spec([=](Value& spec) {
      if (spec["replicas"].integer() == 0 || (absent_too && spec["replicas"].is_null()))
        spec.set("replicas", 3);
    });
  };
  EXPECT_TRUE(violations_in(judgement_of("applied-equals-stored", value, replacing(true))).empty());
  EXPECT_EQ(violations_in(judgement_of("explicit-kept", value, replacing(true))).size(), 1U);
  EXPECT_EQ(violations_in(judgement_of("applied-equals-stored", value, replacing(false))).size(), 1U);
}

}  // namespace
}  // namespace fixpoint::properties
