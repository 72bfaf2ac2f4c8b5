#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "generators/subjects.h"
#include "harness/cli/subject_names.h"
#include "harness/runner/diagnosis/problems.h"
#include "harness/runner/examine.h"
#include "harness/score/problem_draws.h"
#include "injectors/bundled.h"
#include "injectors/injector_catalog.h"

/// Tests the problems of runs over subjects whose defects are known.
namespace fixpoint::injectors {
namespace {

using cases::Finding;
using cases::Problem;
using document::Value;

std::vector<Finding> findings_of(runner::RunOptions options, std::uint64_t seed, std::uint64_t cases) {
  options.drawing.seed = seed;
  options.effort.cases_max = cases;
  options.effort.seconds_max = 0;
  runner::Listener nobody;
  return runner::run(options, nobody).findings;
}
std::vector<Finding> findings_on(const std::string& subject, std::uint64_t seed, std::uint64_t cases) {
  return findings_of(cli::bundled_run(subject).value(), seed, cases);
}

/// Every finding is in one problem, and the problems do not depend on the findings' order.
TEST(Problems, HoldEveryFindingOnceInAnyOrder) {
  std::vector<Finding> findings = findings_on("kserve/agent@0.20.0", 1, 1500);
  const auto problems = runner::problems_of(findings);
  std::multiset<std::string> held;
  for (const Problem& problem : problems) {
    EXPECT_EQ(problem.id, problem.ids.front());
    EXPECT_TRUE(std::is_sorted(problem.ids.begin(), problem.ids.end()));
    held.insert(problem.findings.begin(), problem.findings.end());
  }
  EXPECT_EQ(held.size(), findings.size());
  EXPECT_EQ(std::set<std::string>(held.begin(), held.end()).size(), findings.size());
  std::reverse(findings.begin(), findings.end());
  EXPECT_EQ(runner::problems_of(findings), problems);
  EXPECT_LT(problems.size() * 2, findings.size()) << "or nothing was gained";
}

/// A defect of a step is reported for the step and for the composed webhook that contains it: it is one
/// problem.
TEST(Problems, NameThePartOfAComposedSubject) {
  std::vector<Finding> findings = findings_on("kserve/agent@0.20.0", 1, 1500);
  for (Finding& finding : findings_on("kserve/pod-mutator@0.20.0", 1, 1500))
    findings.push_back(std::move(finding));
  const auto problems = runner::problems_of(findings);
  const auto bundle = std::find_if(problems.begin(), problems.end(), [](const Problem& problem) {
    return problem.place == "spec.volumes[agent-ca-bundle]";
  });
  ASSERT_NE(bundle, problems.end());
  EXPECT_EQ(bundle->part, "kserve/agent");
  EXPECT_EQ(bundle->symptom, "duplicate");
  ASSERT_TRUE(bundle->repair);
  EXPECT_EQ(bundle->repair->kind, "add-if-absent");
  EXPECT_EQ(bundle->repair->operation, "spec.volumes[agent-ca-bundle]");
  EXPECT_EQ(bundle->healed, bundle->findings.size());
  const std::vector<std::string> both{"kserve/agent", "kserve/pod-mutator"};
  EXPECT_GE(std::count_if(problems.begin(), problems.end(),
                          [&](const Problem& problem) {
                            return problem.part == "kserve/agent" && problem.subjects == both;
                          }),
            3);
  EXPECT_TRUE(std::any_of(problems.begin(), problems.end(), [](const Problem& problem) {
    return problem.part == "kserve/pod-mutator" && problem.subjects.size() == 2;
  })) << "what every step does is the whole's";
}

/// Another seed draws other names and other Cases, but meets the same problem. Folded problems share a
/// member.
TEST(Problems, HaveTheSameIdWithAnySeed) {
  constexpr std::uint64_t kCases = 800;
  for (const char* defect : {"defects/volume-without-guard@buggy", "defects/container-without-guard@buggy",
                             "defects/toleration-without-guard@buggy", "defects/user-env-reordered@buggy"}) {
    const auto first = runner::problems_of(findings_on(defect, 1, kCases));
    ASSERT_FALSE(first.empty()) << defect;
    for (std::uint64_t seed = 2; seed < 4; ++seed) {
      const auto problems = runner::problems_of(findings_on(defect, seed, kCases));
      EXPECT_TRUE(std::any_of(problems.begin(), problems.end(),
                              [&](const Problem& problem) {
                                const auto& ids = first.front().ids;
                                return std::find_first_of(problem.ids.begin(), problem.ids.end(), ids.begin(),
                                                          ids.end()) != problem.ids.end();
                              }))
          << defect << " with seed " << seed << ": " << first.front().title;
    }
  }
}

struct Healed {
  const char* defect;
  const char* kind;
};
class Repairs : public testing::TestWithParam<Healed> {};
TEST_P(Repairs, HealWhatIsWrong) {
  const auto problems = runner::problems_of(findings_on(GetParam().defect, 3, 600));
  ASSERT_FALSE(problems.empty());
  const bool is_named = std::any_of(problems.begin(), problems.end(), [&](const Problem& problem) {
    return problem.repair && problem.repair->kind == GetParam().kind;
  });
  EXPECT_TRUE(is_named) << problems.front().title << ", "
                        << (problems.front().repair ? problems.front().repair->kind : "no repair");
}
INSTANTIATE_TEST_SUITE_P(Problems, Repairs,
                         testing::Values(Healed{"defects/volume-without-guard@buggy", "add-if-absent"},
                                         Healed{"defects/port-without-guard@buggy", "add-if-absent"},
                                         Healed{"defects/first-container-assumed@buggy", "look-up-by-name"},
                                         Healed{"defects/annotations-wiped@buggy", "merge"},
                                         Healed{"defects/user-env-reordered@buggy", "keep-order"},
                                         Healed{"defects/typed-round-trip@buggy", "keep-fields"}));

/// No wrapper repairs a webhook that crashes or answers randomly.
TEST(Problems, HaveNoRepairWhereThereIsNone) {
  for (const char* defect : {"defects/panic-on-empty-command@buggy", "defects/timestamp@buggy"}) {
    const auto findings = findings_on(defect, 3, 600);
    ASSERT_FALSE(findings.empty()) << defect;
    for (const Finding& finding : findings)
      EXPECT_FALSE(finding.repair) << defect << ": " << finding.repair->kind;
  }
}

/// A text that gets a prefix at every call is one problem, whose title says so. A webhook that drops what its
/// library lacks has at most two problems.
TEST(Problems, AreFewOfOneDefect) {
  const auto problems_on = [](const char* defect) {
    return runner::problems_of(findings_on(std::string("defects/") + defect + "@buggy", 1, 1500));
  };
  const auto probes = problems_on("probe-rewritten-twice");
  ASSERT_EQ(probes.size(), 1u);
  EXPECT_EQ(probes[0].title, "changes spec.containers[*].*Probe.httpGet.path again at every call");
  const auto images = problems_on("image-prefix-doubled");
  ASSERT_EQ(images.size(), 1u);
  EXPECT_EQ(images[0].title, "changes spec.containers[*].image again at every call");
  const auto fields = problems_on("typed-round-trip");
  EXPECT_LE(fields.size(), 2u);
  EXPECT_TRUE(fields[0].title.starts_with("drops fields that it does not know: ")) << fields[0].title;
}

/// At most three findings of a problem belong to another defect; `./fixpoint score problems` draws more.
TEST(Problems, DoNotMixDefects) {
  const auto scores = score::score_problems({.draws = 16});
  using score::ProblemDraw;
  ASSERT_EQ(scores.draws.size(), 16u);
  EXPECT_GT(scores.sum(&ProblemDraw::owned), 40u);
  EXPECT_LE(scores.worst(), 3u);
  EXPECT_GE(scores.purity(), 0.95);
  EXPECT_GE(scores.completeness(), 0.6);
  EXPECT_EQ(scores.sum(&ProblemDraw::named), scores.sum(&ProblemDraw::shown)) << "a defect without a problem";
}

}  // namespace
}  // namespace fixpoint::injectors
