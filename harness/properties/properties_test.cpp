#include <gtest/gtest.h>

#include <algorithm>

#include "harness/document/diff.h"
#include "harness/document/json.h"
#include "harness/properties/one_webhook_test.h"
#include "harness/properties/packs/pack.h"
#include "harness/properties/planted_servers_test.h"
#include "harness/properties/webhook_caller.h"
#include "harness/runner/examine.h"

namespace fixpoint::properties {
namespace {

cases::Case scripted(const char* script, const char* pod = nullptr) {
  constexpr const char* kPod = R"({"metadata":{"name":"p"},"spec":{
      "containers":[{"name":"main","image":"x:1","env":[{"name":"USER","value":"u"}],
      "readinessProbe":{"exec":{"command":["ready"]}}}]}})";
  return of_one_webhook(script_of(script), pod != nullptr ? pod : kPod);
}

Judgement judge(const char* property, const cases::Case& value, const webhooks::Resolve& resolve) {
  const Limits limits;
  auto prepared = runner::prepare(value, resolve, limits).value();
  prepared.has_history = !prepared.replicas.empty();
  return find(property)->ask(runner::examination_of(prepared, limits));
}

std::vector<Violation> ask(const char* property, const cases::Case& value,
                           const webhooks::Resolve& resolve = {}) {
  const Judgement judgement = judge(property, value, resolve);
  if (const auto* violated = std::get_if<Violated>(&judgement)) return violated->violations;
  EXPECT_TRUE(std::holds_alternative<Held>(judgement)) << property << " was not asked";
  return {};
}

using webhooks::Answer;
using webhooks::Call;

Answer changed(const Call& call, const std::function<void(Value& pod)>& change) {
  Value pod = call.object;
  change(pod);
  return webhooks::allow(document::diff(call.object, pod));
}

// Planted bugs that no script can have. `is_fixed` is the one difference between the variants.

Answer type_without_patch(const Call&, bool is_fixed) {
  Answer answer = webhooks::allow();
  if (!is_fixed) answer.patch_type = "JSONPatch";
  return answer;
}

Answer idle_on_dry_run(const Call& call, bool is_fixed) {
  if (call.request.dry_run && !is_fixed) return webhooks::allow();
  return changed(call, [](Value& pod) { pod.edit("metadata").edit("labels").set("done", "yes"); });
}

/// Records each Pod in a ConfigMap; the fixed variant reads the ConfigMap alone.
Answer creates_on_dry_run(const Call& call, bool is_fixed) {
  Answer answer = idle_on_dry_run(call, true);
  answer.accesses = {{.verb = is_fixed ? "get" : "create",
                      .version = "v1",
                      .resource = "configmaps",
                      .kind = "ConfigMap",
                      .namespace_name = "default", .name = "pods",
                      .status = is_fixed ? 200 : 403}};
  return answer;
}

Answer injects_on_update(const Call& call, bool is_fixed) {
  if (call.request.is_update() && is_fixed) return webhooks::allow();
  return changed(call, [](Value& pod) {
    Value& containers = pod.edit("spec").edit("containers");
    for (const Value& one : containers.elements()) {
      if (one["name"].text() == "proxy") return;
    }
    containers.push_back({{"name", "proxy"}, {"image", "proxy:1"}});
  });
}

Answer skips_sidecars(const Call& call, bool is_fixed) {
  return changed(call, [&](Value& pod) {
    for (const char* list : {"containers", "initContainers"}) {
      for (std::size_t i = 0; i < pod["spec"][list].size(); ++i) {
        const bool is_sidecar = pod["spec"][list].at(i)["restartPolicy"].text() == "Always";
        if (list[0] == 'i' && !(is_fixed && is_sidecar)) continue;
        pod.edit("spec").edit(list).edit(i).set("workingDir", "/work");
      }
    }
  });
}

Answer notes_name(const Call& call, bool is_fixed) {
  return changed(call, [&](Value& pod) {
    const Value& metadata = call.object["metadata"];
    const bool is_generated = is_fixed && metadata["name"].text().empty();
    const std::string_view name = metadata[is_generated ? "generateName" : "name"].text();
    constexpr std::size_t kLabelMax = 63;
    pod.edit("metadata").edit("labels").set("of", name.substr(0, kLabelMax));
  });
}

