#include "generators/mutate.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "harness/api/rapidcheck.h"
#include "harness/document/json.h"
#include "harness/runner/examine.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::generators {
namespace {

DrawOptions newest_of_all() {
  DrawOptions options;
  options.subjects = injectors::newest(injectors::Role::subject);
  options.peers = injectors::newest(injectors::Role::peer);
  options.resolve = injectors::resolve;
  return options;
}

bool reads_back(const Case& value) {
  const auto document = document::read_json(document::write_json(cases::write_case(value)));
  return document.ok() && cases::read_case(*document).ok();
}

TEST(Mutate, CasesStayReadableAndMostlyRunnable) {
  const DrawContext draw_context(newest_of_all());
  int readable = 0, runnable = 0, changed = 0;
  constexpr int kChains = 60, kSteps = 30;
  for (std::uint64_t chain = 0; chain < kChains; ++chain) {
    Choices choices(11, chain);
    Case value = draw(choices, draw_context);
    for (int step = 0; step < kSteps; ++step) {
      Case next = mutate(value, choices, draw_context);
      changed += next == value ? 0 : 1;
      value = std::move(next);
      readable += reads_back(value) ? 1 : 0;
      runnable += runner::prepare(value, injectors::resolve, {}).ok() ? 1 : 0;
    }
  }
  EXPECT_GE(readable * 100, kChains * kSteps * 99);
  EXPECT_GE(runnable * 100, kChains * kSteps * 50);
  EXPECT_GE(changed * 100, kChains * kSteps * 60);
}

TEST(Mutate, EqualChoicesGiveEqualCases) {
  const DrawContext draw_context(newest_of_all());
  for (std::uint64_t i = 0; i < 50; ++i) {
    Choices first(5, i), second(5, i);
    const Case a = mutate(draw(first, draw_context), first, draw_context);
    const Case b = mutate(draw(second, draw_context), second, draw_context);
    EXPECT_EQ(cases::canonical_text(a), cases::canonical_text(b));
  }
}

TEST(Mutate, ForeignPodsDoNoHarm) {
  const DrawContext draw_context(newest_of_all());
  for (const char* pod :
       {R"({})", R"({"spec": 1})", R"({"metadata": [], "spec": {"containers": {}}})",
        R"({"spec": {"containers": [1, null, []]}})", R"({"spec": {"containers": [{"env": "x"}]}})"}) {
    for (std::uint64_t i = 0; i < 200; ++i) {
      Choices choices(6, i);
      Case value = draw(choices, draw_context);
      value.request.object = document::read_json(pod).value();
      EXPECT_TRUE(
          reads_back(mutate(crossover(value, draw(choices, draw_context), choices), choices, draw_context)))
          << pod;
    }
  }
}

TEST(Crossover, CasesStayReadable) {
  const DrawContext draw_context(newest_of_all());
  int readable = 0;
  constexpr int kPairs = 600;
  for (std::uint64_t i = 0; i < kPairs; ++i) {
    Choices choices(12, i);
    const Case first = draw(choices, draw_context), second = draw(choices, draw_context);
    readable += reads_back(crossover(first, second, choices)) ? 1 : 0;
  }
  EXPECT_GE(readable * 100, kPairs * 99);
}

RC_GTEST_PROP(Mutate, DrawnCasesRunAndRoundTrip, (const fixpoint::Case& drawn)) {
  RC_ASSERT(reads_back(drawn.value()));
  RC_ASSERT(runner::prepare(drawn.value(), injectors::resolve, {}).ok());
}

}  // namespace
}  // namespace fixpoint::generators
