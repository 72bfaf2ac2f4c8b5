#include <cstdio>
#include <filesystem>

#include "harness/campaign/merge_runs.h"
#include "harness/campaign/run_folder.h"
#include "harness/campaign/run_reader.h"
#include "harness/cases/replay_flags.h"
#include "harness/cli/command.h"
#include "harness/cli/corpus.h"
#include "harness/cli/options.h"
#include "reports/first_screen.h"
#include "reports/run_record.h"

namespace fixpoint::cli {

int corpus_merge(const Arguments& arguments) {
  std::vector<std::string> folders;
  std::string out;
  Options line(
      "corpus merge",
      "Joins the folders of runs, as of shards, into that of one run: of each finding the smallest "
      "Case, and what was counted together. The order of the arguments does not matter. Exits as the "
      "runs would have.",
      "  fixpoint corpus merge shard-0 shard-1 shard-2 shard-3 --out run");
  line.positionals("RUN", folders, "folders of runs that came to their end");
  line.value("--out DIR", out, "the folder to write; an earlier run there moves to FOLDER.1");
  if (const auto code = line.parse(arguments)) return *code;
  if (folders.empty()) return bad_input("corpus merge: expected folders of runs");
  if (out.empty()) return bad_input("corpus merge: expected --out FOLDER");
  std::vector<campaign::FinishedRun> runs;
  for (const std::string& folder : folders) {
    auto run = campaign::read_finished_run(folder);
    if (!run) return bad_input(run.error());
    std::error_code problem;
    if (std::filesystem::equivalent(folder, out, problem))
      return bad_input(out + ": is one of the runs to join");
    runs.push_back(*std::move(run));
  }
  const auto whole = campaign::merged(std::move(runs));
  if (!whole) return bad_input(whole.error());
  auto opened = campaign::RunFolder::open(out);
  if (const auto* unopened = std::get_if<campaign::Unopened>(&opened)) return unopened_folder(*unopened);
  if (const auto problem = campaign::write_merged(*whole, std::get<campaign::RunFolder>(opened)))
    return unfinished(*problem);
  const auto record = campaign::read_run(out, {.shows_values = true});
  if (!record) return unfinished(record.error());
  std::printf(
      "%zu runs joined in %s\n\n%s", folders.size(), out.c_str(),
      reports::first_screen(
          {.subjects = record->subjects,
           .seed = record->seed,
           .summary = whole->summary,
           .problems = reports::problems_of(*record),
           .known = record->known,
           .program = invoked_as(),
           .replay_flags = [](const cases::Finding& finding) { return cases::replay_flags(finding.value); },
           .folder = out})
          .c_str());
  return campaign::exit_code_of(*whole);
}

}  // namespace fixpoint::cli