Answer pastes_text(const Call& call, bool is_fixed) {
  const Value& note = call.object["metadata"]["annotations"]["note"];
  const std::string text = is_fixed ? document::write_json(note) : "\"" + std::string(note.text()) + "\"";
  const auto patch =
      document::read_json(R"([{"op":"add","path":"/metadata/annotations/copy","value":)" + text + "}]");
  Answer answer;
  answer.patch = patch ? *patch : Value(text);
  answer.patch_type = "JSONPatch";
  return answer;
}

Answer rounds(const Call& call, bool is_fixed) {
  return changed(call, [&](Value& pod) {
    pod.edit("metadata").edit("labels").set("done", "yes");
    if (is_fixed || pod["spec"]["terminationGracePeriodSeconds"].text() != "9007199254740993") return;
    pod.edit("spec").set("terminationGracePeriodSeconds", Value::number("9007199254740992"));
  });
}

Answer counts_once(const Call& call, bool is_fixed) {
  if (!is_fixed && !call.object["metadata"]["labels"]["count"].is_null()) return webhooks::allow();
  return changed(call, [](Value& pod) {
    const std::string count = std::to_string(pod["spec"]["containers"].size());
    pod.edit("metadata").edit("labels").set("count", count);
  });
}

Answer takes_its_time(const Call&, bool is_fixed) {
  Answer answer = webhooks::allow();
  answer.seconds = is_fixed ? 0.1 : 3;
  return answer;
}

/// Reads seconds only, of all units of time.
Answer waits_for_seconds(const Call& call, bool is_fixed) {
  const std::string_view wait = call.object["metadata"]["annotations"]["wait"].text();
  if (is_fixed && wait.ends_with("ms")) return webhooks::deny(400, "BadRequest", "whole seconds only");
  return changed(call, [&](Value& pod) {
    if (wait.ends_with("s") && !wait.ends_with("ms")) pod.edit("metadata").edit("labels").set("wait", wait);
  });
}

/// A neighbour that puts a container in front, once.
constexpr const char* kNeighbour = R"([{"when":{"not":{"named":{"path":"/spec/containers","name":"late"}}},
    "patch":[{"op":"add","path":"/spec/containers/0","value":{"name":"late","image":"y"}}]}])";

/// The planted bug of a property, its fixed variant, and what the finding must say.
struct Planted {
  const char* property;
  const char* buggy;
  const char* fixed;
  const char* verdict;
  Severity severity;
  const char* path;
  const char* neighbour = nullptr;                          ///< the script of a second webhook
  Answer (*handler)(const Call&, bool is_fixed) = nullptr;  ///< instead of the scripts
  Answer (*replica)(const Call&, bool is_fixed) = nullptr;  ///< a second process of the webhook
  const char* observation = nullptr;                        ///< its kind, where that is all that is reported
  bool is_of_widget = false;                                ///< the object is a custom resource
};

