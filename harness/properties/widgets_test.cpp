#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "harness/document/json.h"
#include "harness/properties/one_webhook_test.h"

namespace fixpoint::properties {
namespace {

using webhooks::Answer;
using webhooks::Call;

/// A Case that creates a Widget with that spec; its definition has size, replicas, mode,
/// suspend and hosts.
cases::Case widget_with(const char* spec) {
  cases::Case value = of_one_webhook(cases::InjectorName{"test"}, "{}");
  become_widget(value);
  value.request.object.set("spec", document::read_json(spec).value());
  Value& properties = schema_of_spec(value).edit("properties");
  properties.set("mode", Value{{"type", "string"}});
  properties.set("suspend", Value{{"type", "boolean"}});
  properties.set("hosts", Value{{"type", "array"}, {"items", {{"type", "string"}}}});
  return value;
}

webhooks::Handler changing_spec(const std::function<void(Value& spec)>& change) {
  return [change](const Call& call) {
    Value widget = call.object;
    change(widget.edit("spec"));
    return webhooks::allow_change(call.object, widget);
  };
}

/// Returns the kinds of the observations of a property.
std::vector<std::string> observed(const char* property, const cases::Case& value,
                                  const webhooks::Handler& handler) {
  std::vector<std::string> kinds;
  const Judgement judgement = judgement_of(property, value, handler);
  for (const Observation& one : observations_of(judgement)) kinds.push_back(one.kind);
  return kinds;
}

TEST(Widgets, AValueThatTheWebhookEnforcesIsOneThatTheAuthorStated) {
  const auto value = widget_with(R"({"mode":"a","size":2})");
  const auto enforcing = changing_spec([](Value& spec) { spec.set("mode", "strict"); });
  const auto violations = violations_in(judgement_of("preserves-others", value, enforcing));
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].path, "spec.mode");
  EXPECT_EQ(violations[0].severity, Severity::warning);
  const auto defaulting = changing_spec([](Value& spec) {
    if (spec["mode"].is_null()) spec.set("mode", "strict");
  });
  EXPECT_TRUE(violations_in(judgement_of("preserves-others", value, defaulting)).empty());
}

TEST(Widgets, AValueOfTheNameIsNotWrittenEmpty) {
  const auto labels = [](bool without_name) {
    return [=](const Call& call) {
      Value widget = call.object;
      const Value name(widget["metadata"]["name"].text().substr(0, 63));
      if (without_name || name != Value("")) widget.edit("metadata").edit("labels").set("of", name);
      return webhooks::allow_change(call.object, widget);
    };
  };
  const auto violations = violations_in(judgement_of("request-context", widget_with("{}"), labels(true)));
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].reason, "metadata.labels.of is empty when the object has only a generateName");
  EXPECT_TRUE(violations_in(judgement_of("request-context", widget_with("{}"), labels(false))).empty());
}

TEST(Widgets, ARefusalForADefaultIsObserved) {
  const auto refusing = [](const char* path) {
    return [path](const Call&) {
      return webhooks::deny(422, "Invalid",
                            std::string(path) + ": Invalid value: 1: must not exceed replicas");
    };
  };
  const auto with_default = [](const char* spec) {
    cases::Case value = widget_with(spec);
    schema_of_spec(value).edit("properties").set("surge", Value{{"type", "integer"}, {"default", 1}});
    return value;
  };
  const auto seen = observations_of(
      judgement_of("answers", with_default(R"({"replicas":0})"), refusing("Widget is invalid: spec.surge")));
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].reason,
            "refuses an object for spec.surge, which its author has not set: the definition's default is 1");
  EXPECT_TRUE(observed("answers", with_default(R"({"surge":1})"), refusing("spec.surge")).empty());
  EXPECT_TRUE(observed("answers", with_default("{}"), refusing("spec.size")).empty());
}

