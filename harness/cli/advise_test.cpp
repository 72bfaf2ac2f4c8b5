#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "harness/cli/command.h"
#include "harness/compare/chain_advice.h"
#include "harness/document/json.h"
#include "harness/golden_test.h"
#include "harness/patterns_model.h"
#include "injectors/bundled.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::cli {
namespace {

namespace files = std::filesystem;

class AdviseAndCompare : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = files::temp_directory_path() / ("fixpoint-advise-" + std::to_string(getpid()));
    files::remove_all(folder_);
    unsetenv("FIXPOINT_INVOKED");
  }
  void TearDown() override { files::remove_all(folder_); }
  struct Said {
    int code;
    std::string text;
  };
  Said says(int (*command)(const Arguments&), Arguments arguments) const {
    arguments.insert(arguments.end(), {"--out", folder_.string()});
    testing::internal::CaptureStdout();
    const int code = command(arguments);
    std::fflush(stdout);
    return {code, testing::internal::GetCapturedStdout()};
  }
  /// Compares with the golden file, without counts and hashes, which depend on the generators.
  void expect_golden(const std::string& name, std::string text) const {
    for (auto at = text.find(folder_.string()); at != std::string::npos; at = text.find(folder_.string()))
      text.replace(at, folder_.string().size(), "run");
    text = replaced(text, "differs-[0-9a-f]{12}", "differs-HASH");
    text = replaced(text, "\\b[0-9]+ (of [0-9]+ them|Cases)", "N $1");
    text = replaced(text, "on [0-9]+ of them", "on N of them");
    fixpoint::expect_golden("harness/cli/golden/" + name, text);
  }
  files::path folder_;
};

TEST_F(AdviseAndCompare, AdviceReadsAsItShould) {
  const auto said = says(
      advise, {"defects/mount-without-guard@fixed", "peers/sidecar-guarded", "--seed", "1", "--cases", "60"});
  EXPECT_EQ(said.code, kNothingFound);
  expect_golden("advise.txt", said.text);
}

TEST_F(AdviseAndCompare, AdviceAgainstAChainReadsAsItShould) {
  const auto said = says(
      advise, {"defects/two-insist-on-first@buggy", "peers/sidecar-guarded", "--seed", "1", "--cases", "30"});
  EXPECT_EQ(said.code, kFound);
  expect_golden("advise_against.txt", said.text);
}

TEST_F(AdviseAndCompare, AdviceTakesAStoredCase) {
  compare::Chain chain;
  for (const char* name : {"defects/mount-without-guard@fixed", "peers/sidecar-guarded"})
    chain.members.push_back(injectors::find_subject(name).value());
  const compare::Advice advice =
      advise_on(chain, {.seed = 1, .cases = 60, .resolve = injectors::bundled().resolve});
  const auto file = folder_.string() + ".yaml";
  std::ofstream(file) << cases::canonical_text(*advice.webhooks.front().needed_case);
  const auto said = says(advise, {file, "--seed", "2", "--cases", "100", "--json"});
  files::remove(file);
  EXPECT_EQ(said.code, kFound) << said.text;  // the stored Case has Never, the webhook needs IfNeeded
  const auto events = document::read_json_stream(said.text).value();
  const auto wrong = std::find_if(events.begin(), events.end(), [](const Value& event) {
    return event["event"].text() == "webhook" && !event["right"].is_true();
  });
  ASSERT_NE(wrong, events.end()) << said.text;
  EXPECT_EQ((*wrong)["policy"].text(), "if-needed");
  EXPECT_EQ((*wrong)["configured"].text(), "Never");
  EXPECT_TRUE(files::exists(std::string((*wrong)["cases"].at(0).text())));
}

/// A webhook with policy Never mounts a volume in every container, in front of a webhook that adds a
/// container.
TEST_F(AdviseAndCompare, AFuzzRunOfTheChainFindsWhatAdviceFinds) {
  const auto file = folder_.string() + ".yaml";
  std::ofstream(file) << R"(
apiVersion: fixpoint/v1
kind: Subject
name: mounts
configuration:
  apiVersion: admissionregistration.k8s.io/v1
  kind: MutatingWebhookConfiguration
  metadata: {name: a-mounts}
  webhooks:
    - name: mounts.example.io
      clientConfig: {url: "https://127.0.0.1/mutate"}
      rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
      sideEffects: None
      admissionReviewVersions: [v1]
webhooks:
  a-mounts/mounts.example.io: {injector: defects/mount-without-guard@fixed}
)";
  const auto advised = says(advise, {file, "peers/sidecar-guarded", "--seed", "1", "--cases", "60"});
  EXPECT_EQ(advised.code, kFound);
  EXPECT_TRUE(advised.text.find("fails  a-mounts, proxy-injector   (the cluster's own)") != std::string::npos)
      << advised.text;
  const auto drawn = says(fuzz, {file, "peers/sidecar-guarded", "--seed", "1", "--cases", "1000", "--all"});
  files::remove(file);
  EXPECT_TRUE(drawn.text.find("FOUND  order-independent") != std::string::npos) << drawn.text;
  EXPECT_TRUE(drawn.text.find("in the order a-mounts, proxy-injector the Pod lacks") != std::string::npos)
      << drawn.text;
}

