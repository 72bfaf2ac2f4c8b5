#include <gtest/gtest.h>

#include <algorithm>

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

TEST(UnlikelyWidgets, TheSpecOfATemplateIsNotLeftOutEither) {
  cases::Case value = open_widget(R"({"template":{}})");
  schema_of_spec(value)
      .edit("properties")
      .set("template",
           {{"type", "object"},
            {"properties",
             {{"spec",
               {{"type", "object"},
                {"required", Value::list({"image"})},
                {"properties", {{"image", {{"type", "string"}}}, {"port", {{"type", "integer"}}}}}}}}}});
  const auto handler = writing_spec([](Value& spec) { spec.edit("template").edit("spec").set("port", 80); });
  EXPECT_TRUE(violations_in(judgement_of("valid-spec", value, handler)).empty());
}

/// No client sends an empty text for what may not change.
TEST(UnlikelyWidgets, AnImmutableTextWasNotEmptyBefore) {
  const auto is_refused = [](const char* former) {
    cases::Case value = open_widget("{}");
    schema_of_spec(value)
        .edit("properties")
        .set("owner", {{"type", "string"},
                       {"x-kubernetes-validations", Value::list({Value{{"rule", "self == oldSelf"}}})}});
    value.request.operation = "UPDATE";
    value.request.object.edit("spec").set("owner", former);
    value.request.old_object = value.request.object;
    const auto handler = writing_spec([](Value& spec) { spec.set("owner", "default"); });
    return !violations_in(judgement_of("valid-spec", value, handler)).empty();
  };
  EXPECT_FALSE(is_refused(""));
  EXPECT_TRUE(is_refused("somebody"));
}

/// A deprecated member whose value is found under its new name is no loss.
TEST(UnlikelyWidgets, AMemberMayMove) {
  const cases::Case value = open_widget(R"({"kind":"a","inline":{"cel":{}},"nested":{"old":{"key":"k"}}})");
  const auto moving = writing_spec([](Value& spec) {
    spec.edit("ref").set("kind", spec["kind"]);
    spec.remove("kind");
    if (spec["inline"]["cel"].is_object()) spec.edit("ref").set("name", "cel");
    spec.edit("inline").remove("cel");
    spec.edit("nested").set("params", Value::list({spec["nested"]["old"]["key"]}));
    spec.edit("nested").remove("old");
  });
  const Judgement judgement = judgement_of("preserves-others", value, moving);
  EXPECT_TRUE(violations_in(judgement).empty());
  EXPECT_EQ(observations_of(judgement).size(), 3u);
  const auto dropping = writing_spec([](Value& spec) {
    spec.edit("ref").set("kind", "a");  // by chance
    spec.remove("kind");
  });
  EXPECT_EQ(violations_in(judgement_of("preserves-others", value, dropping)).size(), 1u);
}

/// Where a definition does not say that 0 is legal, Go's types have many numbers that are absent when they
/// are 0.
TEST(UnlikelyWidgets, AZeroIsMeantWhereItsDefinitionSaysSo) {
  const auto severity_of = [](const char* member) {
    const auto handler = writing_spec([=](Value& spec) {
      if (spec[document::Name(member)].integer().value_or(0) == 0) spec.set(document::Name(member), 1);
    });
    cases::Case value = open_widget("{}");
    schema_of_spec(value).edit("properties").set("sockets", {{"type", "integer"}});
    schema_of_spec(value).edit("properties").set("burst", {{"type", "integer"}, {"minimum", 0}});
    const auto violations = violations_in(judgement_of("explicit-kept", value, handler));
    return violations.empty() ? "" : violations[0].severity == Severity::error ? "error" : "warning";
  };
  EXPECT_STREQ(severity_of("sockets"), "warning");
  EXPECT_STREQ(severity_of("burst"), "error");
  EXPECT_STREQ(severity_of("replicas"), "error");
}

/// A typed copy that leaves something out of a status, or fills it with zeros, writes nothing there.
TEST(UnlikelyWidgets, AStatusIsWrittenElsewhere) {
  const auto tells = [](const std::function<void(Value & status)>& change) {
    cases::Case value = open_widget("{}");
    Value& version = value.cluster.objects.back().edit("spec").edit("versions").edit(0);
    version.set("subresources", {{"status", Value::empty_object()}});
    version.edit("schema")
        .edit("openAPIV3Schema")
        .edit("properties")
        .set("status", {{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}});
    value.request.object.set(
        "status", document::read_json(R"({"phase":"Ready","conditions":[{"type":"A"}],"x":1})").value());
    const auto handler = [change](const webhooks::Call& call) {
      Value widget = call.object;
      change(widget.edit("status"));
      return webhooks::allow_change(call.object, widget);
    };
    return violations_in(judgement_of("subresources", value, handler)).size();
  };
  EXPECT_EQ(tells([](Value& status) { status.set("phase", "Pending"); }), 1u);
  EXPECT_EQ(tells([](Value& status) { status.set("conditions", Value::empty_list()); }), 1u);
  EXPECT_EQ(tells([](Value& status) {
              status.remove("x");
              status.set("replicas", 0);
              status.edit("conditions").edit(0).set("reason", "");
            }),
            0u);
}

/// A project keeps the labels that have the prefix of its own group.
TEST(UnlikelyWidgets, LabelsOfTheOwnGroupAreTheWebhooks) {
  const auto removing = [](const char* key) {
    cases::Case value = open_widget("{}");
    value.request.object.edit("metadata").edit("labels").set(document::Name(key), "a");
    const auto handler = [key](const webhooks::Call& call) {
      Value widget = call.object;
      widget.edit("metadata").edit("labels").remove(document::Name(key));
      return webhooks::allow_change(call.object, widget);
    };
    return violations_in(judgement_of("preserves-others", value, handler)).size();
  };
  EXPECT_EQ(removing("example.io/shard"), 0u);
  EXPECT_EQ(removing("team"), 1u);
}

/// Who renames a manifest sees what is named after the old one.
TEST(UnlikelyWidgets, WhatIsNamedAfterACopyIsNoGrowth) {
  const auto severity_of = [](bool by_name) {
    const auto handler = [by_name](const webhooks::Call& call) {
      Value widget = call.object;
      const Value file =
          by_name ? Value(std::string(call.object["metadata"]["name"].text()) + "-tls") : Value("file");
      const auto files = widget["spec"]["files"].elements();
      if (by_name && std::ranges::find(files, file) != files.end()) return webhooks::allow();
      if (!by_name && !widget["metadata"]["labels"]["done"].is_null()) return webhooks::allow();
      widget.edit("spec").edit("files").push_back(file);
      return webhooks::allow_change(call.object, widget);
    };
    const auto violations =
        violations_in(judgement_of("idempotent", open_widget(R"({"files":[]})"), handler));
    return violations.empty() ? "" : violations[0].severity == Severity::error ? "error" : "warning";
  };
  EXPECT_STREQ(severity_of(true), "warning");
  EXPECT_STREQ(severity_of(false), "error");
}

}  // namespace
}  // namespace fixpoint::properties
