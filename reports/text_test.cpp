#include "reports/text.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "harness/document/json.h"
#include "reports/events.h"

namespace fixpoint::reports {
namespace {

/// The text of a golden file; with FIXPOINT_WRITE_GOLDEN set, it is written anew.
void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = FIXPOINT_SOURCE "/reports/golden/" + name;
  if (std::getenv("FIXPOINT_WRITE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::ifstream file(path);
  std::stringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(text, golden.str()) << path;
}

cases::Finding finding() {
  cases::Finding finding{.property = "no-duplicate-names",
                         .severity = "error",
                         .webhook = "c/pods.example.io",
                         .verdict = "growing",
                         .fingerprint = "75925b08be9e"};
  finding.evidence = {
      .path = "spec.volumes[1].name",
      .value = "models",
      .because = "spec.volumes[1].name \"models\" stands there twice: the API server answers 422",
      .calls = {{.pass = 1, .webhook = "c/pods.example.io", .did = {"+ volume models"}},
                {.pass = 1, .webhook = "d/peer.example.io", .did = {}},
                {.pass = 2,
                 .webhook = "c/pods.example.io",
                 .did = {"+ volume models"},
                 .again = {"+ volume models"}}}};
  finding.value.webhooks = {{"c/pods.example.io", cases::InjectorName{"kserve/modelcar@0.12.0"}},
                            {"d/peer.example.io", cases::Script{}}};
  finding.value.request.object =
      document::read_json(R"({"metadata":{"name":"p"},"spec":{"containers":[]}})").value();
  finding.found = {.seed = 7, .cases = 18, .milliseconds = 204, .shrinks = 21};
  return finding;
}

runner::RunSummary summary() {
  runner::RunSummary summary{
      .why = "cases", .cases = 2000, .fully_asked = 125, .reinvoked = 1500, .rejected = 100};
  summary.properties = {{"converges", {.asked = 2000, .held = 1800, .violated = 50, .skipped = 150}}};
  summary.gates = {{"some request was reinvoked", true, true}, {"some container came late", false, true}};
  summary.findings = {finding()};
  summary.seconds = 0.5;
  return summary;
}

TEST(Text, AFindingReadsAsItShould) {
  expect_golden("finding.txt", finding_text(finding(), "./fixpoint replay run/findings/75925b08be9e.json"));
}
TEST(Text, ASummaryReadsAsItShould) { expect_golden("summary.txt", summary_text(summary())); }
TEST(Events, AreOneObjectEach) {
  std::string lines;
  for (const auto& event : {finding_event(finding()), gate_event({"some container came late", false, true}),
                            stop_event(summary())}) {
    lines += document::write_json(event) + "\n";
  }
  expect_golden("events.ndjson", lines);
}

TEST(Text, NothingForeignSteersATerminal) {
  EXPECT_EQ(printable("a\x1b[31mb\nc"), "a\\x1b[31mb\\x0ac");
  EXPECT_EQ(printable("\xC2\x9B"), "\\xc2\\x9b");
  EXPECT_EQ(printable("\xE2\x80\xAE"), "\\xe2\\x80\\xae");
  EXPECT_EQ(printable("\xFF"), "\\xff");
  EXPECT_EQ(printable("Größe ✓"), "Größe ✓");
}

TEST(Finding, ReadsBack) {
  auto original = finding();
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