TEST(Widgets, AnElementOfAListIsComparedAsAWhole) {
  cases::Case value = widget_with(R"({"ports":[{"port":1,"protocol":"UDP"},{"port":2}]})");
  Value& properties = schema_of_spec(value).edit("properties");
  properties.set("ports", document::read_json(R"({"type":"array","items":{"type":"object",
      "properties":{"port":{"type":"integer"},"protocol":{"type":"string"},"name":{"type":"string"}}}})")
                              .value());
  const auto filling = changing_spec([](Value& spec) {
    for (Value& port : spec.edit("ports").edit_elements())
      if (port["protocol"].is_null()) port.set("protocol", "TCP");
  });
  EXPECT_EQ(observed("applied-equals-stored", value, filling), std::vector<std::string>{"filled-element"});
  const auto appending = changing_spec([](Value& spec) { spec.edit("ports").push_back({{"port", 3}}); });
  EXPECT_TRUE(observed("applied-equals-stored", value, appending).empty());
  const auto beside = changing_spec([](Value& spec) { spec.set("mode", "strict"); });
  EXPECT_TRUE(observed("applied-equals-stored", value, beside).empty()) << "tools leave other members alone";
  Value& ports = schema_of_spec(value).edit("properties").edit("ports");
  ports.set("x-kubernetes-list-type", "map");
  ports.set("x-kubernetes-list-map-keys", Value::list({"port"}));
  EXPECT_TRUE(observed("applied-equals-stored", value, filling).empty())
      << "elements are merged by their keys";
}

TEST(Widgets, AnEmptyTextTakenForAnAbsentOneIsNoDefect) {
  const auto by_length = changing_spec([](Value& spec) {
    if (spec["mode"].text().empty()) spec.set("mode", "strict");
  });
  const auto value = widget_with(R"({"mode":"","size":2})");
  EXPECT_TRUE(violations_in(judgement_of("preserves-others", value, by_length)).empty());
  EXPECT_EQ(observed("preserves-others", value, by_length), std::vector<std::string>{"empty-for-absent"});
  const auto typed = changing_spec([](Value& spec) { spec.remove("size"); });
  EXPECT_TRUE(violations_in(judgement_of("preserves-others", widget_with(R"({"size":0})"), typed)).empty());
}

// A list of that name is one of Pods in Pods alone.
TEST(Widgets, HaveNoContainersThatMoveByThemselves) {
  cases::Case value = widget_with(R"({"containers":[{"name":"a","image":"x"}]})");
  schema_of_spec(value)
      .edit("properties")
      .set("containers", *document::read_json(R"({"type":"array","items":{"type":"object","properties":{
              "name":{"type":"string"},"image":{"type":"string"}}}})"));
  const auto defaulting = changing_spec([](Value& spec) {
    if (spec["mode"].is_null()) spec.set("mode", "strict");
  });
  EXPECT_TRUE(violations_in(judgement_of("order-independent", value, defaulting)).empty());
}

// The members of an element that the webhook adds are its own, as a container's are in a Pod.
TEST(Widgets, AnElementOfTheWebhooksOwnIsWrittenWhole) {
  cases::Case value = widget_with(R"({"ports":[{"name":"metrics","port":1,"note":"x"}]})");
  schema_of_spec(value)
      .edit("properties")
      .set("ports", *document::read_json(R"({"type":"array","items":{"type":"object","properties":{
          "name":{"type":"string"},"port":{"type":"integer"},"note":{"type":"string"}}}})"));
  const auto owning = changing_spec(
      [](Value& spec) { spec.set("ports", Value::list({Value{{"name", "metrics"}, {"port", 9090}}})); });
  EXPECT_TRUE(violations_in(judgement_of("preserves-others", value, owning)).empty());
}

TEST(Widgets, WhatIsGoneIsLost) {
  const auto removing = changing_spec([](Value& spec) { spec.remove("mode"); });
  const auto violations =
      violations_in(judgement_of("preserves-others", widget_with(R"({"mode":"a"})"), removing));
  ASSERT_FALSE(violations.empty());
  EXPECT_EQ(violations[0].severity, Severity::error);
  EXPECT_NE(violations[0].reason.find("of the user's object is gone"), std::string::npos);
}

// Its library has no type for it, so it writes what it knows.
TEST(Widgets, AFieldOfANewerDefinitionIsKept) {
  const auto typed = changing_spec([](Value& spec) {
    Value known = Value::empty_object();
    for (const char* field : {"size", "mode"})
      if (!spec[field].is_null()) known.set(field, spec[field]);
    spec = known;
  });
  const auto violations =
      violations_in(judgement_of("preserves-others", widget_with(R"({"mode":"a"})"), typed));
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].symptom, "newer-fields");
  EXPECT_EQ(violations[0].severity, Severity::warning);
}

