#include "harness/runner/loop/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <set>

#include "generators/draw.h"
#include "generators/reduce.h"
#include "harness/document/cut.h"
#include "harness/document/json.h"
#include "harness/runner/clock.h"
#include "injectors/injector_catalog.h"
#include "reports/events.h"
#include "reports/text.h"

namespace fixpoint::runner {
namespace {

/// Records every event of a run.
class Transcript : public Listener {
 public:
  void found(const cases::Finding& finding) override { add(reports::finding_event(finding)); }
  void noted(const cases::Finding& finding) override { add(reports::note_event(finding)); }
  std::string text;
  std::vector<cases::Finding> findings;

 private:
  void add(document::Value event) { text += document::write_json(event) + "\n"; }
};

struct Outcome {
  std::string text;
  RunSummary summary;
};

Outcome run_of(const std::string& name, std::uint64_t seed, std::uint64_t cases, int jobs,
               std::function<bool(const cases::Finding&)> is_enough = {}) {
  const generators::DrawOptions chains{.subjects = {injectors::find_subject(name).value()},
                                       .peers = injectors::newest(injectors::Role::peer)};
  RunOptions options;
  options.drawing.seed = seed;
  options.effort.cases_max = cases;
  options.effort.seconds_max = 0;
  options.effort.jobs = jobs;
  options.subjects.names = {name};
  options.subjects.configurations = {
      std::string(chains.subjects[0].configuration["metadata"]["name"].text())};
  options.drawing.draw = [&](Choices& choices, auto) { return generators::draw(choices, chains); };
  options.drawing.reduce = generators::reduce;
  options.subjects.resolve = [](std::string_view injector) { return injectors::resolve(injector); };
  options.hooks.clock = [] { return 0.0; };
  options.hooks.is_enough = std::move(is_enough);
  Transcript transcript;
  auto summary = run(options, transcript);
  auto stop = document::write_json(reports::stop_event(summary));
  return {transcript.text + stop, std::move(summary)};
}

TEST(Run, SameSeedSameBytesWhateverTheThreads) {
  const auto one = run_of("kserve/metrics-aggregator@0.14.1", 77, 1000, 1);
  EXPECT_EQ(one.text, run_of("kserve/metrics-aggregator@0.14.1", 77, 1000, 1).text)
      << "a run is a function of its seed: pass the clock, do not read it";
  EXPECT_EQ(one.text, run_of("kserve/metrics-aggregator@0.14.1", 77, 1000, 2).text)
      << "nothing may depend on which thread examines a Case";
  EXPECT_EQ(one.summary.cases, 1000u);
}

/// A webhook whose work is long, as on a Pod of thousands of containers, is cut off with its Case.
TEST(Run, EndsWithinAMomentOfItsTimeWhateverIsAtWork) {
  for (const bool is_interrupted : {false, true}) {
    const generators::DrawOptions chains{
        .subjects = {injectors::find_subject("defects/volume-without-guard").value()}};
    std::atomic<int> calls = 0;
    RunOptions options;
    options.effort.seconds_max = is_interrupted ? 60 : 0.1;
    options.effort.jobs = 2;
    options.subjects.names = {"slow"};
    options.drawing.draw = [&](Choices& choices, auto) { return generators::draw(choices, chains); };
    options.drawing.reduce = generators::reduce;
    options.subjects.resolve = [&](std::string_view injector) -> document::Result<webhooks::Handler> {
      auto handler = injectors::resolve(injector);
      if (!handler) return handler;
      return webhooks::Handler([&calls, inner = *std::move(handler)](const webhooks::Call& call) {
        while (++calls > 400) document::heed_end();
        return inner(call);
      });
    };
    options.hooks.clock = now;
    options.hooks.interrupted = [&] { return is_interrupted && calls > 400; };
    Transcript transcript;
    const double begin = now();
    const RunSummary summary = run(options, transcript);
    EXPECT_LT(now() - begin, 10) << is_interrupted;
    EXPECT_EQ(summary.why, is_interrupted ? "interrupted" : "time");
    EXPECT_GT(summary.cases, 0U);
    EXPECT_FALSE(summary.findings.empty()) << "what was found before is reported";
  }
}

bool has_finding(const RunSummary& summary, const std::string& property, const std::string& name) {
  for (const cases::Finding& finding : summary.findings) {
    const bool is_it = finding.property == property && finding.evidence.value.text() == name;
    if (is_it && finding.verdict == "growing") {
      EXPECT_EQ(finding.severity, "error");
      EXPECT_LE(scalar_count(finding.value.request.object), 12u);
      EXPECT_LE(finding.value.request.object["spec"]["containers"].size(), 1u);
      return true;
    }
  }
  return false;
}

TEST(Run, FindsTheMetricsEnvThatIsAppendedAgain) {
  const auto buggy = run_of("kserve/metrics-aggregator@0.14.1", 1, 1000, 2).summary;
  const auto fixed = run_of("kserve/metrics-aggregator@0.15.0", 1, 1000, 2).summary;
  for (const char* env : {"KSERVE_CONTAINER_PROMETHEUS_METRICS_PORT",
                          "KSERVE_CONTAINER_PROMETHEUS_METRICS_PATH", "AGGREGATE_PROMETHEUS_METRICS_PORT"}) {
    EXPECT_TRUE(has_finding(buggy, "no-duplicate-names", env)) << env;
    EXPECT_FALSE(has_finding(fixed, "no-duplicate-names", env)) << env;
  }
  // No fingerprint of the bug is left.
  for (const cases::Finding& finding : buggy.findings) {
    if (finding.verdict != "growing") continue;
    for (const cases::Finding& other : fixed.findings) EXPECT_NE(finding.fingerprint, other.fingerprint);
  }
}

TEST(Run, FindsTheModelcarThatIsAddedAgain) {
  const auto buggy = run_of("kserve/modelcar@0.12.0", 1, 1000, 2).summary;
  const auto fixed = run_of("kserve/modelcar@0.12.1", 1, 1000, 2).summary;
  for (const char* name : {"kserve-provision-location", "modelcar"}) {
    EXPECT_TRUE(has_finding(buggy, "no-duplicate-names", name)) << name;
    EXPECT_FALSE(has_finding(fixed, "no-duplicate-names", name)) << name;
  }
}

/// A Case that the server would refuse without any webhook is unconvincing: it is healed if possible.
TEST(Run, ShrinkingHealsPods) {
  cases::Case value;
  value.request.object = document::read_json(R"({"metadata":{"name":"p"},"spec":{"activeDeadlineSeconds":0,
      "containers":[{"name":"main","image":"x:1","env":[{"name":"A"}],"ports":[{"containerPort":70000}]},
                    {"name":"other","image":"x:1","env":[{"name":"1 B"}]}]}})")
                             .value();
  value.cluster.objects = {document::read_json(R"({"apiVersion":"admissionregistration.k8s.io/v1",
      "kind":"MutatingWebhookConfiguration","metadata":{"name":"c"},"webhooks":[{"name":"a.b.c",
      "admissionReviewVersions":["v1"],"sideEffects":"None",
      "rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["*"],"resources":["pods"]}]}]})")
                               .value()};
  value.webhooks.emplace("c/a.b.c", cases::read_script(document::read_json(R"([{"patch":[
      {"op":"replace","path":"/spec/containers/0/env","value":[]}]}])")
                                                           .value())
                                        .value());
  const properties::Property& property = *properties::find("preserves-others");
  const auto prepared = prepare(value, {}, {}).value();
  ASSERT_FALSE(has_valid_pod(prepared));
  const auto judgement = property.ask({prepared.value, prepared.handlers, prepared.admission, {}});
  const auto* violated = std::get_if<properties::Violated>(&judgement);
  ASSERT_NE(violated, nullptr);
  const std::string print = fingerprint(value, property.name, violated->violations.front());
  const auto shrunk = shrink(value, property, print, {}, generators::reduce, {});
  ASSERT_TRUE(shrunk.has_value());
  EXPECT_TRUE(has_valid_pod(prepare(shrunk->value, {}, {}).value())) << cases::canonical_text(shrunk->value);
}