TEST_F(AdviseAndCompare, WhatIsNoChainGetsOneLine) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(says(advise, {"kserve/hpa"}).code, kBadInput);
  EXPECT_EQ(says(advise, {"peers/sidecar-gaurded"}).code, kBadInput);
  EXPECT_EQ(says(compare, {"kserve/hpa@0.15.0", "kserve/agent@0.15.2"}).code, kBadInput);
  EXPECT_EQ(says(compare, {"kserve/hpa", "kserve/hpa@0.20.0"}).code, kBadInput);
  for (const char* none : {"--cases", "--kinds"})
    EXPECT_EQ(says(compare, {"kserve/hpa@0.15.0", "kserve/hpa@0.15.2", none, "0"}).code, kBadInput);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "fixpoint: kserve/hpa@0.20.0 is a reconciler and stands in no chain\n"
            "fixpoint: unknown injector \"peers/sidecar-gaurded\" (did you mean \"peers/sidecar-guarded\"?)\n"
            "fixpoint: compare takes two webhooks or two reconcilers: kserve/hpa@0.15.0 is a reconciler, and "
            "kserve/agent@0.15.2 is none\n"
            "fixpoint: two subjects have the name \"kserve/hpa@0.20.0\"\n"
            "fixpoint: --cases: expected at least 1\nfixpoint: --kinds: expected at least 1\n");
}

TEST_F(AdviseAndCompare, TwoReleasesThatDifferReadAsTheyShould) {
  const auto said = says(compare, {"kserve/modelcar@0.12.0", "kserve/modelcar@0.12.1", "--seed", "1",
                                   "--cases", "600", "--kinds", "3"});
  EXPECT_EQ(said.code, kFound);
  expect_golden("compare.txt", said.text);
}

TEST_F(AdviseAndCompare, ADifferenceIsFoundShrunkAndStored) {
  const auto said = says(compare, {"defects/explicit-zeros@buggy", "defects/explicit-zeros@fixed", "--seed",
                                   "3", "--cases", "100", "--json"});
  const auto events = document::read_json_stream(said.text).value();
  const auto found = std::find_if(events.begin(), events.end(),
                                  [](const Value& event) { return event["event"].text() == "difference"; });
  // The server drops explicit zeros when it decodes the Pod, so nothing differs.
  EXPECT_EQ(found, events.end());
  EXPECT_EQ(said.code, kNothingFound);
  EXPECT_EQ(events.back()["event"].text(), "stop");
  EXPECT_EQ(events.back()["cases"].text(), "100");
}

TEST_F(AdviseAndCompare, BothCasesOfADifferenceShowTheirSide) {
  const auto said = says(compare, {"defects/volume-without-guard@buggy", "defects/volume-without-guard@fixed",
                                   "--seed", "3", "--cases", "300", "--json"});
  EXPECT_EQ(said.code, kFound);
  const auto events = document::read_json_stream(said.text).value();
  for (const Value& event : events) {
    if (event["event"].text() != "difference") continue;
    EXPECT_LE(event["leaves"].integer().value(), 12);
    for (std::size_t side = 0; side < 2; ++side) {
      std::ifstream file{std::string(event["cases"].at(side).text())};
      std::stringstream text;
      text << file.rdbuf();
      const auto value = cases::read_case(document::read_json(text.str()).value());
      ASSERT_TRUE(value.ok()) << value.error().text();
      const auto& backend = std::get<cases::InjectorName>(value->webhooks.begin()->second);
      EXPECT_TRUE(backend.name.ends_with(side == 0 ? "@buggy" : "@fixed")) << backend.name;
    }
  }
}

TEST_F(AdviseAndCompare, EqualSeedsGiveEqualBytes) {
  const Arguments arguments{
      "kserve/agent@0.14.1", "kserve/agent@0.15.0", "--seed", "5", "--cases", "150", "--json"};
  EXPECT_EQ(says(compare, arguments).text, says(compare, arguments).text);
}

}  // namespace
}  // namespace fixpoint::cli
