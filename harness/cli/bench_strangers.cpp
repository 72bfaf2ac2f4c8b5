#include <algorithm>
#include <cstdio>

#include "corpus/corpus_files.h"
#include "harness/campaign/stranger_trials.h"
#include "harness/cli/command.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/options.h"
#include "harness/cli/subject_names.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/document/output_file.h"
#include "harness/document/printable.h"
#include "harness/runner/clock.h"
#include "injectors/bundled.h"
#include "reports/stranger_scores.h"

namespace fixpoint::cli {

namespace {

using document::Error;
using reports::StrangerBoard;
using reports::StrangerScore;

constexpr const char* kDefaultTime = "8s";
constexpr std::uint64_t kSeedsMax = 999;

struct StrangerFlags {
  std::vector<std::string> names = {};
  campaign::StrangerTrials trials = {.jobs = 0, .is_over = is_interrupted};
  std::string time = kDefaultTime, format = "text", check = {};
  bool saves = false;
};

std::string folder() { return corpus::corpus_folder() + "/strangers"; }

Result<StrangerBoard> read_board(const std::string& path) {
  const auto documents = document::read_documents(path);
  if (!documents) return documents.error();
  if (documents->size() != 1) return Error{"expected one StrangerScoreboard", path};
  auto board = reports::read_stranger_board(documents->front());
  if (!board) return std::move(board).error().within(path);
  return board;
}

/// Writes the scores as JSON and as Markdown; an error if a stranger was not run.
std::optional<Error> save(const StrangerBoard& board) {
  for (const StrangerScore& score : board.strangers)
    if (!score.not_run.empty()) return Error{score.name + " " + score.not_run + "; nothing is written"};
  const std::string json = document::write_json_pretty(reports::write_stranger_board(board));
  if (auto problem = document::write_file(folder() + "/scoreboard.json", json)) return problem;
  return document::write_file(folder() + "/scoreboard.md", reports::stranger_board_text(board));
}

/// Prints what is lost and what correct strangers were blamed for, and counts the strangers that were not
/// run.
int check(const StrangerBoard& committed, const StrangerBoard& fresh, const StrangerFlags& flags) {
  const auto lost = reports::losses(committed, fresh, !flags.names.empty() || is_interrupted());
  for (const std::string& line : lost) std::printf("LOST   %s\n", document::printable(line).c_str());
  std::size_t not_run = 0;
  for (const StrangerScore& score : fresh.strangers) {
    not_run += score.not_run.empty() ? 0 : 1;
    if (!score.is_right) continue;
    for (const reports::ReportedItem& alarm : score.unexpected) {
      const std::string line = score.name + ": " + alarm.severity + " " + alarm.property + " in " +
                               alarm.webhook + ": " + alarm.because;
      std::printf("ALARM  %s\n", document::printable(line).c_str());
    }
  }
  if (lost.empty() && !is_interrupted()) {
    std::printf("%zu strangers over %llu seeds, %zu of them not run: nothing lost against %s\n",
                fresh.strangers.size(), static_cast<unsigned long long>(flags.trials.seeds), not_run,
                flags.check.c_str());
  }
  return lost.empty() ? kNothingFound : kFound;
}

/// Returns true if every wrong stranger was found in all of its runs and every right one was left alone.
bool is_perfect(const StrangerBoard& board) {
  return std::all_of(board.strangers.begin(), board.strangers.end(), [](const StrangerScore& score) {
    return score.no_verdict == 0 && (score.is_right ? score.unexpected.empty() : score.found == score.runs);
  });
}

/// Reports an interruption; the scores of the strangers tried so far have been printed.
int cut_short(std::size_t tried, std::size_t strangers, const StrangerFlags& flags) {
  std::fflush(stdout);
  std::fprintf(stderr, "fixpoint: interrupted: %zu of %zu strangers were tried%s\n", tried, strangers,
               flags.saves ? "; nothing is written" : "");
  return kInterrupted;
}

std::optional<int> parse(const Arguments& arguments, StrangerFlags& flags) {
  Options line("bench strangers",
               "The harness's own score on small webhooks that run as processes, of which it knows the "
               "configuration and the program alone: each is put to the test as `fuzz` does it. A wrong one "
               "is to be found, a right one to be left alone; corpus/strangers/catalog.yaml says which is "
               "which, and why.",
               "  fixpoint bench strangers\n  fixpoint bench strangers --save\n"
               "  fixpoint bench strangers image-mirror --time 3s --seeds 1\n"
               "  fixpoint bench strangers --check corpus/strangers/scoreboard.json --seeds 1");
  line.positionals("STRANGER", flags.names, "names from the catalog; default: all");
  line.value("--time DURATION", flags.time, "of one run, 0 for no bound (default 8s)");
  line.value("--cases", flags.trials.cases, "Cases of one run; without --time there is no other bound");
  line.value("--seeds", flags.trials.seeds, "runs of each stranger (default 2), with the seeds 1, 2, 3, …");
  line.value("--jobs", flags.trials.jobs,
             "runs at a time (default: half of the cores, since a run keeps its webhook busy, too)");
  line.value("--format FORMAT", flags.format, "text (default) or json");
  line.value("--check FILE", flags.check, "compare with this scoreboard: exit code 1 for anything lost");
  line.flag("--save", flags.saves,
            "write corpus/strangers/scoreboard.json and corpus/strangers/scoreboard.md");
  if (const auto code = line.parse(arguments)) return *code;
  if (flags.trials.seeds < 1 || flags.trials.seeds > kSeedsMax)
    return bad_input("--seeds: expected 1 to " + std::to_string(kSeedsMax));
  if (flags.trials.cases && *flags.trials.cases < 1) return bad_input("--cases: expected at least 1");
  if (flags.format != "text" && flags.format != "json") return bad_input("--format is text or json");
  if (flags.saves && !flags.names.empty()) return bad_input("--save writes the scores of all strangers");
  const auto seconds = runner::parse_duration(flags.time);
  if (!seconds) return bad_input("--time " + flags.time + ": expected a duration such as 8s or 5m");
  flags.trials.seconds_max = flags.trials.cases && flags.time == kDefaultTime ? 0 : *seconds;
  if (flags.trials.seconds_max == 0 && !flags.trials.cases)
    return bad_input("--time 0: expected --cases with it, or a run would never end");
  if (flags.trials.jobs <= 0) flags.trials.jobs = std::max(1, processors() / 2);
  return std::nullopt;
}

/// Returns the bound of one run: "8s", "300 Cases", "300 Cases or 8s".
std::string bound_of(const StrangerFlags& flags) {
  const std::string cases = flags.trials.cases ? std::to_string(*flags.trials.cases) + " Cases" : "";
  if (flags.trials.seconds_max == 0) return cases;
  return cases.empty() ? flags.time : cases + " or " + flags.time;
}

}  // namespace

int bench_strangers(const Arguments& arguments) {
  StrangerFlags flags;
  if (const auto code = parse(arguments, flags)) return *code;
  const auto strangers = campaign::strangers_named(folder(), flags.names);
  if (!strangers) return bad_input(strangers.error());
  std::optional<StrangerBoard> committed;
  if (!flags.check.empty()) {
    auto read = read_board(flags.check);
    if (!read) return bad_input(read.error());
    committed = *std::move(read);
  }
  if (flags.saves) {
    if (const auto problem = document::cannot_write(folder() + "/scoreboard.json"))
      return unfinished(*problem);
  }
  heed_interrupts();
  flags.trials.bundled = injectors::bundled();
  flags.trials.find = [](const std::vector<std::string>& examples, const Limits& limits) {
    return find_with_examples(examples, true, limits);
  };
  auto scores = campaign::try_strangers(*strangers, flags.trials);
  if (!scores) return bad_input(scores.error());
  const StrangerBoard board{.bound = bound_of(flags),
                            .seeds = static_cast<std::int64_t>(flags.trials.seeds),
                            .strangers = *std::move(scores)};
  if (committed) {
    const int code = check(*committed, board, flags);
    return is_interrupted() ? cut_short(board.strangers.size(), strangers->size(), flags) : code;
  }
  if (!is_interrupted() || !board.strangers.empty()) {
    const std::string text = flags.format == "json"
                                 ? document::write_json_pretty(reports::write_stranger_board(board))
                                 : reports::stranger_board_text(board);
    std::fputs(text.c_str(), stdout);
  }
  if (is_interrupted()) return cut_short(board.strangers.size(), strangers->size(), flags);
  if (flags.saves) {
    if (const auto problem = save(board)) return unfinished(*problem);
  }
  return is_perfect(board) ? kNothingFound : kFound;
}

}  // namespace fixpoint::cli
