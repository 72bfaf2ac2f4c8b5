#include "harness/runner/examine.h"

#include <gtest/gtest.h>

#include "generators/draw.h"
#include "harness/document/json.h"
#include "harness/properties/packs/pack.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::runner {
namespace {

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

}  // namespace
}  // namespace fixpoint::runner