TEST(Widgets, AnElementWithAnotherValueIsNotGone) {
  const auto lower = changing_spec([](Value& spec) {
    for (std::size_t i = 0; i < spec["hosts"].size(); ++i) {
      std::string host(spec["hosts"].at(i).text());
      std::ranges::transform(host, host.begin(), [](unsigned char c) { return std::tolower(c); });
      spec.edit("hosts").edit(i) = host;
    }
  });
  const auto value = widget_with(R"({"hosts":["com","Org","net"]})");
  EXPECT_TRUE(violations_in(judgement_of("preserves-others", value, lower)).empty());
  const auto violations = violations_in(judgement_of("applied-equals-stored", value, lower));
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].path, "spec.hosts[1]");
  const auto shorter = changing_spec([](Value& spec) { spec.set("hosts", Value::list({"com", "net"})); });
  const auto gone = violations_in(judgement_of("preserves-others", value, shorter));
  ASSERT_EQ(gone.size(), 1U);
  EXPECT_EQ(gone[0].path, "spec.hosts[1]");
}

TEST(Widgets, WhatIsStoredInOtherWordsMeansTheSame) {
  const auto respell = [](const char* from, const char* to) {
    return changing_spec([=](Value& spec) {
      if (spec["mode"].text() == from) spec.set("mode", to);
    });
  };
  const auto asked = [&](const char* from, const char* to) {
    const std::string spec = std::string(R"({"mode":")") + from + "\"}";
    return judgement_of("applied-equals-stored", widget_with(spec.c_str()), respell(from, to));
  };
  EXPECT_TRUE(violations_in(asked("1h", "1h0m0s")).empty());
  EXPECT_EQ(observations_of(asked("1h", "1h0m0s")).size(), 1U);
  EXPECT_TRUE(violations_in(asked("1000m", "1")).empty());
  ASSERT_EQ(violations_in(asked("Org", "org")).size(), 1U);
  EXPECT_EQ(violations_in(asked("Org", "org"))[0].path, "spec.mode");
  auto enumerated = widget_with(R"({"mode":"Default"})");
  Value& mode = schema_of_spec(enumerated).edit("properties").edit("mode");
  mode.set("enum", Value::list({"Default", "None"}));
  const auto renamed = judgement_of("applied-equals-stored", enumerated, respell("Default", "None"));
  EXPECT_TRUE(violations_in(renamed).empty()) << "an old word of the enumeration";
  EXPECT_EQ(observations_of(renamed).size(), 1U);
}

// A controller wrote the status, which the server reads with the defaults of the definition.
TEST(Widgets, AStatusGetsItsDefaultsBeforeAnybodySendsItBack) {
  cases::Case value = widget_with("{}");
  Value& version = value.cluster.objects.back().edit("spec").edit("versions").edit(0);
  version.edit("subresources").set("status", Value::empty_object());
  version.edit("schema")
      .edit("openAPIV3Schema")
      .edit("properties")
      .set("status", document::read_json(R"({"type":"object","properties":{
          "phase":{"type":"string"},"target":{"type":"string","default":""}}})")
                         .value());
  value.request.object.set("status", {{"phase", "Ready"}});
  const auto labelling = [](const Call& call) {
    Value widget = call.object;
    widget.edit("metadata").edit("labels").set("team", "a");
    return webhooks::allow_change(call.object, widget);
  };
  EXPECT_TRUE(std::holds_alternative<Held>(judgement_of("settles-when-stored", value, labelling)));
}

TEST(Widgets, WhatIsNotStoredIsNamedWhereverItStands) {
  const auto nested = changing_spec([](Value& spec) { spec.edit("cache").set("size", 1); });
  const auto violations = violations_in(judgement_of("nothing-unknown", widget_with("{}"), nested));
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].path, "spec.cache");
  const auto known = changing_spec([](Value& spec) { spec.set("size", 1); });
  EXPECT_TRUE(std::holds_alternative<Held>(judgement_of("nothing-unknown", widget_with("{}"), known)));
}

