#include <gtest/gtest.h>

#include <string>

#include "harness/document/json.h"
#include "harness/document/lower_case.h"
#include "harness/properties/one_webhook_test.h"
#include "harness/properties/spellings.h"

/// Tests of what annotation-values and injected-values tell of webhooks, and of what they leave alone.
namespace fixpoint::properties {
namespace {

cases::Case annotated(const std::string& key, const std::string& value) {
  auto asked =
      of_one_webhook(cases::InjectorName{"test/handler"},
                     R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"x:1"}]}})");
  asked.request.object.edit("metadata").edit("annotations").set(document::Name(key), value);
  return asked;
}

std::string annotation_of(const Value& pod, const char* key) {
  return std::string(pod["metadata"]["annotations"][document::Name(key)].text());
}

std::vector<Observation> seen_by(const char* property, const cases::Case& value,
                                 const std::function<void(Value& pod)>& change) {
  const auto handler = changing([change](Value& pod, int) { change(pod); });
  return observations_of(judgement_of(property, value, handler));
}

using Switch = bool (*)(const std::string& value);
/// Of a webhook that injects if `is_on` says so.
std::vector<Observation> seen_of_switch(const char* key, const char* value, Switch is_on) {
  return seen_by("annotation-values", annotated(key, value), [=](Value& pod) {
    if (is_on(annotation_of(pod, key))) pod.edit("metadata").edit("labels").set("injected", "yes");
  });
}

TEST(AnnotationValues, TakeFalseForTrue) {
  const auto is_not_false = [](const std::string& value) { return !value.empty() && value != "false"; };
  const auto seen = seen_of_switch("a.io/agent", "true", is_not_false);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].kind, "odd-spelling");
  EXPECT_EQ(
      seen[0].reason,
      "does with \"False\" in metadata.annotations[a.io/agent] what it does with \"true\", and not what "
      "it does without it");
  const auto is_there = [](const std::string& value) { return !value.empty(); };
  EXPECT_TRUE(seen_of_switch("a.io/agent", "true", is_there).empty()) << "any value may be meant";
  const auto injects = changing([](Value& pod, int) {
    if (!annotation_of(pod, "a.io/inject").empty())
      pod.edit("metadata").edit("labels").set("injected", "yes");
  });
  const auto violations =
      violations_in(judgement_of("annotation-values", annotated("a.io/inject", "true"), injects));
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].severity, Severity::warning);
  EXPECT_EQ(violations[0].reason,
            "does with \"false\" in metadata.annotations[a.io/inject] what it does with \"true\"");
}

TEST(AnnotationValues, ASwitchSaysSoInItsName) {
  for (const char* key : {"a.io/inject", "a.io/agent-inject", "a.io/enable-metrics", "Enabled"})
    EXPECT_TRUE(is_name_of_switch(key)) << key;
  for (const char* key : {"a.io/agent-inject-containers", "a.io/injected", "inject.a.io/volume"})
    EXPECT_FALSE(is_name_of_switch(key)) << key;
}

/// Of a webhook that injects an agent, whose processor an annotation sets: with its memory, or without.
std::vector<Observation> seen_of_amounts(bool keeps_memory) {
  return seen_by("annotation-values", annotated("a.io/cpu", "250m"), [=](Value& pod) {
    const std::string asked = annotation_of(pod, "a.io/cpu");
    Value amounts{{"cpu", asked.empty() ? "100m" : asked.c_str()}};
    if (keeps_memory || asked.empty()) amounts.set("memory", "64Mi");
    Value agent{{"name", "agent"}, {"image", "agent:1"}};
    agent.edit("resources").set("requests", amounts);
    pod.edit("spec").edit("containers").push_back(agent);
  });
}

TEST(AnnotationValues, TakeOtherAmountsAway) {
  const auto seen = seen_of_amounts(false);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].kind, "drops-amounts");
  EXPECT_EQ(seen[0].reason,
            "drops resources.requests.memory \"64Mi\" of its container where \"250m\" in "
            "metadata.annotations[a.io/cpu] sets resources.requests.cpu");
  EXPECT_TRUE(seen_of_amounts(true).empty());
}

TEST(AnnotationValues, MayTakeAllButOneWordForTheDefault) {
  const auto is_true = [](const std::string& value) { return value == "true"; };
  EXPECT_TRUE(seen_of_switch("a.io/inject", "true", is_true).empty());
  const auto is_not_off = [](const std::string& value) { return value != "false"; };
  EXPECT_TRUE(seen_of_switch("a.io/inject", "false", is_not_off).empty());
  const auto is_absent = [](const std::string& value) { return value.empty() || value == "true"; };
  EXPECT_TRUE(seen_of_switch("a.io/inject", "false", is_absent).empty());
}

