#include "harness/runner/examine.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "generators/draw.h"
#include "harness/document/json.h"
#include "harness/properties/one_webhook_test.h"
#include "harness/properties/packs/pack.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::runner {
namespace {

using document::Value;

std::string text_of(const properties::Judgement& judgement) {
  if (const auto* held = std::get_if<properties::Held>(&judgement)) return "held " + held->verdict;
  if (const auto* skipped = std::get_if<properties::Skipped>(&judgement)) return "skipped " + skipped->reason;
  std::string text = "violated";
  for (const auto& violation : std::get<properties::Violated>(judgement).violations) {
    text.append("\n").append(violation.webhook).append(" ").append(violation.verdict);
    text.append(" ").append(violation.path).append(" ").append(document::write_json(violation.value));
    text.append(" ").append(violation.shape).append(" ").append(violation.reason);
  }
  return text;
}

/// Calls that several properties need are made once, and every property gives the same judgement as alone.
TEST(Examine, PropertiesAskedTogetherAnswerAsAlone) {
  const generators::DrawContext draw_context({.subjects = injectors::newest(injectors::Role::subject),
                                              .peers = injectors::newest(injectors::Role::peer)});
  int violated = 0;
  for (std::uint64_t index = 0; index < 250; ++index) {
    Choices choices(11, index);
    const auto prepared =
        prepare(generators::draw(choices, draw_context), injectors::resolve, {}, kWithoutWarnings);
    if (!prepared) continue;
    for (const PropertyJudgement& asked : ask(*prepared, properties::Catalog().of_cases(), {}, {})) {
      const auto alone = ask(*prepared, {&asked.property, 1}, {}, {}).at(0).judgement;
      ASSERT_EQ(text_of(asked.judgement), text_of(alone)) << asked.property->name << "\n"
                                                          << cases::canonical_text(prepared->value);
      if (std::holds_alternative<properties::Violated>(alone)) ++violated;
    }
  }
  EXPECT_GT(violated, 50);
}

/// A slow webhook is not asked more than a few times on a Case. What its admission shows is judged all the
/// same, whatever the order of the properties.
TEST(Examine, WhatNeedsNoFurtherCallIsAskedBeyondTheBound) {
  std::uint64_t made = 0, skipped = 0;
  bool is_paused = false;
  const webhooks::Handler adding = [&](const webhooks::Call& call) {
    ++(is_paused ? skipped : made);
    if (is_paused) return webhooks::fail("not called");
    Value pod = call.object;
    pod.edit("spec").set("nodeName", "Not A Name");
    return webhooks::allow_change(call.object, pod);
  };
  webhooks::Resolve resolve;
  resolve.outside = [&](const cases::Backend&) -> document::Result<webhooks::Handler> { return adding; };
  resolve.made = [&] { return made; };
  resolve.skipped_calls = [&] { return skipped; };
  resolve.pause = [&] {
    is_paused = true;
    return std::shared_ptr<void>(&is_paused, [](bool* paused) { *paused = false; });
  };
  const auto prepared =
      prepare(properties::of_one_webhook(
                  cases::Url{"https://example.com"},
                  R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"x:1"}]}})"),
              resolve, {})
          .value();
  const std::array<const properties::Property*, 3> all{
      properties::find("deterministic"), properties::find("dry-run-equal"), properties::find("valid-spec")};
  const auto asked = ask(prepared, all, {.outside_calls_max = 1}, {}, resolve);
  ASSERT_EQ(asked.size(), 2U) << "the second one needs calls";
  EXPECT_EQ(asked[0].property->name, "deterministic");
  EXPECT_EQ(asked[1].property->name, "valid-spec");
  EXPECT_TRUE(std::holds_alternative<properties::Violated>(asked[1].judgement));
  EXPECT_FALSE(is_paused);
  resolve.pause = {};
  EXPECT_EQ(ask(prepared, all, {.outside_calls_max = 1}, {}, resolve).size(), 1U);
}

}  // namespace
}  // namespace fixpoint::runner
