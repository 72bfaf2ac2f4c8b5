#include <gtest/gtest.h>

#include <string>

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
      seen[0].because,
      "does with \"False\" in metadata.annotations[a.io/agent] what it does with \"true\", and not what "
      "it does without it");
  const auto is_there = [](const std::string& value) { return !value.empty(); };
  EXPECT_EQ(seen_of_switch("a.io/inject", "true", is_there).size(), 1u);
  EXPECT_TRUE(seen_of_switch("a.io/agent", "true", is_there).empty()) << "any value may be meant";
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
  EXPECT_EQ(seen[0].because,
            "does with \"DEBUG\" in metadata.annotations[a.io/value] what it does without it, and with "
            "\"debug\" something else: neither done, nor refused, nor warned of");
  const auto any_letters = [](const std::string& value) {
    return value.empty() ? "info" : lower_case(value);
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
  EXPECT_EQ(seen[0].because,
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
  EXPECT_EQ(seen[0].because,
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

/// A webhook that injects a container with that port.
std::function<void(Value& pod)> with_port(std::function<Value(const Value& pod)> port) {
  return [=](Value& pod) {
    Value container = document::read_json(R"({"name":"agent","image":"x:1"})").value();
    container.set("ports", Value::list({Value{{"containerPort", port(pod)}}}));
    pod.edit("spec").edit("containers").push_back(std::move(container));
  };
}
Value port_of_annotation(const Value& pod) {
  const auto number = whole_number(annotation_of(pod, "a.io/port"));
  return Value(static_cast<std::int64_t>(number.value_or(9090)));
}

TEST(RefusedValues, AreTheUsers) {
  for (const char* port : {"70000", "9090,70000", "{\"http\":70000}"}) {
    const auto asked = annotated("a.io/port", port);
    const auto change = with_port([](const Value& pod) {
      const bool is_refused = annotation_of(pod, "a.io/port").find("70000") != std::string::npos;
      return Value(static_cast<std::int64_t>(is_refused ? 70000 : 9090));
    });
    EXPECT_TRUE(told_by("valid-spec", asked, changing([=](Value& pod, int) { change(pod); })).empty());
    const auto seen = seen_by("valid-spec", asked, change);
    ASSERT_EQ(seen.size(), 1u) << port;
    EXPECT_EQ(seen[0].kind, "refused-value");
    EXPECT_EQ(seen[0].path, "metadata.annotations[a.io/port]");
    EXPECT_EQ(seen[0].because,
              "writes " + document::write_json(Value(port)) +
                  " of metadata.annotations[a.io/port] to spec.containers[name=agent].ports[*].containerPort "
                  "without a check, and the API server refuses it (Invalid value: 70000: must be from 1 to "
                  "65535)");
  }
}

TEST(RefusedValues, AreTheWebhooksIfItWritesThemAnyway) {
  const auto told = [](const cases::Case& asked, const std::function<void(Value & pod)>& change) {
    return told_by("valid-spec", asked, changing([=](Value& pod, int) { change(pod); })).size();
  };
  const auto always = with_port([](const Value&) { return Value(std::int64_t{70000}); });
  EXPECT_EQ(told(annotated("a.io/port", "70000"), always), 1u) << "the annotation only happens to say so";
  EXPECT_EQ(told(annotated("a.io/port", "80"), always), 1u);
  EXPECT_EQ(told(annotated("a.io/port", "70000"), with_port(port_of_annotation)), 0u);
  EXPECT_EQ(told(annotated("a.io/team", "a b"),
                 [](Value& pod) {
                   pod.edit("metadata").edit("labels").set("team", annotation_of(pod, "a.io/team"));
                 }),
            1u)
      << "text that is right in an annotation and wrong in the label that it is copied to";
}

TEST(RefusedValues, StandInTheFieldThatTheServerMeans) {
  auto asked = annotated("a.io/share", "true");
  asked.request.object.edit("spec").set("hostPID", true);
  const auto share = [](Value& pod) {
    if (annotation_of(pod, "a.io/share") == "true") pod.edit("spec").set("shareProcessNamespace", true);
  };
  EXPECT_TRUE(told_by("valid-spec", asked, changing([=](Value& pod, int) { share(pod); })).empty());
  EXPECT_EQ(seen_by("valid-spec", asked, share).size(), 1u);
  const auto always = [](Value& pod) { pod.edit("spec").set("shareProcessNamespace", true); };
  EXPECT_EQ(told_by("valid-spec", asked, changing([=](Value& pod, int) { always(pod); })).size(), 1u);
  const auto request = [](Value& pod) {
    Value container = document::read_json(R"({"name":"agent","image":"x:1","resources":{
        "limits":{"cpu":"500m"},"requests":{"cpu":"250m"}}})")
                          .value();
    const std::string cpu = annotation_of(pod, "a.io/cpu");
    if (!cpu.empty() && cpu != "1a") container.edit("resources").edit("requests").set("cpu", cpu);
    pod.edit("spec").edit("containers").push_back(std::move(container));
  };
  EXPECT_EQ(seen_by("valid-spec", annotated("a.io/cpu", "2"), request).size(), 1u);
}

/// Names of Secrets, each from an annotation, that are the same text.
TEST(RefusedValues, MayBeOneTextInTwoPlaces) {
  auto asked = annotated("a.io/api-secret", "64Mi");
  Value& annotations = asked.request.object.edit("metadata").edit("annotations");
  for (const char* key : {"a.io/1", "a.io/2", "a.io/3", "a.io/4", "a.io/5", "a.io/app-secret"})
    annotations.set(document::Name(key), "64Mi");
  const auto change = [](Value& pod) {
    Value env = Value::list({});
    for (const char* key : {"a.io/api-secret", "a.io/app-secret"}) {
      const Value from{{"secretKeyRef", Value{{"name", annotation_of(pod, key)}, {"key", "token"}}}};
      env.push_back(Value{{"name", std::string(key + 5)}, {"valueFrom", from}});
    }
    Value container = document::read_json(R"({"name":"agent","image":"x:1"})").value();
    container.set("env", std::move(env));
    pod.edit("spec").edit("containers").push_back(std::move(container));
  };
  EXPECT_EQ(seen_by("valid-spec", asked, change).size(), 2u);
  EXPECT_TRUE(told_by("valid-spec", asked, changing([=](Value& pod, int) { change(pod); })).empty());
  EXPECT_TRUE(told_by("text-survives", asked, changing([=](Value& pod, int) { change(pod); })).empty());
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
  const auto told = [&](const char* second) {
    return told_by("valid-spec", asked, changing([=](Value& pod, int) { two_ports(second)(pod); })).size();
  };
  EXPECT_EQ(told("a.io/port"), 1u) << "one setting is written twice";
  asked.request.object.edit("metadata").edit("annotations").set("a.io/metrics", "8081");
  EXPECT_EQ(told("a.io/metrics"), 0u);
}

}  // namespace
}  // namespace fixpoint::properties