constexpr Planted kPlanted[] = {
    {"no-duplicate-names",
     R"([{"patch":[
          {"op":"add","path":"/spec/containers/0/env/-","value":{"name":"USER","value":"again"}}]}])",
     R"([{"when":{"not":{"named":{"path":"/spec/containers/0/env","name":"USER"}}},
          "patch":[
            {"op":"add","path":"/spec/containers/0/env/-","value":{"name":"USER","value":"again"}}]}])",
     "growing", Severity::error, "spec.containers[0].env[1].name"},
    {"valid-spec",
     R"([{"patch":[{"op":"add","path":"/spec/containers/0/ports","value":[{"containerPort":70000}]}]}])",
     R"([{"patch":[{"op":"add","path":"/spec/containers/0/ports","value":[{"containerPort":7000}]}]}])", "",
     Severity::error, "spec.containers[0].ports[0].containerPort"},
    {"admitted-by-cluster", R"([{"patch":[{"op":"add","path":"/spec/hostPID","value":true}]}])",
     R"([{"patch":[{"op":"add","path":"/spec/shareProcessNamespace","value":true}]}])", "", Severity::error,
     "allowed"},
    {"converges", R"([{"patch":[{"op":"add","path":"/metadata/labels","value":{"turn":"$call"}}]}])",
     R"([{"patch":[{"op":"add","path":"/metadata/labels","value":{"turn":"one"}}]}])", "unsettled",
     Severity::error, "metadata.labels.turn"},
    {"bounded-growth",
     R"([{"patch":[{"op":"add","path":"/spec/tolerations","value":[]}],"when":{"absent":"/spec/tolerations"}},
         {"patch":[{"op":"add","path":"/spec/tolerations/-","value":{"operator":"Exists"}}]}])",
     R"([{"when":{"absent":"/spec/tolerations"},
          "patch":[{"op":"add","path":"/spec/tolerations","value":[{"operator":"Exists"}]}]}])",
     "growing", Severity::error, "spec.tolerations"},
    {"idempotent",
     R"([{"when":{"absent":"/metadata/annotations/written"},
          "patch":[{"op":"add","path":"/metadata/annotations","value":{"done":"yes"}},
                   {"op":"add","path":"/spec/containers/-","value":{"name":"proxy","image":"y"}}]}])",
     R"([{"when":{"not":{"named":{"path":"/spec/containers","name":"proxy"}}},
          "patch":[{"op":"add","path":"/spec/containers/-","value":{"name":"proxy","image":"y"}}]}])",
     "growing", Severity::error, "spec.containers[2]"},
    {"preserves-others", R"([{"patch":[{"op":"replace","path":"/spec/containers/0/env","value":[]}]}])",
     R"([{"when":{"not":{"named":{"path":"/spec/containers/0/env","name":"B"}}},
          "patch":[{"op":"add","path":"/spec/containers/0/env/-","value":{"name":"B"}}]}])",
     "", Severity::error, "spec.containers[0].env"},
    {"patch-well-formed", R"([{"patch":[{"op":"add","path":"/metadata/annotations/a.b/c","value":"d"}]}])",
     R"([{"patch":[{"op":"add","path":"/metadata/annotations","value":{"a.b/c":"d"}}]}])", "",
     Severity::error, "/metadata/annotations/a.b/c"},
    {"deterministic", R"([{"patch":[{"op":"add","path":"/metadata/labels","value":{"turn":"$call"}}]}])",
     R"([{"patch":[{"op":"add","path":"/metadata/labels","value":{"turn":"one"}}]}])", "nondeterministic",
     Severity::warning, "metadata.labels.turn"},
    {"accepts-own-output",
     R"([{"when":{"exists":"/metadata/labels/done"},"deny":{"code":403}},
         {"patch":[{"op":"add","path":"/metadata/labels","value":{"done":"yes"}}]}])",
     R"([{"patch":[{"op":"add","path":"/metadata/labels","value":{"done":"yes"}}]}])", "", Severity::error,
     "allowed"},
    {"reinvocation-valid",
     R"([{"when":{"not":{"equals":{"path":"/spec/containers/0/name","value":"proxy"}}},
          "patch":[{"op":"add","path":"/spec/containers/0","value":{"name":"proxy","image":"y"}}]}])",
     R"([{"when":{"not":{"named":{"path":"/spec/containers","name":"proxy"}}},
          "patch":[{"op":"add","path":"/spec/containers/0","value":{"name":"proxy","image":"y"}}]}])",
     "", Severity::error, "spec.containers[0]", kNeighbour},
    {"reinvocation-complete",
     R"([{"when":{"absent":"/metadata/labels"},
          "patch":[{"op":"add","path":"/metadata/labels","value":{"done":"yes"}}]},
         {"when":{"all":[{"absent":"/metadata/labels"},{"named":{"path":"/spec/containers","name":"late"}}]},
          "patch":[{"op":"add","path":"/metadata/labels/late","value":"seen"}]}])",
     R"([{"when":{"absent":"/metadata/labels"},
          "patch":[{"op":"add","path":"/metadata/labels","value":{"done":"yes"}}]},
         {"when":{"named":{"path":"/spec/containers","name":"late"}},
          "patch":[{"op":"add","path":"/metadata/labels/late","value":"seen"}]}])",
     "", Severity::warning, "metadata.labels.late", kNeighbour},
    {"order-independent",
     R"([{"patch":[{"op":"replace","path":"/spec/containers/0/imagePullPolicy","value":"Never"}]}])",
     R"([{"patch":[{"op":"add","path":"/metadata/labels","value":{"done":"yes"}}]}])", "order-dependent",
     Severity::warning, "spec.containers[0].imagePullPolicy"},
    {"preserves-order",
     R"J([{"patch":[{"op":"add","path":"/spec/containers/0/env/-","value":{"name":"A","value":"$(B)"}},
                   {"op":"add","path":"/spec/containers/0/env/-","value":{"name":"B","value":"b"}}]}])J",
     R"J([{"patch":[{"op":"add","path":"/spec/containers/0/env/-","value":{"name":"B","value":"b"}},
                   {"op":"add","path":"/spec/containers/0/env/-","value":{"name":"A","value":"$(B)"}}]}])J",
     "", Severity::error, "spec.containers[0].env[1].value"},
    {"absent-empty-present",
     R"([{"when":{"absent":"/metadata/labels"},
          "patch":[{"op":"add","path":"/metadata/labels","value":{"done":"yes"}}]}])",
     R"([{"when":{"absent":"/metadata/labels"},
          "patch":[{"op":"add","path":"/metadata/labels","value":{"done":"yes"}}]},
         {"when":{"exists":"/metadata/labels"},
          "patch":[{"op":"add","path":"/metadata/labels/done","value":"yes"}]}])",
     "", Severity::warning, "metadata.labels.done"},
    {"no-explicit-zeros", R"([{"patch":[{"op":"add","path":"/spec/nodeName","value":""}]}])",
     R"([{"patch":[{"op":"add","path":"/spec/nodeName","value":"n"}]}])", "", Severity::warning,
     "spec.nodeName"},
    {"protocol", "", "", "", Severity::error, "patchType", nullptr, type_without_patch},
    {"dry-run-equal", "", "", "", Severity::warning, "metadata.labels.done", nullptr, idle_on_dry_run},
    {"update-safe", "", "", "", Severity::error, "spec.containers[1]", nullptr, injects_on_update},
    {"covers-all-containers", "", "", "", Severity::warning, "spec.initContainers[*]:sidecar", nullptr,
     skips_sidecars, nullptr, "left-out"},
    {"request-context", "", "", "name-volatile", Severity::warning, "metadata.labels.of", nullptr,
     notes_name},
    {"text-survives", "", "", "", Severity::error, "metadata.annotations[note]", nullptr, pastes_text},
    {"numbers-survive", "", "", "", Severity::warning, "spec.terminationGracePeriodSeconds", nullptr, rounds},
    {"aggregate-consistent", "", "", "", Severity::warning, "metadata.labels.count", kNeighbour, counts_once},
    {"within-budget", "", "", "", Severity::warning, "seconds", nullptr, takes_its_time},
    {"replicas-agree", "", "", "nondeterministic", Severity::warning, "metadata.labels.shard", nullptr,
     of_first_process, of_second_process},
    {"independent-of-history", "", "", "nondeterministic", Severity::warning, "metadata.labels.shard",
     nullptr, of_first_process, of_second_process},
    {"concurrent-as-sequential", "", "", "nondeterministic", Severity::error, "metadata.labels.first",
     nullptr, keeps_current},
    {"answers", R"([{"patch":[{"op":"replace","path":"/metadata/annotations/none","value":"a"}]}])",
     R"([{"patch":[{"op":"add","path":"/metadata/annotations","value":{"none":"a"}}]}])", "", Severity::error,
     "webhook"},
    {"annotation-values", "", "", "", Severity::warning, "metadata.annotations.wait", nullptr,
     waits_for_seconds, nullptr, "ignored-value"},
    {"injected-values",
     R"([{"patch":[{"op":"add","path":"/metadata/annotations","value":{"prometheus.io/port":"9102"}}]}])",
     R"([{"patch":[{"op":"add","path":"/metadata/annotations","value":{"prometheus.io/port":"9102"}},
                   {"op":"add","path":"/spec/containers/0/ports","value":[{"containerPort":9102}]}]}])",
     "", Severity::warning, "metadata.annotations[prometheus.io/port]", nullptr, nullptr, nullptr,
     "undeclared-port"},
    {"no-side-effects", "", "", "", Severity::error, "cluster", nullptr, creates_on_dry_run},
    {"explicit-kept", "", "", "", Severity::error, "spec.replicas", nullptr, takes_zero_for_absent, nullptr,
     nullptr, true},
};

