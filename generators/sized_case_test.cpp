#include "generators/sized_case.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "harness/document/json.h"
#include "harness/properties/packs/pack.h"
#include "harness/runner/examine.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::generators {
namespace {

TEST(SizedCase, IsAsLargeAsItWasAskedToBe) {
  for (const std::int64_t size : {1, 20, 200}) {
    EXPECT_EQ(sized_case({.containers = size}).request.object["spec"]["containers"].size(),
              static_cast<std::size_t>(size));
    EXPECT_EQ(sized_case({.webhooks = size}).webhooks.size(), static_cast<std::size_t>(size));
  }
  for (const std::int64_t kilobytes : {2, 16, 128, 1024}) {
    const auto bytes = static_cast<std::int64_t>(
        document::write_json(sized_case({.kilobytes = kilobytes}).request.object).size());
    EXPECT_LT(std::abs(bytes - kilobytes * 1000), 400)
        << bytes << ": a variable more or less in each container";
  }
}

/// The Case runs to its end without a violation, or it would cost less than its size suggests.
TEST(SizedCase, RunsWholeAndHolds) {
  for (const CaseSize& size :
       {CaseSize{}, CaseSize{.containers = 200}, CaseSize{.webhooks = 20}, CaseSize{.kilobytes = 1024}}) {
    const auto prepared = runner::prepare(sized_case(size), injectors::resolve, {}, runner::kWithoutWarnings);
    ASSERT_TRUE(prepared.ok()) << prepared.error().text();
    EXPECT_EQ(prepared->admission.passes, 2);
    EXPECT_EQ(prepared->admission.calls.size(), static_cast<std::size_t>(2 * size.webhooks - 1))
        << "nothing changes after the last of them";
    std::size_t held = 0;
    for (const runner::PropertyJudgement& one :
         runner::ask(*prepared, properties::Catalog().of_cases(), {.only_cheap = true}, {})) {
      EXPECT_FALSE(std::holds_alternative<properties::Violated>(one.judgement)) << one.property->name;
      held += std::holds_alternative<properties::Held>(one.judgement) ? 1 : 0;
    }
    EXPECT_GE(held, 4u) << "names, validity, convergence and growth at least";
  }
}

}  // namespace
}  // namespace fixpoint::generators
