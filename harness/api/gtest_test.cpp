#include "harness/api/gtest.h"

#include <gmock/gmock.h>

#include <set>

#include "harness/api/append_model.h"
#include "harness/api/cases.h"
#include "harness/cli/work_folder_model.h"

namespace fixpoint {
namespace {

const TestOptions kShort{.check = {.cases = 400}};

/// Returns the message with which EXPECT_THAT fails; empty if it does not.
template <class Matcher>
std::string message_of(const Webhook& webhook, const Matcher& matcher) {
  const testing::Matcher<const Webhook&> any = matcher;
  testing::StringMatchResultListener listener;
  if (any.MatchAndExplain(webhook, &listener)) return "";
  std::ostringstream text;
  text << "Expected: ";
  any.DescribeTo(&text);
  return text.str() + "\n  Actual: " + testing::PrintToString(webhook) + ", " + listener.str();
}

TEST(GTestMatchers, AGuardedAppendSettles) {
  EXPECT_THAT(guarded(), Settles(kShort));
  EXPECT_THAT(guarded(), Holds("no-duplicate-names", kShort));
  EXPECT_THAT(on_object([](const std::string& pod) { return append_own(pod, true); }), Settles(kShort))
      << "a handler alone";
  EXPECT_TRUE(matches(guarded(), Settles(kShort)));
  EXPECT_THAT(unguarded(), testing::Not(Settles(kShort)));
}

TEST(GTestMatchers, AnUnguardedAppendFailsWithAMessageThatSaysWhy) {
  const std::string message = message_of(unguarded(), Settles(kShort));
  EXPECT_EQ(message.substr(0, message.find(" finding")),
            "Expected: a webhook that settles: called again, it changes nothing\n"
            "  Actual: webhook own, which has 5")
      << message;
  for (const char* line :
       {" in 400 Cases of seed 1:\n", "FOUND  idempotent", "growing   error", "+ container own",
        "smallest Case: ", "replay: save the document; fixpoint::Fixes(FILE)"})
    EXPECT_NE(message.find(line), std::string::npos) << line << " in " << message;
  EXPECT_EQ(message.find("no-duplicate-names"), std::string::npos) << "another property: " << message;
  const testing::AssertionResult result = matches(unguarded(), Settles(kShort));
  EXPECT_FALSE(result);
  EXPECT_NE(std::string(result.message()).find("Actual: own, which has 5 findings"), std::string::npos);
  EXPECT_NE(message_of(unguarded(), Holds("no-duplicate-names", kShort)).find("FOUND  no-duplicate-names"),
            std::string::npos);
  EXPECT_NE(message_of(unguarded(), IsSound(kShort)), "");
}

TEST(GTestMatchers, WhatWasNotTestedDoesNotMatch) {
  const Webhook idle = on_object([](const std::string& pod) { return pod; });
  EXPECT_NE(message_of(idle, Settles(kShort)).find("not tested: it acted in 0 of 400 Cases of seed 1"),
            std::string::npos);
  const Webhook broken("kind: Pod", on_object([](const std::string& pod) { return append_own(pod, true); }));
  EXPECT_NE(message_of(broken, Settles(kShort)).find("cannot be tested: configuration: expected one"),
            std::string::npos);
  EXPECT_FALSE(is_decided(guarded(), "replicas-agree", kShort.check));
  EXPECT_TRUE(is_decided(guarded(), "idempotent", kShort.check));
  EXPECT_NE(message_of(guarded(), Holds("replicas-agree", kShort)).find("decided in none of 400 Cases"),
            std::string::npos);
}

TEST(GTestMatchers, AcceptedFindingsFailNoTest) {
  const CheckReport& report = unguarded().report(kShort.check);
  std::vector<std::string> prints;
  for (const CheckFinding& finding : report.findings) prints.push_back(finding.fingerprint);
  TestOptions options = kShort;
  options.accepted = AcceptedFindings(prints);
  EXPECT_THAT(unguarded(), Settles(options));
  options.accepted = AcceptedFindings({"000000000000"});
  EXPECT_THAT(unguarded(), testing::Not(Settles(options)));
}

TEST(GTestMatchers, AcceptTheProblemsOfAPolicyUntilTheirDate) {
  const cli::WorkFolder folder("gtest-policy");
  const CheckReport& report = unguarded().report(kShort.check);
  const auto accepted_until = [&](const std::string& day) {
    std::string text =
        "apiVersion: fixpoint/v1\nkind: Policy\nsubjects: [peers/sidecar-guarded]\naccepted:\n";
    for (const CheckFinding& finding : report.findings)
      text += "  - {problem: \"" + finding.fingerprint + "\", fingerprints: [\"" + finding.fingerprint +
              "\"], reason: known, until: \"" + day + "\"}\n";
    TestOptions options = kShort;
    options.accepted = AcceptedFindings::read(folder.write("fixpoint.yaml", text));
    return options;
  };
  EXPECT_THAT(unguarded(), Settles(accepted_until("2999-12-31")));
  EXPECT_THAT(unguarded(), testing::Not(Settles(accepted_until("2020-01-01"))));
  EXPECT_THROW(AcceptedFindings::read(folder.path("none.yaml")), std::invalid_argument);
}

TEST(GTestMatchers, AStoredFindingIsReplayed) {
  const cli::WorkFolder folder("gtest-findings");
  for (const CheckFinding& finding : unguarded().report(kShort.check).findings) {
    const std::string file = folder.write(finding.fingerprint + ".json", finding.document);
    EXPECT_EQ(message_of(guarded(), Fixes(file)), "") << finding.text;
    const std::string message = message_of(unguarded(), Fixes(file));
    EXPECT_NE(message.find("which is still failing: " + finding.property), std::string::npos) << message;
    EXPECT_EQ(read_finding(finding.document).text, finding.text);
  }
  folder.write("case.json", draw_case(1, 1, guarded()).text());
  folder.write("notes.txt", "no finding");
  const auto found = finding_files(folder.path());
  EXPECT_EQ(found.size(), unguarded().report(kShort.check).findings.size());
  EXPECT_THROW(finding_files(folder.path("none")), std::invalid_argument);
  EXPECT_NE(message_of(guarded(), Fixes(folder.path("none.json"))).find("missing or empty"),
            std::string::npos);
  EXPECT_THROW(replay("{}", guarded()), std::invalid_argument);
  EXPECT_EQ(replay(draw_case(1, 1, guarded()).text(), guarded()).answer, "not reached") << "it does not act";
}

TEST(GTestMatchers, TestsAreNamedAfterTheirParameter) {
  const auto name = [](const std::string& parameter) {
    return TestName()(testing::TestParamInfo<std::string>(parameter, 7));
  };
  EXPECT_EQ(name("no-duplicate-names"), "no_duplicate_names");
  EXPECT_EQ(name("run/findings/2af3367e9629.json"), "2af3367e9629");
  EXPECT_EQ(name(""), "7");
  std::set<std::string> names;
  for (const std::string& property : property_names()) {
    EXPECT_TRUE(names.insert(name(property)).second) << property;
    EXPECT_NE(claim_of(property), "") << property;
  }
}

/// One test a property, as a user writes it.
class GuardedAppend : public testing::TestWithParam<std::string> {};
TEST_P(GuardedAppend, Holds) {
  if (!is_decided(guarded(), GetParam(), kShort.check)) GTEST_SKIP() << "decided in no Case";
  EXPECT_THAT(guarded(), Holds(GetParam(), kShort));
}
INSTANTIATE_TEST_SUITE_P(Properties, GuardedAppend, testing::Values("idempotent", "no-duplicate-names"),
                         TestName());

}  // namespace
}  // namespace fixpoint