constexpr const char* kBaseline = R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default",
    "labels":{"pod-security.kubernetes.io/enforce":"baseline"}}})";

cases::Case case_of(const Planted& planted, bool is_fixed) {
  constexpr const char* kPod = R"({"metadata":{"name":"p","namespace":"default","annotations":{"note":"n",
      "wait":"30s"}},
      "spec":{"containers":[{"name":"main","image":"x:1","env":[{"name":"USER","value":"u"}]}]}})";
  auto value =
      planted.handler != nullptr ? scripted("[]", kPod) : scripted(is_fixed ? planted.fixed : planted.buggy);
  if (planted.handler != nullptr) value.webhooks.at("c/a.b.c") = cases::InjectorName{"planted"};
  if (planted.neighbour != nullptr) {
    Value configuration = value.cluster.objects.front();
    configuration.edit("metadata").set("name", "d");
    value.cluster.objects.push_back(std::move(configuration));
    value.webhooks.emplace("d/a.b.c", script_of(planted.neighbour));
  }
  value.cluster.objects.push_back(document::read_json(kBaseline).value());
  if (planted.is_of_widget) become_widget(value);
  return value;
}

/// Judges the Case of a row, with what answers in it.
Judgement judge(const Planted& planted, bool is_fixed) {
  const auto value = case_of(planted, is_fixed);
  webhooks::Resolve resolve([&](std::string_view) -> document::Result<webhooks::Handler> {
    return webhooks::Handler([&](const Call& call) { return planted.handler(call, is_fixed); });
  });
  if (planted.replica != nullptr) {
    resolve.replica = [&](const cases::Backend&) {
      return webhooks::Handler([&](const Call& call) { return planted.replica(call, is_fixed); });
    };
  }
  return judge(planted.property, value, resolve);
}

