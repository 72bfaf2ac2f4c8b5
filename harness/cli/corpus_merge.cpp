#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>

#include "harness/campaign/checkpoint.h"
#include "harness/campaign/run_folder.h"
#include "harness/cli/command.h"
#include "harness/cli/corpus.h"
#include "harness/cli/options.h"
#include "harness/document/document_stream.h"
#include "harness/properties/property.h"
#include "harness/runner/shrink.h"
#include "reports/events.h"
#include "reports/text.h"

namespace fixpoint::cli {

namespace {

namespace files = std::filesystem;
using cases::Finding;
using document::Error;

/// A finished run as its folder has it.
struct Run {
  std::string folder;
  std::vector<Value> starts = {};  ///< one; of merged runs, those of all
  std::map<std::string, std::string> regressions = {};
  std::vector<Finding> findings = {}, notes = {};
  runner::RunSummary summary = {};
};

std::optional<Error> take_event(Run& run, const Value& event) {
  const std::string_view what = event["event"].text();
  if (what == "start") {
    const auto& merged = event["merged"].elements();
    if (merged.empty())
      run.starts = {event};
    else
      run.starts.assign(merged.begin(), merged.end());
  } else if (what == "regression") {
    run.regressions[std::string(event["file"].text())] = event["answer"].text();
  } else if (what == "finding" || what == "note") {
    auto finding = cases::read_finding(event["finding"]);
    if (!finding) return std::move(finding).error().within("/finding");
    (what == "finding" ? run.findings : run.notes).push_back(*std::move(finding));
  }
  return std::nullopt;
}

Result<Run> read_run_of(const std::string& folder) {
  std::error_code problem;
  if (files::is_symlink(folder, problem)) return Error{"expected a folder, found a symbolic link", folder};
  const std::string path = folder + "/events.ndjson", summary_path = folder + "/run.json";
  if (!files::exists(summary_path, problem))
    return Error{"no run that came to its end: fuzz --resume goes on with one that was cut off", folder};
  const auto events = document::read_file(path, {}, document::Strictness::foreign);
  if (!events) return events.error();
  Run run{.folder = folder};
  for (std::size_t i = 0; i < events->size(); ++i) {
    if (auto bad = take_event(run, (*events)[i]))
      return std::move(*bad).within(path + ": document " + std::to_string(i + 1));
  }
  if (run.starts.empty()) return Error{"expected an event \"start\"", path};
  const auto stop = document::read_file(summary_path, {}, document::Strictness::foreign);
  if (!stop) return stop.error();
  auto summary = stop->empty() ? Result<runner::RunSummary>(Error{"expected a run's summary, found nothing"})
                               : reports::read_stop_event(stop->front());
  if (!summary) return std::move(summary).error().within(summary_path);
  run.summary = *std::move(summary);
  return run;
}

/// What order the arguments came in leaves no trace behind this.
void sort(std::vector<Run>& runs) {
  const auto first = [](const Run& run) { return document::write_json(run.starts.front()); };
  std::sort(runs.begin(), runs.end(), [&](const Run& a, const Run& b) { return first(a) < first(b); });
}

/// What runs that are joined must have in common: all but the seed and the shard.
Value common(Value start) {
  for (const char* own : {"seed", "shard"}) start.remove(own);
  return start;
}

std::optional<Error> compare(const std::vector<Run>& runs) {
  std::map<std::string, std::string> met;
  const Run& model = runs.front();
  for (const Run& run : runs) {
    for (const Value& start : run.starts) {
      if (common(start) != common(model.starts.front())) {
        return Error{"another run than " + model.folder + ": it has " + document::write_json(common(start)) +
                         ", the other " + document::write_json(common(model.starts.front())),
                     run.folder};
      }
      const auto [at, is_new] = met.emplace(start["seed"].text(), run.folder);
      if (!is_new) return Error{"the same seed as in " + at->second + ": it would count twice", run.folder};
    }
  }
  return std::nullopt;
}

std::size_t size_of(const Finding& finding) {
  return finding.sequence ? finding.sequence->steps.size() : runner::leaves(finding.value.request.object);
}
std::string bytes_of(const Finding& finding) {
  return document::write_json(finding.sequence ? write_sequence(*finding.sequence)
                                               : write_case(finding.value));
}

/// Whether `a` is kept: the smaller Case, then the first in byte order; of equal Cases the one whose finding
/// is the first in byte order.
bool is_before(const Finding& a, const Finding& b) {
  if (size_of(a) != size_of(b)) return size_of(a) < size_of(b);
  const std::string left = bytes_of(a), right = bytes_of(b);
  if (left != right) return left < right;
  const auto rest = [](const Finding& finding) {
    return document::write_json(cases::write_finding(finding));
  };
  return rest(a) < rest(b);
}

using ByFingerprint = std::map<std::string, Finding>;
void keep(ByFingerprint& all, const std::vector<Finding>& more) {
  for (const Finding& finding : more) {
    const auto [at, is_new] = all.emplace(finding.fingerprint, finding);
    if (!is_new && is_before(finding, at->second)) at->second = finding;
  }
}

bool draws_cases(const runner::RunSummary& summary) {
  const auto& all = properties::all();
  return std::any_of(all.begin(), all.end(), [&](const properties::Property& property) {
    return summary.properties.contains(std::string(property.name));
  });
}

/// All of them as one run.
Run join(std::vector<Run> runs) {
  sort(runs);
  Run whole{.folder = {}};
  ByFingerprint findings, notes;
  std::set<std::string> why;
  for (const Run& run : runs) {
    whole.starts.insert(whole.starts.end(), run.starts.begin(), run.starts.end());
    for (const auto& [file, answer] : run.regressions) {
      std::string& kept = whole.regressions[file];
      kept = std::max(kept, answer);  // "still failing" comes last in the alphabet
    }
    keep(findings, run.findings);
    keep(notes, run.notes);
    whole.summary.add(run.summary);
    why.insert(run.summary.why);
  }
  std::sort(whole.starts.begin(), whole.starts.end(),
            [](const Value& a, const Value& b) { return document::write_json(a) < document::write_json(b); });
  for (const auto& [print, finding] : findings) {
    notes.erase(print);
    whole.summary.findings.push_back(finding);
  }
  for (const auto& [print, note] : notes) whole.summary.notes.push_back(note);
  for (const std::string& one : why) whole.summary.why += (whole.summary.why.empty() ? "" : ", ") + one;
  whole.summary.gates =
      runner::gates_of(whole.summary, draws_cases(whole.summary), runner::RunOptions().gate_cases_min);
  return whole;
}

std::optional<Error> write_run(const Run& whole, campaign::RunFolder& folder) {
  Value start = common(whole.starts.front());
  start.set("merged", whole.starts);
  std::vector<Value> events{std::move(start)};
  for (const auto& [file, answer] : whole.regressions)
    events.push_back(reports::regression_event(file, answer));
  for (const Finding& finding : whole.summary.findings) {
    if (const auto saved = folder.save(finding); !saved) return saved.error();
    events.push_back(reports::finding_event(finding));
  }
  for (const Finding& note : whole.summary.notes) events.push_back(reports::note_event(note));
  for (const runner::Gate& gate : whole.summary.gates) events.push_back(reports::gate_event(gate));
  const Value stop = reports::stop_event(whole.summary);
  events.push_back(stop);
  for (const Value& event : events) {
    if (auto problem = folder.append(event)) return problem;
  }
  return folder.finish(stop);
}

int code_of(const Run& whole) {
  const auto& summary = whole.summary;
  const bool is_failed =
      !summary.findings.empty() ||
      std::any_of(whole.regressions.begin(), whole.regressions.end(),
                  [](const auto& regression) { return regression.second == "still failing"; });
  if (is_failed) return kFound;
  return runner::is_vacuous(summary) ? kUnfinished : kNothingFound;
}

}  // namespace

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
  line.value("--out", out, "the folder to write; an earlier run there moves to FOLDER.1");
  if (const auto code = line.parse(arguments)) return *code;
  if (folders.empty()) return bad_input("corpus merge: expected folders of runs");
  if (out.empty()) return bad_input("corpus merge: expected --out FOLDER");
  std::vector<Run> runs;
  for (const std::string& folder : folders) {
    auto run = read_run_of(folder);
    if (!run) return bad_input(run.error());
    std::error_code problem;
    if (files::equivalent(folder, out, problem)) return bad_input(out + ": is one of the runs to join");
    runs.push_back(*std::move(run));
  }
  if (const auto problem = compare(runs)) return bad_input(*problem);
  const Run whole = join(std::move(runs));
  auto opened = campaign::RunFolder::open(out);
  if (const auto* unopened = std::get_if<campaign::Unopened>(&opened)) return unopened_folder(*unopened);
  if (const auto problem = write_run(whole, std::get<campaign::RunFolder>(opened)))
    return unfinished(*problem);
  std::printf("%zu runs joined in %s\n%s", folders.size(), out.c_str(),
              reports::summary_text(whole.summary).c_str());
  return code_of(whole);
}

}  // namespace fixpoint::cli