/// Of a webhook that makes a label of what it reads from the annotation "a.io/value".
std::vector<Observation> seen_of_label(const char* value, std::string (*read)(const std::string& value)) {
  return seen_by("annotation-values", annotated("a.io/value", value), [=](Value& pod) {
    pod.edit("metadata").edit("labels").set("value", read(annotation_of(pod, "a.io/value")));
  });
}

TEST(AnnotationValues, AreIgnored) {
  const auto small_letters = [](const std::string& value) {
    return std::string(value == "debug" || value == "warn" || value == "error" ? value : "info");
  };
  const auto seen = seen_of_label("debug", small_letters);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].kind, "ignored-value");
  EXPECT_EQ(seen[0].reason,
            "does with \"DEBUG\" in metadata.annotations[a.io/value] what it does without it, and with "
            "\"debug\" something else: neither done, nor refused, nor warned of");
  const auto any_letters = [](const std::string& value) {
    return value.empty() ? "info" : document::lower_case(value);
  };
  EXPECT_TRUE(seen_of_label("debug", any_letters).empty());
  EXPECT_TRUE(seen_of_label("info", any_letters).empty()) << "the default does nothing rightly";
  const auto nearly = [](const std::string& value) { return value == "5" ? "seven" : "l" + value; };
  EXPECT_TRUE(seen_of_label("5", nearly).empty()) << "one number may be the default";
}

TEST(AnnotationValues, AreSpeltInOtherUnits) {
  const auto first = [](const char* value, const char* key) { return values_alike(value, key).at(0).at(0); };
  EXPECT_EQ(first("90s", "drain"), "1m30s");
  EXPECT_EQ(first("30s", "drain"), "30000ms");
  EXPECT_EQ(first("250m", "proxy-cpu"), "0.25");
  EXPECT_EQ(first("2m", "timeout"), "120s");
  EXPECT_EQ(first("1Gi", "memory"), "1024Mi");
  EXPECT_TRUE(values_alike("1", "inject").empty());
  EXPECT_TRUE(values_alike("orders-db", "secret").empty());
}

TEST(AnnotationValues, ArePastedAsTheyAre) {
  const auto writes_path = [](bool trims) {
    return seen_by("annotation-values", annotated("a.io/logs", "/var/log/app"), [=](Value& pod) {
      std::string folder = annotation_of(pod, "a.io/logs");
      if (folder.empty()) return;
      if (trims && folder.ends_with('/')) folder.pop_back();
      pod.edit("spec").edit("containers").edit(0).edit("args").push_back("--file=" + folder + "/log.txt");
    });
  };
  EXPECT_TRUE(writes_path(true).empty());
  const auto seen = writes_path(false);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].reason,
            "writes \"--file=/var/log/app//log.txt\" to spec.containers[*].args[*] for \"/var/log/app/\" in "
            "metadata.annotations[a.io/logs]");
}

TEST(AnnotationValues, ReachOneContainerOfTwo) {
  const auto seen_of = [](const char* key) {
    return seen_by("annotation-values", annotated(key, "debug"), [=](Value& pod) {
      const std::string level = annotation_of(pod, key);
      for (const bool is_first : {true, false}) {
        Value one{{"name", is_first ? "log-agent" : "mesh-proxy"}, {"image", "x:1"}};
        one.edit("env").push_back(
            {{"name", "LEVEL"}, {"value", is_first && !level.empty() ? level : "info"}});
        pod.edit("spec").edit("containers").push_back(one);
      }
    });
  };
  const auto seen = seen_of("a.io/level");
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].kind, "left-out");
  EXPECT_EQ(seen[0].reason,
            "writes \"debug\" of metadata.annotations[a.io/level] to the variable LEVEL of its container "
            "log-agent and leaves \"info\" in that of its container mesh-proxy");
  EXPECT_TRUE(seen_of("a.io/agent-level").empty()) << "the key names the container";
}

/// The kinds that injected-values tells of a webhook that makes this change.
std::string kinds_of(const std::function<void(Value& pod)>& change) {
  cases::Case value = annotated("tags.io/team", "search");
  value.request.object.edit("metadata").edit("annotations").set("tags.io/cost", "42");
  std::string kinds;
  for (const Observation& one : seen_by("injected-values", value, change)) kinds += one.kind + " ";
  return kinds;
}

TEST(InjectedValues, OfAListAreCut) {
  const auto joins = [](const char* quote, bool by_names) {
    return kinds_of([=](Value& pod) {
      std::string list;
      for (const auto& one : pod["metadata"]["annotations"].members()) {
        const std::string name(name_of_key(one.key.text()));
        list += (list.empty() ? "" : ",") + (by_names ? name + "=" : "") + quote +
                std::string(one.value.text()) + quote;
      }
      pod.edit("spec").edit("containers").edit(0).edit("args").push_back("--tags=" + list);
    });
  };
  EXPECT_EQ(joins("", true), "cut-list ");
  EXPECT_EQ(joins("\"", true), "");
  EXPECT_EQ(joins("", false), "") << "each may be a list itself";
}

