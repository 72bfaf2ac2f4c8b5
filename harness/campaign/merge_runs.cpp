#include "harness/campaign/merge_runs.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/properties/property.h"
#include "harness/runner/diagnosis/problems.h"
#include "harness/runner/loop/run.h"
#include "harness/runner/shrink_finding.h"
#include "reports/events.h"

namespace fixpoint::campaign {

namespace files = std::filesystem;
using cases::Finding;
using document::Error;
using document::Result;
using document::Value;

namespace {

std::optional<Error> read_event(FinishedRun& run, const Value& event) {
  const std::string_view what = event["event"].text();
  if (what == "start") {
    const auto& parts = event["merged"].elements();
    if (parts.empty())
      run.starts = {event};
    else
      run.starts.assign(parts.begin(), parts.end());
  } else if (what == "regression") {
    run.regressions[std::string(event["file"].text())] = event["answer"].text();
  } else if (what == "problem") {
    const Value& problem = event["problem"];
    for (const Value& fingerprint : problem["findings"].elements())
      if (!problem["knownAs"].text().empty())
        run.known.emplace(fingerprint.text(), problem["knownAs"].text());
  } else if (what == "finding" || what == "note") {
    auto finding = cases::read_finding(event["finding"]);
    if (!finding) return std::move(finding).error().within("/finding");
    (what == "finding" ? run.findings : run.notes).push_back(*std::move(finding));
  }
  return std::nullopt;
}

/// Sorts the runs, so that the result does not depend on the order of the arguments.
void sort_runs(std::vector<FinishedRun>& runs) {
  const auto first = [](const FinishedRun& run) { return document::write_json(run.starts.front()); };
  std::sort(runs.begin(), runs.end(),
            [&](const FinishedRun& a, const FinishedRun& b) { return first(a) < first(b); });
}

/// Returns the part of the start event that must be equal in merged runs: all but the seed and the shard.
Value common_part(Value start) {
  for (const char* own : {"seed", "shard"}) start.remove(own);
  return start;
}

/// Returns the reason why the runs cannot be merged, or nothing.
std::optional<Error> problem_of_runs(const std::vector<FinishedRun>& runs) {
  std::map<std::string, std::string> met;
  const FinishedRun& model = runs.front();
  for (const FinishedRun& run : runs) {
    for (const Value& start : run.starts) {
      const Value own = common_part(start), other = common_part(model.starts.front());
      if (auto changed = changed_sources(other, own)) return std::move(*changed).within(run.folder);
      if (own != other) {
        return Error{"another run than " + model.folder + ": it has " +
                         document::write_json(common_part(start)) + ", the other " +
                         document::write_json(common_part(model.starts.front())),
                     run.folder};
      }
      const auto [at, is_new] = met.emplace(start["seed"].text(), run.folder);
      if (!is_new) return Error{"the same seed as in " + at->second + ": it would count twice", run.folder};
    }
  }
  return std::nullopt;
}

std::size_t case_size(const Finding& finding) {
  return finding.sequence ? finding.sequence->steps.size()
                          : runner::scalar_count(finding.value.request.object);
}
std::string case_bytes(const Finding& finding) {
  return document::write_json(finding.sequence ? write_sequence(*finding.sequence)
                                               : write_case(finding.value));
}

/// Returns true if `a` is kept instead of `b`: it has the smaller Case, else the Case that is first in byte
/// order; for equal Cases, the finding decides in the same way.
bool is_smaller_than(const Finding& a, const Finding& b) {
  if (case_size(a) != case_size(b)) return case_size(a) < case_size(b);
  const std::string left = case_bytes(a), right = case_bytes(b);
  if (left != right) return left < right;
  const auto rest = [](const Finding& finding) {
    return document::write_json(cases::write_finding(finding));
  };
  return rest(a) < rest(b);
}

using FindingsByFingerprint = std::map<std::string, Finding>;
void keep_smallest(FindingsByFingerprint& all, const std::vector<Finding>& more) {
  for (const Finding& finding : more) {
    const auto [at, is_new] = all.emplace(finding.fingerprint, finding);
    if (!is_new && is_smaller_than(finding, at->second)) at->second = finding;
  }
}

bool draws_cases(const runner::RunSummary& summary) {
  const auto& all = properties::all();
  return std::any_of(all.begin(), all.end(), [&](const properties::Property& property) {
    return summary.properties.contains(std::string(property.name));
  });
}

}  // namespace

std::optional<Error> changed_sources(Value stored, Value now) {
  const Value before = stored["learned"], after = now["learned"];
  for (Value* start : {&stored, &now}) start->remove("learned");
  if (before == after || stored != now) return std::nullopt;
  const auto text = [](const Value& hashes) {
    return hashes.is_null() ? std::string("nothing") : document::write_json(hashes);
  };
  return Error{"the program or its sources are not those that the run began with: it learned from " +
               text(before) + ", these are " + text(after) + "; begin a new run"};
}

Result<FinishedRun> read_finished_run(const std::string& folder) {
  std::error_code problem;
  if (files::is_symlink(folder, problem)) return Error{"expected a folder, found a symbolic link", folder};
  if (auto missing = not_of_a_run(folder, "events.ndjson")) return *std::move(missing);
  const std::string path = folder + "/events.ndjson", summary_path = folder + "/run.json";
  if (!files::exists(summary_path, problem))
    return Error{"no run that came to its end: fuzz --resume goes on with one that was cut off", folder};
  const auto events = document::read_file(path, {}, document::Strictness::foreign);
  if (!events) return events.error();
  FinishedRun run{.folder = folder};
  for (std::size_t i = 0; i < events->size(); ++i) {
    if (auto bad = read_event(run, (*events)[i]))
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

Result<FinishedRun> merged(std::vector<FinishedRun> runs) {
  if (auto problem = problem_of_runs(runs)) return *std::move(problem);
  sort_runs(runs);
  FinishedRun whole;
  FindingsByFingerprint findings, notes;
  std::set<std::string> why;
  for (const FinishedRun& run : runs) {
    whole.starts.insert(whole.starts.end(), run.starts.begin(), run.starts.end());
    for (const auto& [file, answer] : run.regressions) {
      std::string& kept = whole.regressions[file];
      kept = std::max(kept, answer);  // "still failing" is the last answer in alphabetical order
    }
    for (const auto& [fingerprint, name] : run.known) {
      std::string& kept = whole.known[fingerprint];
      kept = kept.empty() ? name : std::min(kept, name);
    }
    keep_smallest(findings, run.findings);
    keep_smallest(notes, run.notes);
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
  whole.summary.vacuity_checks = runner::vacuity_checks_of(whole.summary, draws_cases(whole.summary),
                                                           runner::RunEffort().vacuity_cases_min);
  return whole;
}

std::optional<Error> write_merged(const FinishedRun& whole, RunFolder& folder) {
  Value start = common_part(whole.starts.front());
  start.set("merged", whole.starts);
  std::vector<Value> events{std::move(start)};
  for (const auto& [file, answer] : whole.regressions)
    events.push_back(reports::regression_event(file, answer));
  for (const Finding& finding : whole.summary.findings) {
    if (const auto saved = folder.save(finding); !saved) return saved.error();
    events.push_back(reports::finding_event(finding));
  }
  for (const cases::Problem& problem : runner::problems_of(whole.summary.findings))
    events.push_back(reports::problem_event(problem, cases::known_as(problem, whole.known)));
  for (const Finding& note : whole.summary.notes) events.push_back(reports::note_event(note));
  for (const runner::Observed& observed : whole.summary.observations)
    events.push_back(reports::observation_event(observed));
  for (const runner::VacuityCheck& check : whole.summary.vacuity_checks)
    events.push_back(reports::vacuity_check_event(check));
  const Value stop = reports::stop_event(whole.summary);
  events.push_back(stop);
  for (const Value& event : events) {
    if (auto problem = folder.append(event)) return problem;
  }
  return folder.finish(stop);
}

ExitCode exit_code_of(const FinishedRun& run) {
  const auto& summary = run.summary;
  const bool is_failed =
      std::any_of(
          summary.findings.begin(), summary.findings.end(),
          [&](const Finding& finding) { return summary.fails_on_warnings || finding.severity == "error"; }) ||
      std::any_of(run.regressions.begin(), run.regressions.end(),
                  [](const auto& regression) { return regression.second == "still failing"; });
  if (is_failed) return kFound;
  return runner::is_vacuous(summary) ? kUnfinished : kNothingFound;
}

}  // namespace fixpoint::campaign
