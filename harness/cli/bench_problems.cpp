#include <algorithm>
#include <cstdio>

#include "harness/cli/command.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/options.h"
#include "harness/document/json.h"
#include "harness/document/printable.h"
#include "harness/measure/problem_draws.h"

namespace fixpoint::cli {

namespace {

constexpr std::size_t kMixedMax = 3;  ///< bound on the findings of other defects in one problem

Value number(std::size_t count) { return static_cast<std::int64_t>(count); }

void print_json(const measure::ProblemScores& scores) {
  using measure::ProblemDraw;
  const Value line{{"draws", number(scores.draws.size())},
                   {"problems", number(scores.sum(&ProblemDraw::problems))},
                   {"defectsShown", number(scores.sum(&ProblemDraw::shown))},
                   {"defectsNamed", number(scores.sum(&ProblemDraw::named))},
                   {"findings", number(scores.sum(&ProblemDraw::owned))},
                   {"mixed", number(scores.sum(&ProblemDraw::mixed))},
                   {"apart", number(scores.sum(&ProblemDraw::apart))},
                   {"worst", number(scores.worst())}};
  std::printf("%s\n", document::write_json(line).c_str());
}

void print_text(const measure::ProblemScores& scores) {
  using measure::ProblemDraw;
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
  for (const measure::ProblemDraw& draw : scores.draws) {
    if (draw.worst <= kMixedMax) continue;
    std::printf("MIXED  %s\n", document::printable(draw.worst_title).c_str());
  }
}

}  // namespace

int bench_problems(const Arguments& arguments) {
  measure::ProblemDrawOptions options{.jobs = 0, .is_over = is_interrupted};
  bool json = false;
  Options line("bench problems",
               "How well findings are grouped into problems: webhooks are composed of two to six planted "
               "defects, and each finding should stand with those of its own defect.",
               "  fixpoint bench problems\n  fixpoint bench problems --draws 20 --json");
  line.value("--draws", options.draws, "webhooks to compose (default 200)");
  line.value("--cases", options.cases, "Cases of the run over each (default 300)");
  line.value("--jobs", options.jobs, "threads (default: all cores); the scores do not depend on it");
  line.flag("--json", json, "one line of JSON");
  if (const auto code = line.parse(arguments)) return *code;
  if (options.draws < 1 || options.cases < 1) return bad_input("--draws and --cases: expected at least 1");
  if (options.jobs == 0) options.jobs = processors();
  heed_interrupts();
  const measure::ProblemScores scores = measure::score_problems(options);
  if (json)
    print_json(scores);
  else
    print_text(scores);
  if (is_interrupted()) return kInterrupted;
  return scores.worst() > kMixedMax ? kFound : kNothingFound;
}

}  // namespace fixpoint::cli
