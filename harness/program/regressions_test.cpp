#include "harness/program/regressions.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "harness/program/program.h"
#include "harness/runner/subject.h"

namespace fixpoint::program {
namespace {

std::vector<Regression> stored() {
  auto read = read_regressions(FIXPOINT_SOURCE "/corpus");
  EXPECT_TRUE(read.ok()) << (read.ok() ? "" : read.error().text());
  return read.ok() ? *read : std::vector<Regression>();
}

class StoredRegression : public testing::TestWithParam<Regression> {};

/// The injector that the finding blames, without its release.
std::string blamed(const Regression& regression) {
  const auto& backend = regression.finding.value.webhooks.at(regression.finding.webhook);
  return runner::without_release(std::get<cases::InjectorName>(backend).name);
}

TEST_P(StoredRegression, FailsWhereItShouldAndIsFixedWhereItShould) {
  const Regression& regression = GetParam();
  ASSERT_FALSE(regression.shows.empty());
  // What no release has fixed yet is silent nowhere.
  EXPECT_EQ(replay_answer(regression.finding), "still failing") << "as it is stored";
  const auto answer_of = [&](const std::string& release) {
    cases::Finding finding = regression.finding;
    finding.value = with_release(finding.value, blamed(regression) + "@" + release);
    return replay_answer(finding);
  };
  for (const std::string& release : regression.shows)
    EXPECT_EQ(answer_of(release), "still failing") << release;
  for (const std::string& release : regression.silent) EXPECT_EQ(answer_of(release), "fixed") << release;
}

INSTANTIATE_TEST_SUITE_P(Corpus, StoredRegression, testing::ValuesIn(stored()), [](const auto& regression) {
  std::string name = std::filesystem::path(regression.param.file).stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Regressions, TheCorpusIsNotEmpty) { EXPECT_GE(stored().size(), 5u); }

}  // namespace
}  // namespace fixpoint::program