class PlantedBug : public testing::TestWithParam<Planted> {};

TEST_P(PlantedBug, IsCaught) {
  const Judgement judgement = judge(GetParam(), false);
  if (GetParam().observation != nullptr) {
    const auto& seen = observations_of(judgement);
    ASSERT_EQ(seen.size(), 1u);
    EXPECT_EQ(seen.front().kind, GetParam().observation);
    EXPECT_EQ(seen.front().path, GetParam().path);
    EXPECT_EQ(seen.front().webhook, "c/a.b.c");
    return;
  }
  ASSERT_TRUE(std::holds_alternative<Violated>(judgement));
  const auto& violations = std::get<Violated>(judgement).violations;
  ASSERT_FALSE(violations.empty());
  EXPECT_EQ(violations.front().verdict, GetParam().verdict);
  EXPECT_EQ(violations.front().path, GetParam().path);
  EXPECT_EQ(violations.front().severity, GetParam().severity);
  EXPECT_EQ(violations.front().webhook, "c/a.b.c");
}

TEST_P(PlantedBug, IsNotSeenInItsFixedVariant) {
  const Judgement judgement = judge(GetParam(), true);
  ASSERT_TRUE(std::holds_alternative<Held>(judgement));
  if (GetParam().observation == nullptr) return;  // some that are right are worth an observation
  EXPECT_TRUE(observations_of(judgement).empty());
}

