#include "reports/text.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"
#include "harness/document/printable.h"
#include "harness/golden_test.h"
#include "injectors/bundled.h"
#include "reports/events.h"

namespace fixpoint::reports {
namespace {

cases::Finding growing_finding() {
  cases::Finding finding{.property = "no-duplicate-names",
                         .severity = "error",
                         .webhook = "c/pods.example.io",
                         .verdict = "growing",
                         .fingerprint = "75925b08be9e"};
  finding.evidence = {
      .path = "spec.volumes[1].name",
      .value = "models",
      .reason = "duplicate \"models\" at spec.volumes[1].name: the API server rejects the Pod (422)",
      .calls = {{.pass = 1, .webhook = "c/pods.example.io", .effect = {"+ volume models"}},
                {.pass = 1, .webhook = "d/peer.example.io", .effect = {}},
                {.pass = 2,
                 .webhook = "c/pods.example.io",
                 .effect = {"+ volume models"},
                 .again = {"+ volume models"}},
                {.pass = 0,
                 .check = "a call after both passes",
                 .webhook = "c/pods.example.io",
                 .effect = {"+ volume models"}}}};
  finding.value.webhooks = {{"c/pods.example.io", cases::InjectorName{"kserve/modelcar@0.12.0"}},
                            {"d/peer.example.io", cases::Script{}}};
  finding.value.request.object =
      document::read_json(R"({"metadata":{"name":"p"},"spec":{"containers":[]}})").value();
  finding.found = {.seed = 7, .cases = 18, .shrinks = 21};
  return finding;
}

cases::Finding finding_of_reconciler() {
  cases::Finding finding{
      .property = "foreign-object-untouched",
      .severity = "error",
      .sequence =
          cases::Sequence{.subject = "kserve/hpa@0.15.0",
                          .steps = {{"user", "create"}, {"set", "external"}, cases::reconcile_step()}},
      .fingerprint = "bfc6748cbef8"};
  finding.evidence = {
      .path = "steps[2]",
      .value = "delete HorizontalPodAutoscaler default/model-predictor",
      .reason =
          "with class external the reconcile deletes HorizontalPodAutoscaler default/model-predictor, "
          "which it does not own",
      .calls = {{.pass = 1,
                 .webhook = "user create",
                 .effect = {"+ HorizontalPodAutoscaler default/model-predictor"}},
                {.pass = 2, .webhook = "set external", .effect = {}},
                {.pass = 3,
                 .webhook = "reconcile",
                 .effect = {"- HorizontalPodAutoscaler default/model-predictor"}}}};
  finding.found = {.seed = 7, .cases = 33, .shrinks = 9};
  return finding;
}

runner::RunSummary summary() {
  runner::RunSummary summary;
  summary.why = "cases";
  summary.count({.cases = 2000, .all_properties = 125, .reinvoked = 1500, .rejected = 100});
  summary.drawn = {.containers = 4200,
                   .init_containers = 1000,
                   .probes = 900,
                   .webhooks = 4000,
                   .if_needed = 3000,
                   .updates = 200,
                   .dry_runs = 100};
  summary.properties = {{"converges", {.asked = 2000, .held = 1800, .violated = 50, .skipped = 150}},
                        {"update-safe", {.asked = 125, .held = 4, .skipped = 100, .not_applicable = 21}}};
  summary.vacuity_checks = {{"some request was reinvoked", true, true},
                            {"some container came late", false, true}};
  summary.findings = {growing_finding()};
  summary.observe({.kind = "rewrites",
                   .webhook = "c/pods.example.io",
                   .path = "spec.containers[*].image",
                   .reason = "rewrites spec.containers[*].image"},
                  12);
  summary.seconds = 0.5;
  return summary;
}

TEST(Text, AFindingReadsAsItShould) {
  expect_golden("reports/golden/finding.txt",
                finding_text(growing_finding(), "./fixpoint replay run/findings/75925b08be9e.json"));
}
TEST(Text, AFindingSaysWhichSettingsOfTheChartItNeeds) {
  cases::Finding finding = growing_finding();
  EXPECT_EQ(finding_text(finding, "r").find("settings"), std::string::npos);
  document::Value settings{{"kind", "ConfigMap"}, {"metadata", {{"name", "config"}}}};
  settings.edit("metadata").edit("annotations").set(cases::kChangedSettings, "logger.enabled = true");
  finding.value.cluster.objects.push_back(settings);
  EXPECT_NE(finding_text(finding, "r")
                .find("  only with other settings, ConfigMap config: logger.enabled = true\n"),
            std::string::npos);
}
/// A long trace is wrapped into lines that fit a terminal, however long a single change is.
TEST(Text, ALongStoryIsWrapped) {
  cases::Finding long_one = growing_finding();
  auto& effect = long_one.evidence.calls[0].effect;
  for (const char* where : {"kserve-container", "transformer-container", "queue-proxy"})
    effect.push_back(std::string("+ env MODEL_INIT_MODE of container ") + where);
  effect.push_back("~ annotation " + std::string(120, 'a'));
  long_one.evidence.calls[2].effect = effect;
  expect_golden("reports/golden/long_story.txt", finding_text(long_one, "./fixpoint replay run/x.json"));
}
TEST(Text, ASummaryReadsAsItShould) { expect_golden("reports/golden/summary.txt", summary_text(summary())); }
TEST(Text, ObservationsAreListedOnceEach) {
  runner::RunSummary seen = summary();
  seen.observe({.kind = "empty-patch",
                .webhook = "a/pods.example.io",
                .path = "patch",
                .reason = "answers its own output with a patch that changes nothing"});
  seen.add(summary());
  EXPECT_EQ(observations_text(seen),
            "observed, and no defect:\n"
            "  a/pods.example.io answers its own output with a patch that changes nothing   (1 Case)\n"
            "  c/pods.example.io rewrites spec.containers[*].image   (24 Cases)\n");
  EXPECT_EQ(observations_text({}), "");
}
TEST(Events, AreOneObjectEach) {
  std::string lines;
  for (const auto& event :
       {finding_event(growing_finding()), vacuity_check_event({"some container came late", false, true}),
        observation_event(summary().observations[0]), stop_event(summary())}) {
    lines += document::write_json(event) + "\n";
  }
  expect_golden("reports/golden/events.ndjson", lines);
}

TEST(Text, AFindingOfAReconcilerReadsAsItShould) {
  expect_golden("reports/golden/finding_of_reconciler.txt",
                finding_text(finding_of_reconciler(), "./fixpoint replay run/findings/bfc6748cbef8.json"));
}
TEST(Text, ASummaryOfSequencesReadsAsItShould) {
  runner::RunSummary summary;
  summary.why = "time";
  summary.count({.cases = 2000, .all_properties = 2000, .sequences = 2000});
  summary.properties = {
      {"foreign-object-untouched", {.asked = 2000, .held = 100, .violated = 400, .skipped = 1500}},
      {"no-orphan", {.asked = 2000, .held = 1990, .skipped = 10}}};
  summary.findings = {finding_of_reconciler()};
  summary.seconds = 0.1;
  expect_golden("reports/golden/summary_of_sequences.txt", summary_text(summary));
}
TEST(Events, OfReconcilersAreOneObjectEach) {
  runner::RunSummary summary;
  summary.why = "cases";
  summary.count({.cases = 2000, .sequences = 2000});
  std::string lines;
  for (const auto& event : {finding_event(finding_of_reconciler()), stop_event(summary)})
    lines += document::write_json(event) + "\n";
  expect_golden("reports/golden/events_of_reconciler.ndjson", lines);
}
TEST(Finding, OfAReconcilerReadsBack) {
  const auto original = finding_of_reconciler();
  const auto again = cases::read_finding(cases::write_finding(original));
  ASSERT_TRUE(again.ok()) << again.error().text();
  EXPECT_EQ(*again, original);
  auto broken = cases::write_finding(original);
  broken.edit("case").edit("steps").push_back({{"sett", "hpa"}});
  const auto error = cases::read_finding(broken, {}, injectors::bundled().sequence_reader()).error();
  EXPECT_EQ(error.place, "/case/steps/3/sett") << error.text();
}

TEST(Text, NothingForeignSteersATerminal) {
  EXPECT_EQ(document::printable("a\x1b[31mb\nc"), "a\\x1b[31mb\\x0ac");
  EXPECT_EQ(document::printable("\xC2\x9B"), "\\xc2\\x9b");
  EXPECT_EQ(document::printable("\xE2\x80\xAE"), "\\xe2\\x80\\xae");
  EXPECT_EQ(document::printable("\xFF"), "\\xff");
  EXPECT_EQ(document::printable("Größe ✓"), "Größe ✓");
}

TEST(Finding, ReadsBack) {
  auto original = growing_finding();
  original.value.cluster.objects = {document::read_json(R"({"apiVersion":"admissionregistration.k8s.io/v1",
      "kind":"MutatingWebhookConfiguration","metadata":{"name":"c"},
      "webhooks":[{"name":"pods.example.io"}]})")
                                        .value(),
                                    document::read_json(R"({"apiVersion":"admissionregistration.k8s.io/v1",
      "kind":"MutatingWebhookConfiguration","metadata":{"name":"d"},
      "webhooks":[{"name":"peer.example.io"}]})")
                                        .value()};
  const auto again = cases::read_finding(cases::write_finding(original));
  ASSERT_TRUE(again.ok()) << again.error().text();
  EXPECT_EQ(*again, original);
}

}  // namespace
}  // namespace fixpoint::reports