TEST(InjectedValues, OfAPairOfCredentialsAreOfOneSecret) {
  const auto takes = [](const char* secret, const char* second) {
    return kinds_of([=](Value& pod) {
      Value& env = pod.edit("spec").edit("containers").edit(0).edit("env");
      env.push_back(
          {{"name", "AWS_ACCESS_KEY_ID"}, {"valueFrom", {{"secretKeyRef", {{"name", "a"}, {"key", "id"}}}}}});
      env.push_back({{"name", second}, {"valueFrom", {{"secretKeyRef", {{"name", secret}, {"key", "k"}}}}}});
    });
  };
  EXPECT_EQ(takes("b", "AWS_SECRET_ACCESS_KEY"), "mixed-secrets ");
  EXPECT_EQ(takes("a", "AWS_SECRET_ACCESS_KEY"), "");
  EXPECT_EQ(takes("b", "AWS_SESSION_TOKEN"), "");
}

TEST(InjectedValues, AreMountedWithinAReadOnlyVolume) {
  const auto mounts = [](const char* inner, const char* source) {
    return kinds_of([=](Value& pod) {
      Value& spec = pod.edit("spec");
      spec.edit("volumes").push_back({{"name", "outer"}, {source, Value::empty_object()}});
      spec.edit("volumes").push_back({{"name", "inner"}, {"emptyDir", Value::empty_object()}});
      Value& list = spec.edit("containers").edit(0).edit("volumeMounts");
      list.push_back({{"name", "outer"}, {"mountPath", "/etc/app"}});
      list.push_back({{"name", "inner"}, {"mountPath", inner}});
    });
  };
  EXPECT_EQ(mounts("/etc/app/cache", "configMap"), "nested-mount ");
  EXPECT_EQ(mounts("/etc/app/cache", "emptyDir"), "");
  EXPECT_EQ(mounts("/etc/app-cache", "configMap"), "");
}

TEST(InjectedValues, NameAPortThatIsNowhere) {
  const auto scrapes = [](const char* argument) {
    return kinds_of([=](Value& pod) {
      pod.edit("metadata").edit("annotations").set("prometheus.io/port", "9102");
      pod.edit("spec").edit("containers").edit(0).edit("args").push_back(argument);
    });
  };
  EXPECT_EQ(scrapes("--listen=:19102"), "undeclared-port ");
  EXPECT_EQ(scrapes("--listen=:9102"), "");
}

/// A webhook that injects a container with a token from that Secret.
std::function<void(Value& pod)> with_secret(std::function<std::string(const Value& pod)> name) {
  return [=](Value& pod) {
    Value container = document::read_json(R"({"name":"agent","image":"x:1"})").value();
    const Value from{{"secretKeyRef", Value{{"name", name(pod)}, {"key", "token"}}}};
    container.set("env", Value::list({Value{{"name", "TOKEN"}, {"valueFrom", from}}}));
    pod.edit("spec").edit("containers").push_back(std::move(container));
  };
}
std::string secret_of_annotation(const Value& pod) {
  const std::string text = annotation_of(pod, "a.io/secret");
  const auto read = document::read_json(text);
  if (read && read->is_object()) return std::string((*read)["name"].text());
  return text.empty() ? "token" : text.substr(text.rfind(',') + 1);
}
std::size_t count_reported(const cases::Case& asked, const std::function<void(Value& pod)>& change) {
  return violations_of("valid-spec", asked, changing([=](Value& pod, int) { change(pod); })).size();
}

TEST(RefusedValues, AreTheUsers) {
  for (const char* text : {"64Mi", "token,64Mi", "{\"name\":\"64Mi\"}"}) {
    const auto asked = annotated("a.io/secret", text);
    EXPECT_EQ(count_reported(asked, with_secret(secret_of_annotation)), 0u);
    const auto seen = seen_by("valid-spec", asked, with_secret(secret_of_annotation));
    ASSERT_EQ(seen.size(), 1u) << text;
    EXPECT_EQ(seen[0].kind, "refused-value");
    EXPECT_EQ(seen[0].path, "metadata.annotations[a.io/secret]");
    EXPECT_TRUE(seen[0].reason.starts_with(
        "writes " + document::write_json(Value(text)) +
        " of metadata.annotations[a.io/secret] to "
        "spec.containers[name=agent].env[name=TOKEN].valueFrom.secretKeyRef.name without a check, and the "
        "API server refuses it (Invalid value: \"64Mi\": "))
        << seen[0].reason;
  }
}