/// Returns the paths of what is no field in a Pod of that minor, after the webhook changed its spec so.
std::vector<std::string> unknown_in_pod(const char* minor, const char* pod,
                                        const std::function<void(Value& spec)>& change) {
  cases::Case value = of_one_webhook(cases::InjectorName{"test"}, pod);
  value.cluster.version = minor;
  std::vector<std::string> paths;
  for (const Violation& one : violations_in(judgement_of("nothing-unknown", value, changing_spec(change)))) {
    EXPECT_EQ(one.severity, Severity::warning);
    paths.push_back(one.path);
  }
  return paths;
}

TEST(NothingUnknown, IsAskedOfPods) {
  constexpr const char* kPlain = R"({"spec":{"containers":[{"name":"a","image":"a"}]}})";
  const auto mistyped = [](Value& spec) {
    spec.edit("containers").edit(0).set("volumeMount", Value::empty_list());
  };
  EXPECT_EQ(unknown_in_pod("1.36", kPlain, mistyped),
            std::vector<std::string>{"spec.containers[0].volumeMount"});
  const auto known = [](Value& spec) { spec.edit("containers").edit(0).set("stdin", false); };
  EXPECT_TRUE(unknown_in_pod("1.36", kPlain, known).empty()) << "dropped as a zero value, and known";
  const auto newer = [](Value& spec) { spec.set("resources", {{"requests", {{"cpu", "1"}}}}); };
  EXPECT_TRUE(unknown_in_pod("1.29", kPlain, newer).empty()) << "a later release has it";
  constexpr const char* kOfOldRelease =
      R"({"spec":{"containers":[{"name":"a","image":"a"}],
                  "resourceClaims":[{"name":"c","source":{"resourceClaimName":"c"}}]}})";
  EXPECT_TRUE(unknown_in_pod("1.29", kOfOldRelease, known).empty()) << "an earlier release has it";
}

TEST(Widgets, AnOldObjectThatIsBroughtUpToDateIsAnObservation) {
  const auto defaulting = changing_spec([](Value& spec) {
    if (spec["mode"].is_null()) spec.set("mode", "strict");
  });
  EXPECT_EQ(observed("old-objects-live", widget_with("{}"), defaulting),
            std::vector<std::string>{"brought-up-to-date"});
  EXPECT_TRUE(observed("old-objects-live", widget_with(R"({"mode":"a"})"), defaulting).empty());
}

// A value that the webhook moves to another member is no default of its own.
TEST(Widgets, AMovedValueIsNoDefault) {
  const auto moving = changing_spec([](Value& spec) {
    if (spec["mode"].is_null()) return;
    spec.remove("mode");
    spec.set("size", 1);
  });
  EXPECT_TRUE(violations_in(judgement_of("explicit-kept", widget_with(R"({"mode":"a"})"), moving)).empty());
  const auto defaulting = changing_spec([](Value& spec) {
    if (spec["size"].integer().value_or(0) == 0) spec.set("size", 1);
  });
  EXPECT_EQ(violations_in(judgement_of("explicit-kept", widget_with("{}"), defaulting)).size(), 1U);
}

TEST(Widgets, AMemberThatAnUpdateAddsAsksForTheSame) {
  const auto defaulting = [](bool at_creation_alone) {
    return webhooks::Handler([=](const Call& call) {
      if (at_creation_alone && call.request.is_update()) return webhooks::allow();
      if (call.object["spec"]["mode"].is_null() || !call.object["spec"]["size"].is_null())
        return webhooks::allow();
      Value widget = call.object;
      widget.edit("spec").set("size", 1);
      return webhooks::allow_change(call.object, widget);
    });
  };
  const auto value = widget_with(R"({"mode":"a"})");
  EXPECT_EQ(observed("same-on-update", value, defaulting(true)), std::vector<std::string>{"created-only"});
  EXPECT_TRUE(observed("same-on-update", value, defaulting(false)).empty());
}

