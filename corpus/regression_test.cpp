#include "corpus/regression.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "harness/cli/work_folder_model.h"
#include "harness/external/backends/stored_case.h"
#include "harness/runner/learning/subject.h"
#include "injectors/bundled.h"
#include "injectors/injector_catalog.h"
#include "injectors/reconcilers.h"

namespace fixpoint::corpus {
namespace {

std::vector<Regression> stored() {
  auto read = read_regressions(FIXPOINT_SOURCE "/corpus", injectors::bundled());
  EXPECT_TRUE(read.ok()) << (read.ok() ? "" : read.error().text());
  return read.ok() ? *read : std::vector<Regression>();
}

class StoredRegression : public testing::TestWithParam<Regression> {};

/// Returns the injector or reconciler that the finding blames, without its release.
std::string blamed(const Regression& regression) {
  if (regression.finding.sequence) return runner::without_release(regression.finding.sequence->subject);
  const auto& backend = regression.finding.value.webhooks.at(regression.finding.webhook);
  return runner::without_release(std::get<cases::InjectorName>(backend).name);
}

std::string_view newest_release(const std::string& name) {
  for (const auto& row : injectors::all_reconcilers()) {
    if (row.name == name) return row.releases.back();
  }
  for (const auto& row : injectors::all()) {
    if (row.name == name && !row.releases.empty()) return row.releases.back();
  }
  return {};
}

TEST_P(StoredRegression, FailsWhereItShouldAndIsFixedWhereItShould) {
  const Regression& regression = GetParam();
  ASSERT_FALSE(regression.shows.empty());
  const auto with = external::replay_with(injectors::bundled());
  EXPECT_EQ(text_of(runner::answer_of(regression.finding, with)), "still failing") << "as it is stored";
  const auto answer_of = [&](const std::string& release) {
    return text_of(runner::answer_of(
        with_release(regression.finding, blamed(regression) + "@" + release, injectors::bundled()), with));
  };
  for (const std::string& release : regression.shows)
    EXPECT_EQ(answer_of(release), "still failing") << release;
  for (const std::string& release : regression.silent)
    EXPECT_NE(answer_of(release), "still failing") << release;
  // A fixed finding must have a release in which it is fixed: without one, the newest release must still show
  // it.
  if (!regression.silent.empty()) return;
  EXPECT_NE(answer_of(std::string(newest_release(blamed(regression)))), "fixed");
}

INSTANTIATE_TEST_SUITE_P(Corpus, StoredRegression, testing::ValuesIn(stored()), [](const auto& regression) {
  std::string name = std::filesystem::path(regression.param.file).stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Regressions, WithoutWhatIsExpectedNameWhatIsMissing) {
  const cli::WorkFolder folder("regression");
  folder.write("regressions/a.json", R"({"apiVersion": "fixpoint/v1", "kind": "Finding"})");
  const auto read = read_regressions(folder.path(""), injectors::bundled());
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().text().find("regressions/a.json: expected \"expect\": {\"shows\": […]"),
            std::string::npos)
      << read.error().text();
}

TEST(Regressions, TheCorpusIsNotEmpty) { EXPECT_GE(stored().size(), 5u); }

}  // namespace
}  // namespace fixpoint::corpus