TEST(RefusedValues, AreTheWebhooksIfItWritesThemAnyway) {
  const auto always = with_secret([](const Value&) { return "64Mi"; });
  EXPECT_EQ(count_reported(annotated("a.io/secret", "64Mi"), always), 1u)
      << "the annotation only says so, too";
  EXPECT_EQ(count_reported(annotated("a.io/secret", "token"), always), 1u);
  EXPECT_EQ(count_reported(annotated("a.io/team", "a b"),
                           [](Value& pod) {
                             pod.edit("metadata").edit("labels").set("team", annotation_of(pod, "a.io/team"));
                           }),
            1u)
      << "text that is right in an annotation and wrong in the label that it is copied to";
}

/// A number was read: its range could have been checked, too.
TEST(RefusedValues, ThatAreNumbersAreWarnedOf) {
  const auto with_port = [](Value& pod) {
    const auto number = whole_number(annotation_of(pod, "a.io/port")).value_or(9090);
    const Value port{{"containerPort", static_cast<std::int64_t>(number)}};
    Value container = document::read_json(R"({"name":"agent","image":"x:1"})").value();
    container.set("ports", Value::list({port}));
    pod.edit("spec").edit("containers").push_back(std::move(container));
  };
  const auto reported = violations_of("valid-spec", annotated("a.io/port", "70000"),
                                      changing([=](Value& pod, int) { with_port(pod); }));
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported[0].severity, Severity::warning);
}

TEST(RefusedValues, OfADuplicateBothAreTheUsers) {
  const auto two_ports = [](const char* second) {
    return [=](Value& pod) {
      const auto number = [&](const char* key) {
        return Value(static_cast<std::int64_t>(whole_number(annotation_of(pod, key)).value_or(9090)));
      };
      Value container = document::read_json(R"({"name":"agent","image":"x:1"})").value();
      Value ports = Value::list({});
      for (const char* key : {"a.io/port", second})
        ports.push_back(Value{{"containerPort", number(key)}, {"hostPort", number(key)}});
      container.set("ports", std::move(ports));
      pod.edit("spec").edit("containers").push_back(std::move(container));
    };
  };
  auto asked = annotated("a.io/port", "8081");
  const auto reported = [&](const char* second) {
    return violations_of("valid-spec", asked, changing([=](Value& pod, int) { two_ports(second)(pod); }))
        .size();
  };
  EXPECT_EQ(reported("a.io/port"), 1u) << "one setting is written twice";
  asked.request.object.edit("metadata").edit("annotations").set("a.io/metrics", "8081");
  EXPECT_EQ(reported("a.io/metrics"), 0u);
}

/// The kinds that injected-values observes of a webhook that adds a container to a Pod with such a spec.
std::vector<std::string> kinds_of_added(const char* list, const char* container, const char* spec) {
  auto asked = annotated("a.io/x", "y");
  const Value members = document::read_json(spec).value();
  for (const auto& member : members.members())
    asked.request.object.edit("spec").set(member.key.name(), member.value);
  const auto handler = changing([=](Value& pod, int) {
    pod.edit("spec").edit(document::Name(list)).push_back(document::read_json(container).value());
  });
  std::vector<std::string> kinds;
  const Judgement judgement = judgement_of("injected-values", asked, handler);
  for (const Observation& one : observations_of(judgement)) kinds.push_back(one.kind);
  return kinds;
}

TEST(InjectedValues, AContainerChangesTheNetworkOfTheNode) {
  constexpr const char* kRules =
      R"({"name":"rules","image":"r:1","securityContext":{"capabilities":{"add":["NET_ADMIN"]}}})";
  constexpr const char* kPlain = R"({"name":"plain","image":"p:1"})";
  const std::vector<std::string> seen{"network-of-node"}, none;
  EXPECT_EQ(kinds_of_added("initContainers", kRules, R"({"hostNetwork":true})"), seen);
  EXPECT_EQ(kinds_of_added("initContainers", kRules, R"({"hostNetwork":false})"), none);
  EXPECT_EQ(kinds_of_added("initContainers", kPlain, R"({"hostNetwork":true})"), none);
}

TEST(InjectedValues, AContainerKeepsAPodFromItsEnd) {
  constexpr const char* kAgent = R"({"name":"agent","image":"a:1"})";
  constexpr const char* kSidecar = R"({"name":"agent","image":"a:1","restartPolicy":"Always"})";
  const std::vector<std::string> seen{"outlives-its-pod"}, none;
  EXPECT_EQ(kinds_of_added("containers", kAgent, R"({"restartPolicy":"Never"})"), seen);
  EXPECT_EQ(kinds_of_added("containers", kAgent, R"({"restartPolicy":"OnFailure"})"), seen);
  EXPECT_EQ(kinds_of_added("containers", kAgent, R"({"restartPolicy":"Always"})"), none);
  EXPECT_EQ(kinds_of_added("initContainers", kSidecar, R"({"restartPolicy":"Never"})"), none);
}

}  // namespace
}  // namespace fixpoint::properties