// An author looks for a Secret that a deletion of the namespace takes first.
TEST(Widgets, ADyingObjectIsLetGoWhenItsNamespaceIsEmpty) {
  cases::Case value = widget_with("{}");
  value.request.namespace_name = "shop";
  value.request.object.edit("metadata").set("namespace", "shop");
  value.cluster.objects.push_back(
      {{"apiVersion", "v1"}, {"kind", "Secret"}, {"metadata", {{"name", "db"}, {"namespace", "shop"}}}});
  const auto needing = [](bool looks_at_deletion) {
    return webhooks::Handler([=](const Call& call) {
      const bool is_dying = !call.object["metadata"]["deletionTimestamp"].is_null();
      if (call.cluster.find("Secret", "shop", "db") == nullptr && !(looks_at_deletion && is_dying))
        return webhooks::deny(403, "Forbidden", "Secret db does not exist");
      if (!call.object["spec"]["mode"].is_null()) return webhooks::allow();
      Value widget = call.object;
      widget.edit("spec").set("mode", "strict");
      return webhooks::allow_change(call.object, widget);
    });
  };
  const auto violations = violations_in(judgement_of("update-safe", value, needing(false)));
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_NE(violations[0].reason.find("other objects are deleted is refused by the webhook"),
            std::string::npos)
      << violations[0].reason;
  EXPECT_TRUE(violations_in(judgement_of("update-safe", value, needing(true))).empty());
}

TEST(Widgets, AnUpdateOfAStatusThatIsRefusedIsAnError) {
  cases::Case value = widget_with("{}");
  value.cluster.objects.front()
      .edit("webhooks")
      .edit(0)
      .edit("rules")
      .edit(0)
      .set("resources", Value::list({"widgets", "widgets/status"}));
  value.cluster.objects.back()
      .edit("spec")
      .edit("versions")
      .edit(0)
      .set("subresources", Value{{"status", Value::empty_object()}});
  const webhooks::Handler refusing = [](const Call& call) {
    return call.request.sub_resource.empty() ? webhooks::allow()
                                             : webhooks::deny(403, "Forbidden", "spec is immutable");
  };
  const auto violations = violations_in(judgement_of("subresources", value, refusing));
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].severity, Severity::error);
  EXPECT_NE(violations[0].reason.find("spec is immutable"), std::string::npos);
}

/// The webhook of a rule for all subresources reads a Widget out of a Scale.
TEST(Widgets, AScaleThatIsRefusedIsAnError) {
  cases::Case value = widget_with(R"({"size":2})");
  value.cluster.objects.front()
      .edit("webhooks")
      .edit(0)
      .edit("rules")
      .edit(0)
      .set("resources", Value::list({"widgets", "widgets/*"}));
  value.cluster.objects.back()
      .edit("spec")
      .edit("versions")
      .edit(0)
      .set("subresources",
           Value{{"scale", {{"specReplicasPath", ".spec.size"}, {"statusReplicasPath", ".status.size"}}}});
  const auto reading = [](bool knows_scales) {
    return [knows_scales](const Call& call) {
      const bool is_widget = call.object["kind"].text() == "Widget";
      return is_widget || knows_scales ? webhooks::allow() : webhooks::deny(400, "", "no Widget");
    };
  };
  const auto violations = violations_in(judgement_of("subresources", value, reading(false)));
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].severity, Severity::error);
  EXPECT_NE(violations[0].reason.find("no Widget"), std::string::npos) << violations[0].reason;
  EXPECT_TRUE(violations_in(judgement_of("subresources", value, reading(true))).empty());
}

/// A custom resource may have a map where a Pod has a list.
TEST(Widgets, ContainersInAMapAreAskedAmongOthers) {
  cases::Case value = widget_with(R"({"containers":{"main":{"image":"a"}}})");
  schema_of_spec(value).set("x-kubernetes-preserve-unknown-fields", true);
  const webhooks::Handler mixing = [](const Call& call) {
    Value widget = call.object;
    const Value& current = call.concurrent != nullptr ? call.concurrent->front().object : call.object;
    widget.edit("spec").set("mode", current["metadata"]["name"]);
    Answer answer = webhooks::allow_change(call.object, widget);
    answer.was_concurrent = call.concurrent != nullptr;
    return answer;
  };
  const auto violations = violations_in(judgement_of("concurrent-as-sequential", value, mixing));
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].path, "spec.mode");
  EXPECT_EQ(violations[0].severity, Severity::error);
}

