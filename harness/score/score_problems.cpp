#include <algorithm>
#include <cstdio>

#include "harness/cli/interrupt.h"
#include "harness/document/printable.h"
#include "harness/score/problem_draws.h"
#include "harness/score/score_command.h"

namespace fixpoint::score {

namespace {

constexpr std::size_t kMixedMax = 3;  ///< bound on the findings of other defects in one problem

void print_text(const ProblemScores& scores) {
  std::printf("%zu webhooks of two to six planted defects\n", scores.draws.size());
  std::printf("purity        %5.1f%%  %zu of %zu findings stand in a problem of another defect\n",
              100 * scores.purity(), scores.sum(&ProblemDraw::mixed), scores.sum(&ProblemDraw::owned));
  std::printf("completeness  %5.1f%%  %zu findings stand apart from most of their defect's\n",
              100 * scores.completeness(), scores.sum(&ProblemDraw::apart));
  std::printf("named         %zu of %zu defects that were shown, in %zu problems\n",
              scores.sum(&ProblemDraw::named), scores.sum(&ProblemDraw::shown),
              scores.sum(&ProblemDraw::problems));
  std::printf("worst         %zu findings of another defect in one problem (at most %zu)\n", scores.worst(),
              kMixedMax);
  for (const ProblemDraw& draw : scores.draws) {
    if (draw.worst <= kMixedMax) continue;
    std::printf("MIXED  %s\n", document::printable(draw.worst_title).c_str());
  }
}

}  // namespace

int score_problems(const Arguments& arguments) {
  ProblemDrawOptions options{.jobs = 0, .is_over = cli::is_interrupted};
  cli::Options line(
      "score problems",
      "How well findings are grouped into problems: webhooks are composed of two to six planted "
      "defects, and each finding should stand with those of its own defect.",
      "  fixpoint score problems\n  fixpoint score problems --draws 20");
  line.value("--draws", options.draws, "webhooks to compose (default 200)");
  line.value("--cases", options.cases, "Cases of the run over each (default 300)");
  line.value("--jobs", options.jobs, "threads (default: all cores); the scores do not depend on it");
  if (const auto code = line.parse(arguments)) return *code;
  if (options.draws < 1 || options.cases < 1)
    return cli::bad_input("--draws and --cases: expected at least 1");
  if (options.jobs == 0) options.jobs = cli::processors();
  cli::heed_interrupts();
  const ProblemScores scores = score_problems(options);
  print_text(scores);
  if (cli::is_interrupted()) return campaign::kInterrupted;
  return scores.worst() > kMixedMax ? campaign::kFound : campaign::kNothingFound;
}

}  // namespace fixpoint::score
