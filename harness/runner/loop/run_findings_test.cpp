#include "harness/runner/loop/run_findings.h"

#include <gtest/gtest.h>

#include <memory>

#include "generators/reduce.h"
#include "harness/properties/one_webhook_test.h"

namespace fixpoint::runner {
namespace {

/// Returns the findings that a violation becomes which is not seen again, of a webhook whose answers differ
/// by themselves or from one call of its program to the next.
std::vector<cases::Finding> findings_of_what_is_seen_once(bool by_chance) {
  const auto calls_of_all = std::make_shared<int>(0);
  const auto resolve = [=] {
    const auto calls = by_chance ? calls_of_all : std::make_shared<int>(0);
    webhooks::Resolve programs([calls](std::string_view) -> document::Result<webhooks::Handler> {
      return webhooks::Handler([calls](const webhooks::Call& call) {
        document::Value pod = call.object;
        pod.edit("metadata").edit("labels").set("order", ++*calls % 2 == 0 ? "ab" : "ba");
        return webhooks::allow_change(call.object, pod);
      });
    });
    return programs;
  };
  RunOptions options;
  options.subjects.resolve = resolve();
  options.subjects.resolve.anew = resolve;
  options.drawing.reduce = generators::reduce;
  options.hooks.clock = [] { return 0.0; };
  Listener nobody;
  RunLog log(options, nobody);
  WaitingFindings waiting({});
  const RunTime time(options, waiting);
  RunFindings findings(options, time, waiting, log, [](std::uint64_t) { return std::vector<cases::Case>(); });
  CaseResult slot;
  slot.value = properties::of_one_webhook(cases::InjectorName{"random"}, R"({"metadata":{"name":"p"},
      "spec":{"containers":[{"name":"a","image":"b"}]}})");
  slot.violations = {{properties::find("preserves-others"), {.webhook = "c/a.b.c", .path = "spec"}, "once"}};
  findings.take(slot, {}, 0);
  return log.summary().findings;
}

TEST(RunFindings, WhatChanceShowsOnceIsChance) {
  const auto findings = findings_of_what_is_seen_once(true);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].property, "deterministic");
  EXPECT_EQ(findings[0].verdict, "nondeterministic");
  EXPECT_TRUE(findings_of_what_is_seen_once(false).empty()) << "each new program answers alike";
}

}  // namespace
}  // namespace fixpoint::runner