TEST(Widgets, AnswersThatVaryByThemselvesAreNoRace) {
  int calls = 0;
  const webhooks::Handler varying = [&](const Call& call) {
    Value widget = call.object;
    widget.edit("spec").set("mode", ++calls % 3 == 0 ? "b" : "a");
    Answer answer = webhooks::allow_change(call.object, widget);
    answer.was_concurrent = call.concurrent != nullptr;
    return answer;
  };
  const auto judgement = judgement_of("concurrent-as-sequential", widget_with(R"({"mode":"c"})"), varying);
  EXPECT_TRUE(violations_in(judgement).empty());
}

TEST(Widgets, AReferenceWithoutANamespaceIsOfTheObjectsOwn) {
  cases::Case value = widget_with(R"({"mode":"a"})");
  const auto referring_to = [](const char* space) {
    return [space](const Call& call) {
      Value widget = call.object;
      widget.edit("spec").set("ref", Value{{"namespace", space}});
      return webhooks::allow_change(call.object, widget);
    };
  };
  EXPECT_TRUE(violations_in(judgement_of("request-context", value, referring_to("default"))).empty());
  value.request.namespace_name = "team-a";
  value.request.object.edit("metadata").set("namespace", "team-a");
  EXPECT_TRUE(violations_in(judgement_of("request-context", value, referring_to("team-a"))).empty());
  const auto violations = violations_in(judgement_of("request-context", value, referring_to("default")));
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].path, "spec.ref.namespace");
  EXPECT_EQ(violations[0].severity, Severity::warning);
}

// The definition has a default of its own, so that the webhook never sees an absent value.
TEST(Widgets, AZeroThatBecomesAnotherNumberIsTakenForAnAbsentOne) {
  const auto with_replicas = [](const char* spec) {
    cases::Case value = widget_with(spec);
    schema_of_spec(value).edit("properties").edit("replicas").set("default", 1);
    return value;
  };
  const auto replacing = [](std::int64_t upto) {
    return changing_spec([upto](Value& spec) {
      if (spec["replicas"].integer() <= upto) spec.set("replicas", 3);
    });
  };
  const auto violations =
      violations_in(judgement_of("explicit-kept", with_replicas(R"({"replicas":0})"), replacing(0)));
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].path, "spec.replicas");
  // A lower bound holds for 1 and 2, too.
  const auto bound = judgement_of("explicit-kept", with_replicas(R"({"replicas":0})"), replacing(2));
  EXPECT_TRUE(violations_in(bound).empty());
  const auto kept = judgement_of("explicit-kept", with_replicas(R"({"replicas":2})"), replacing(0));
  EXPECT_TRUE(violations_in(kept).empty());
}

// Nothing is missed, and a run with such a webhook alone has its verdict.
TEST(Widgets, UpdateSafeDoesNotApplyToAWebhookOfUpdatesAlone) {
  cases::Case value = widget_with(R"({"mode":"a"})");
  Value& rule = value.cluster.objects.front().edit("webhooks").edit(0).edit("rules").edit(0);
  rule.set("operations", Value::list({"UPDATE"}));
  const auto judgement = judgement_of("update-safe", value, changing_spec([](Value&) {}));
  ASSERT_TRUE(std::holds_alternative<Skipped>(judgement));
  EXPECT_EQ(std::get<Skipped>(judgement).why, Skipped::Why::not_applicable);
}

/// Returns what is observed of a webhook beside a validator that refuses these updates.
std::vector<std::string> observed_beside(bool (*refuses)(const Call& update)) {
  cases::Case value = widget_with(R"({"mode":"a"})");
  add_validator(value);
  return observed("old-objects-live", value, [=](const Call& call) {
    const bool is_refused = call.webhook == "v/a.b.c" && call.request.is_update() && refuses(call);
    return is_refused ? webhooks::deny(403, "Forbidden", "mode is immutable") : webhooks::allow();
  });
}

TEST(Widgets, AnUpdateWithoutAChangeThatAValidatorRefusesIsObserved) {
  EXPECT_EQ(observed_beside([](const Call&) { return true; }), std::vector<std::string>{"refused-unchanged"});
  EXPECT_TRUE(observed_beside([](const Call& update) {
                return !(update.object["spec"] == update.old_object["spec"]);
              }).empty());
}

}  // namespace
}  // namespace fixpoint::properties