/// Resolves every name to the webhook, which answers with `bad` from call `first_bad` on.
webhooks::Resolve failing_from(const webhooks::Handler& webhook, int first_bad, const Answer& bad) {
  return [=, calls = std::make_shared<int>(0)](std::string_view) -> document::Result<webhooks::Handler> {
    return webhooks::Handler([=](const Call& call) { return ++*calls < first_bad ? webhook(call) : bad; });
  };
}
webhooks::Handler scripted_webhook(const char* script) {
  return webhooks::scripted(std::make_shared<const cases::Script>(script_of(script)));
}
webhooks::Handler buggy_webhook(const Planted& planted) {
  if (planted.handler == nullptr) return scripted_webhook(planted.buggy);
  return [&](const Call& call) { return planted.handler(call, false); };
}
std::vector<Answer> bad_answers() {
  Answer refused;
  refused.problem = "connection refused";
  Answer late = refused;
  late.timed_out = true;
  Answer denied;
  denied.allowed = false;
  return {refused, late, denied, webhooks::allow()};
}
void expect_named_place(const Judgement& judgement) {
  const auto* violated = std::get_if<Violated>(&judgement);
  if (violated == nullptr) return;
  EXPECT_FALSE(violated->violations.empty());
  for (const Violation& violation : violated->violations) {
    EXPECT_NE(violation.path, "");
    EXPECT_NE(violation.reason, "");
  }
}

/// A program outside may fail in any call, including one that a property makes after it has seen a bug.
TEST_P(PlantedBug, IsJudgedAlsoWhenTheWebhookBeginsToFail) {
  constexpr const char* kGrowing =
      R"([{"patch":[{"op":"add","path":"/spec/containers/-","value":{"name":"side","image":"y"}}]}])";
  auto value = case_of(GetParam(), false);
  value.webhooks.at("c/a.b.c") = cases::InjectorName{"planted"};
  for (const webhooks::Handler& webhook : {buggy_webhook(GetParam()), scripted_webhook(kGrowing)}) {
    for (const Answer& bad : bad_answers()) {
      for (int first_bad = 1; first_bad <= 24; ++first_bad) {
        SCOPED_TRACE("the answers are bad from call " + std::to_string(first_bad));
        expect_named_place(judge(GetParam().property, value, failing_from(webhook, first_bad, bad)));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Properties, PlantedBug, testing::ValuesIn(kPlanted), [](const auto& planted) {
  std::string name = planted.param.property;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Properties, EveryRowHasAPlantedBug) {  // but those of policies, and some that have tests of their own
  for (const Property& property : all()) {
    constexpr std::string_view kTestedApart =
        " expressions-evaluate configuration-sound images-kept-whole kubelet-starts asked-done every-version "
        "secrets-hidden settles-when-stored applied-again applied-equals-stored old-objects-live "
        "nothing-unknown subresources template-stable once-per-pod same-on-update ";
    const bool is_apart = kTestedApart.find(" " + std::string(property.name) + " ") != std::string_view::npos;
    const auto* row = std::ranges::find(kPlanted, property.name, &Planted::property);
    EXPECT_TRUE(is_apart || row != std::end(kPlanted)) << property.name;
  }
}

bool is_explained(const Explanation& more) {
  return !more.example.empty() && !more.matters.empty() && !more.fix.empty();
}
TEST(Properties, EveryRowIsExplained) {
  EXPECT_FALSE(is_explained({.example = "An example.", .matters = "It matters."}));
  for (const Property& property : all()) EXPECT_TRUE(is_explained(property.explanation)) << property.name;
  EXPECT_EQ(Catalog().explanation_of("no-such-property"), nullptr);
}

TEST(Properties, AFaultIsNoWebhooksGuilt) {
  auto value = scripted("[]");
  value.faults = {{.webhook = "c/a.b.c", .fault = "patch-cannot-apply"}};
  const auto prepared = runner::prepare(value, {}, {}).value();
  EXPECT_FALSE(prepared.admission.allowed);
  for (const Property& property : all()) {
    const auto judgement = property.ask({prepared.value, prepared.handlers, prepared.admission, {}});
    EXPECT_FALSE(std::holds_alternative<Violated>(judgement)) << property.name;
  }
}

TEST(Properties, AUsersOwnDuplicatesAreNoWebhooksGuilt) {
  const auto value =
      scripted("[]", R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"x:1",
      "env":[{"name":"A","value":"1"},{"name":"A","value":"2"}]}]}})");
  EXPECT_TRUE(ask("no-duplicate-names", value).empty());
  // Of two containers with one name nobody knows which has a port already.
  const auto namesakes =
      scripted(R"([{"patch":[{"op":"add","path":"/spec/containers/1/ports","value":[{"name":"m"}]}]}])",
               R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"x:1",
      "ports":[{"name":"m","containerPort":1}]},{"name":"main","image":"x:1"}]}})");
  EXPECT_TRUE(ask("no-duplicate-names", namesakes).empty());
}