/// One bug that violates several properties has one Case, and is shrunk once.
TEST(Run, OneBugHasOneCase) {
  const auto run = run_of("kserve/modelcar@0.12.0", 3, 300, 1);
  std::map<std::string, std::set<std::string>> properties;  // by Case
  for (const cases::Finding& finding : run.summary.findings)
    properties[cases::canonical_text(finding.value)].insert(finding.property);
  const auto reported =
      std::max_element(properties.begin(), properties.end(),
                       [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  ASSERT_NE(reported, properties.end());
  EXPECT_GE(reported->second.size(), 3u) << reported->first;
}

TEST(Run, WellBehavedPeersAloneAreSilent) {
  for (const Subject& peer : injectors::newest(injectors::Role::peer)) {
    const auto summary = run_of(peer.name, 5, 1000, 2).summary;
    for (const cases::Finding& finding : summary.findings) {
      ADD_FAILURE() << peer.name << ": " << finding.property << ": " << finding.evidence.reason << "\n"
                    << cases::canonical_text(finding.value);
    }
  }
}

TEST(Run, ALongRunReachesEverything) {
  const auto summary = run_of("kserve/metrics-aggregator@0.20.0", 9, 1200, 2).summary;
  for (const VacuityCheck& check : summary.vacuity_checks) {
    EXPECT_TRUE(check.judged);
    EXPECT_TRUE(check.held) << check.name;
  }
  EXPECT_EQ(summary.broken, 0u);
}

/// Nothing is known about a webhook that never acts, and a report without findings must say so.
TEST(Run, SaysThatAWebhookNeverActed) {
  constexpr std::string_view kSaid = "NO VERDICT: kserve/metrics-aggregator@0.20.0 acted in 0 of ";
  const auto summary = run_of("kserve/metrics-aggregator@0.20.0", 9, 1200, 2).summary;
  const Acted counts = summary.acted.at("kserve/metrics-aggregator@0.20.0");
  EXPECT_GT(counts.acted, 0u);
  EXPECT_GT(counts.no_effect, 0u);
  EXPECT_EQ(counts.acted + counts.no_effect, 1200u) << "it stands in every Case";
  EXPECT_EQ(reports::summary_text(summary).find(kSaid), std::string::npos);
  RunSummary idle = summary;
  idle.acted.begin()->second = {.acted = 0, .no_effect = 1200};
  EXPECT_NE(reports::summary_text(idle).find(kSaid), std::string::npos);
}

/// The neighbour that was called late makes the defect visible; the webhook that did not check again caused
/// it.
TEST(Run, BlamesTheSubjectAndNotItsNeighbour) {
  for (const char* property : {"aggregate-consistent", "order-independent"}) {
    const auto summary = run_of("defects/aggregate-computed-once@buggy", 1, 600, 2).summary;
    const auto found =
        std::find_if(summary.findings.begin(), summary.findings.end(),
                     [&](const cases::Finding& finding) { return finding.property == property; });
    ASSERT_NE(found, summary.findings.end()) << property;
    EXPECT_EQ(found->webhook, "defect-aggregate-computed-once/inject.defects.example.io") << property;
    EXPECT_EQ(found->value.webhooks.size(), 2u) << "a neighbour has a part in it";
  }
}

TEST(Run, EndsWithWhatWasLookedFor) {
  const auto summary = run_of("kserve/modelcar@0.12.0", 1, 1000, 2, [](const cases::Finding& finding) {
                         return finding.property == "no-duplicate-names" && finding.verdict == "growing";
                       }).summary;
  EXPECT_EQ(summary.why, "found");
  ASSERT_FALSE(summary.findings.empty());
  EXPECT_EQ(summary.findings.back().property, "no-duplicate-names");
  EXPECT_EQ(static_cast<std::int64_t>(summary.cases), summary.findings.back().found.cases);
  EXPECT_LT(summary.cases, 3000u);
}

TEST(Run, CountsWhatItDraws) {
  const auto drawn = run_of("kserve/modelcar@0.20.0", 9, 1000, 1).summary.drawn;
  EXPECT_GE(drawn.containers, 1000u);
  for (const std::uint64_t some : {drawn.init_containers, drawn.probes, drawn.updates, drawn.dry_runs}) {
    EXPECT_GT(some, 0u);
    EXPECT_LT(some, drawn.containers * 3);
  }
  EXPECT_GE(drawn.webhooks, 1000u);
  EXPECT_GT(drawn.if_needed, 0u);
  EXPECT_LT(drawn.if_needed, drawn.webhooks);
}

TEST(Run, AShortRunJudgesNoGates) {
  for (const VacuityCheck& check : run_of("kserve/modelcar@0.20.0", 9, 100, 1).summary.vacuity_checks)
    EXPECT_FALSE(check.judged);
}

}  // namespace
}  // namespace fixpoint::runner
