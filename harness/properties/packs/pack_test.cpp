#include "harness/properties/packs/pack.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace fixpoint::properties {
namespace {

Judgement holds(const Examination&) { return Held{}; }
bool is_ours(const Tested& tested) { return tested.name.starts_with("ours/"); }

constexpr Property kOfOurs[] = {{.name = "of-ours",
                                 .claim = "Claims something.",
                                 .is_cheap = true,
                                 .ask = holds,
                                 .applies_to = is_ours,
                                 .explanation = {"An example.", "It matters.", "Fix it."}}};
constexpr Pack kOurs[] = {{.name = "ours", .of_cases = kOfOurs}};

bool has(const Catalog& catalog, std::string_view name) { return catalog.find(name) != nullptr; }

TEST(Catalog, HasTheCoreThenItsPacks) {
  const Catalog catalog{kOurs};
  EXPECT_EQ(catalog.of_cases().size(), all().size() + 1);
  EXPECT_EQ(catalog.of_cases().back(), &kOfOurs[0]);
  EXPECT_EQ(catalog.pack_of("of-ours"), "ours");
  EXPECT_EQ(catalog.pack_of("idempotent"), "");
  EXPECT_EQ(catalog.claim_of("of-ours"), "Claims something.");
  EXPECT_EQ(catalog.explanation_of("of-ours")->fix, "Fix it.");
  EXPECT_NE(catalog.explanation_of("idempotent"), nullptr);
  EXPECT_FALSE(has(Catalog(), "of-ours"));
  EXPECT_EQ(Catalog().claim_of("of-ours"), "");
}

TEST(Catalog, APropertyAppliesToASubjectThatItsFunctionTakes) {
  const Value configuration{{"kind", "MutatingWebhookConfiguration"}};
  const Tested ours{"ours/webhook@1", configuration}, other{"other/webhook", configuration};
  const Tested reconciler{.name = "ours/reconciler"};
  const auto applicable = [](std::vector<Tested> tested) { return Catalog(kOurs).applicable_to(tested); };
  EXPECT_TRUE(has(applicable({ours}), "of-ours"));
  EXPECT_TRUE(has(applicable({other, ours}), "of-ours")) << "one of them is enough";
  EXPECT_FALSE(has(applicable({other}), "of-ours"));
  EXPECT_TRUE(has(applicable({other}), "idempotent"));
  EXPECT_TRUE(applicable({reconciler}).of_cases().empty()) << "a reconciler sees no Case";
}

}  // namespace
}  // namespace fixpoint::properties