/// The server gives a container on the host its host port when it decodes an answer with a patch.
TEST(Properties, WhatTheServerFillsInIsNoTreatmentOfAContainer) {
  const auto value = scripted(
      R"([{"patch":[{"op":"add","path":"/metadata/labels","value":{"a":"b"}}],
      "when":{"named":{"name":"fixpoint-probe","path":"/spec/containers"}}}])",
      R"({"metadata":{"name":"p"},
      "spec":{"hostNetwork":true,"containers":[{"name":"main","image":"x:1"}]}})");
  EXPECT_FALSE(std::holds_alternative<Violated>(judge("covers-all-containers", value, {})));
}

std::string verdict_after(const std::vector<const char*>& texts) {
  std::vector<Value> objects;
  for (const char* text : texts) objects.push_back(document::read_json(text).value());
  const std::string verdict = verdict_of(objects, kOfOneWebhook);
  return verdict.empty() ? growing_or_unsettled(objects) : verdict;
}

TEST(Verdict, NamesHowRepetitionEnds) {
  EXPECT_EQ(verdict_after({R"({"spec":{}})", R"({"spec":{"nodeName":"a"}})", R"({"spec":{"nodeName":"a"}})"}),
            "stable");
  EXPECT_EQ(verdict_after({R"({"spec":{}})", R"({"spec":{"nodeName":"a"}})", R"({"spec":{"nodeName":"b"}})",
                           R"({"spec":{"nodeName":"b"}})"}),
            "settles-after-2");
  EXPECT_EQ(verdict_after({R"({"spec":{"nodeName":"a"}})", R"({"spec":{"nodeName":"b"}})",
                           R"({"spec":{"nodeName":"a"}})"}),
            "oscillating-2");
  EXPECT_EQ(verdict_after({R"({"spec":{}})", R"({"spec":{"nodeName":"a"}})", R"({"spec":{"nodeName":"aa"}})",
                           R"({"spec":{"nodeName":"aaa"}})"}),
            "growing");
  EXPECT_EQ(verdict_after({R"({"spec":{}})", R"({"spec":{"nodeName":"a"}})", R"({"spec":{"nodeName":"b"}})",
                           R"({"spec":{"nodeName":"c"}})"}),
            "unsettled");
}

TEST(Fingerprint, IgnoresReleasesIndicesAndConfigurations) {
  const auto print = [](const char* configuration, const char* injector, const char* shape) {
    cases::Case value;
    const std::string webhook = std::string(configuration) + "/a.b.c";
    value.webhooks.emplace(webhook, cases::InjectorName{injector});
    return runner::fingerprint(value, "idempotent",
                               {.webhook = webhook, .verdict = "growing", .shape = shape});
  };
  EXPECT_EQ(print("c", "kserve/modelcar@0.12.0", "spec.volumes[*]"),
            print("z-c", "kserve/modelcar@0.20.0", "spec.volumes[*]"));
  EXPECT_NE(print("c", "kserve/modelcar@0.12.0", "spec.volumes[*]"),
            print("c", "kserve/agent@0.12.0", "spec.volumes[*]"));
  EXPECT_NE(print("c", "kserve/modelcar@0.12.0", "spec.volumes[*]"),
            print("c", "kserve/modelcar@0.12.0", "spec.containers[*]"));
}

}  // namespace
}  // namespace fixpoint::properties
