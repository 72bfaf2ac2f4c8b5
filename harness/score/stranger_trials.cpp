#include "harness/score/stranger_trials.h"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>

#include "harness/campaign/exit_code.h"
#include "harness/campaign/fuzz_run.h"
#include "harness/document/fields.h"
#include "harness/external/manifests/program_strings.h"
#include "harness/runner/clock.h"
#include "harness/score/tasks.h"
#include "harness/webhooks/child.h"

namespace fixpoint::score {

namespace {

namespace files = std::filesystem;
using campaign::ExitCode;
using campaign::FuzzObserver;
using enum campaign::ExitCode;
using corpus::Stranger;
using document::Error;
using document::Result;
using document::Value;

/// A temporary folder for programs and runs, which the destructor removes.
class WorkPlace {
 public:
  static Result<std::unique_ptr<WorkPlace>> make() {
    std::string path = (files::temp_directory_path() / "fixpoint-strangers-XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr) return Error{"cannot make a folder for the runs", path};
    return std::unique_ptr<WorkPlace>(new WorkPlace(std::move(path)));
  }
  ~WorkPlace() {
    std::error_code ignored;
    files::remove_all(path_, ignored);
  }
  WorkPlace(const WorkPlace&) = delete;
  WorkPlace& operator=(const WorkPlace&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  explicit WorkPlace(std::string path) : path_(std::move(path)) {}
  const std::string path_;
};

/// Builds the program with the standard library alone; nothing is downloaded.
std::optional<Error> build_with_go(const Stranger& stranger, const std::string& executable) {
  constexpr int kMilliseconds = 300'000;
  const files::path folder = files::path(stranger.program).parent_path();
  Limits limits;
  limits.process_memory_bytes_max = 0;
  auto go = webhooks::Child::start({"env", "GOPROXY=off", "GOTOOLCHAIN=local", "GOFLAGS=-buildvcs=false",
                                    "go", "build", "-C", folder.string(), "-o", executable, "."},
                                   limits);
  if (!go) return std::move(go).error().within(stranger.program);
  (*go)->exchange("", webhooks::Deadline::in(kMilliseconds));
  (*go)->leave();
  (*go)->kill();
  if ((*go)->ending() == "exit 0") return std::nullopt;
  return Error{"go build: " + (*go)->ending() + ": " + (*go)->words(), stranger.program};
}

/// Returns the command for `exec:`; an empty text if the stranger's tool is not installed.
Result<std::string> command_of(const Stranger& stranger, const WorkPlace& place) {
  if (!external::file_of_command(stranger.tool)) return std::string();
  const std::string argument = stranger.argument.empty() ? "" : " " + stranger.argument;
  if (stranger.tool != "go") {
    // `exec:` splits its command at blanks.
    if (stranger.program.find(' ') != std::string::npos)
      return Error{"expected a path without blanks", stranger.program};
    return stranger.tool + " " + stranger.program + argument;
  }
  std::string executable = place.file(stranger.name);
  if (auto problem = build_with_go(stranger, executable)) return *std::move(problem);
  return executable + argument;
}

/// The results of one run.
struct StrangerRun {
  ExitCode code = kInterrupted;
  std::map<std::string, ReportedItem> findings = {};      ///< by fingerprint
  std::map<std::string, ReportedItem> observations = {};  ///< by webhook, kind and path
  std::int64_t cases = 0, acted = 0, problems = 0;
  std::optional<std::int64_t> found = {};  ///< milliseconds until the first finding of the defect
  std::string complaint = {};              ///< the last complaint
};

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
bool tells(const Stranger& stranger, const std::string& property) { return has(stranger.finds, property); }

/// Records the events of one run.
class Hearer : public FuzzObserver {
 public:
  Hearer(const Stranger& stranger, const StrangerTrials& trials, StrangerRun& run)
      : stranger_(stranger), trials_(trials), run_(run) {}

  void event(const Value& event) override {
    const std::string_view kind = event["event"].text();
    if (kind == "finding") {
      const Value& finding = event["finding"];
      count(run_.findings[std::string(finding["fingerprint"].text())],
            {.severity = std::string(finding["severity"].text()),
             .property = std::string(finding["property"].text()),
             .webhook = std::string(finding["webhook"].text()),
             .reason = std::string(finding["evidence"]["message"].text())});
    } else if (kind == "observation") {
      const std::string property(event["kind"].text()), webhook(event["webhook"].text());
      count(run_.observations[webhook + " " + property + " " + std::string(event["path"].text())],
            {.severity = "observation",
             .property = property,
             .webhook = webhook,
             .reason = std::string(event["message"].text())});
    } else if (kind == "problem") {
      ++run_.problems;
    } else if (kind == "stop") {
      run_.acted = sum_of(event["acted"]);
      run_.cases = run_.acted + sum_of(event["noEffect"]);
    }
  }
  void complain(const std::string& line) override { run_.complaint = line; }
  bool is_interrupted() override { return trials_.is_over(); }

 private:
  void count(ReportedItem& into, ReportedItem reported) {
    if (!run_.found && tells(stranger_, reported.property))
      run_.found = static_cast<std::int64_t>((runner::now() - begin_) * 1000);
    into = std::move(reported);
  }
  static std::int64_t sum_of(const Value& counts) {
    std::int64_t sum = 0;
    for (const document::Member& one : counts.members()) sum += one.value.integer().value_or(0);
    return sum;
  }

  const Stranger& stranger_;
  const StrangerTrials& trials_;
  StrangerRun& run_;
  const double begin_ = runner::now();
};

std::optional<Error> fuzz(const Stranger& stranger, const std::string& command, std::uint64_t seed,
                          const WorkPlace& place, const StrangerTrials& trials, StrangerRun& run) {
  external::ExternalOptions outside;
  for (const std::string& webhook : stranger.webhooks)
    outside.webhooks.push_back(webhook + "=exec:" + command);
  const auto webhooks = external::ExternalWebhooks::of(outside, trials.bundled);
  if (!webhooks) return webhooks.error();
  std::vector<std::string> examples;
  if (trials.has_examples && !stranger.example.empty()) examples.push_back(stranger.example);
  const auto find = trials.find(examples, webhooks->limits());
  if (!find) return find.error();
  const std::string out = place.file(stranger.name + "-" + std::to_string(seed));
  Hearer hearer(stranger, trials, run);
  run.code = campaign::run_fuzz({.subjects = {stranger.configuration},
                                 .seed = seed,
                                 .cases = trials.cases,
                                 .seconds_max = trials.seconds_max,
                                 .out = out},
                                *webhooks, *find, hearer);
  std::error_code ignored;
  files::remove_all(out, ignored);
  if (run.code == kBadInput) return Error{run.complaint};
  return std::nullopt;
}

/// Adds the findings or observations of one run to those of the runs before.
void add(std::map<std::string, ReportedItem>& all, const std::map<std::string, ReportedItem>& reported) {
  for (const auto& [key, one] : reported) ++all.emplace(key, one).first->second.runs;
}

std::vector<ReportedItem> sorted(const std::map<std::string, ReportedItem>& all) {
  std::vector<ReportedItem> list;
  for (const auto& [key, one] : all) list.push_back(one);
  std::sort(list.begin(), list.end(), [](const ReportedItem& a, const ReportedItem& b) {
    return std::tie(a.severity, a.property, a.webhook, a.reason) <
           std::tie(b.severity, b.property, b.webhook, b.reason);
  });
  return list;
}

Score score_of(const Stranger& stranger, const std::vector<StrangerRun>& runs) {
  Score score{
      .name = stranger.name, .is_right = stranger.is_right, .runs = static_cast<std::int64_t>(runs.size())};
  std::map<std::string, ReportedItem> unexpected, observations;
  std::vector<std::int64_t> milliseconds, findings, problems;
  for (const StrangerRun& run : runs) {
    score.cases += run.cases;
    score.acted += run.acted;
    if (run.code == kUnfinished) {
      ++score.no_verdict;
      if (std::find(score.complaints.begin(), score.complaints.end(), run.complaint) ==
          score.complaints.end())
        score.complaints.push_back(run.complaint);
    }
    if (run.found) milliseconds.push_back(*run.found);
    findings.push_back(static_cast<std::int64_t>(run.findings.size()));
    problems.push_back(run.problems);
    add(unexpected, run.findings);
    add(observations, run.observations);
  }
  std::erase_if(unexpected, [&](const auto& one) {
    const ReportedItem& item = one.second;
    const bool is_warned = item.severity == "warning" && has(stranger.warned, item.property);
    return is_warned || tells(stranger, item.property);
  });
  (stranger.is_right ? score.alarms : score.others) = sorted(unexpected);
  score.observations = sorted(observations);
  if (stranger.is_right) return score;
  score.found = static_cast<std::int64_t>(milliseconds.size());
  score.milliseconds = spread_of(std::move(milliseconds));
  score.findings = spread_of(std::move(findings));
  score.problems = spread_of(std::move(problems));
  return score;
}

/// All runs of one stranger.
struct StrangerTrial {
  const Stranger* stranger;
  std::string command;  ///< empty: the stranger is not run
  std::vector<StrangerRun> runs = {};
  std::vector<std::optional<Error>> problems = {};
};

bool is_done(const StrangerTrial& trial) {
  return std::none_of(trial.runs.begin(), trial.runs.end(),
                      [](const StrangerRun& run) { return run.code == kInterrupted; });
}

}  // namespace

Result<std::vector<Stranger>> strangers_named(const std::string& folder,
                                              const std::vector<std::string>& names) {
  auto strangers = corpus::read_strangers(folder);
  if (!strangers || names.empty()) return strangers;
  std::vector<std::string_view> known;
  for (const Stranger& stranger : *strangers) known.push_back(stranger.name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      return Error{"there is no stranger \"" + name + "\"" + document::did_you_mean_suffix(name, known)};
  }
  std::erase_if(*strangers, [&](const Stranger& stranger) {
    return std::find(names.begin(), names.end(), stranger.name) == names.end();
  });
  return strangers;
}

Result<std::vector<Score>> try_strangers(const std::vector<Stranger>& strangers,
                                         const StrangerTrials& trials) {
  const auto place = WorkPlace::make();
  if (!place) return place.error();
  std::vector<StrangerTrial> all;
  for (const Stranger& stranger : strangers) {
    if (trials.is_over()) break;
    auto command = command_of(stranger, **place);
    if (!command) return std::move(command).error();
    const std::size_t runs = command->empty() ? 0 : trials.seeds;
    all.push_back({.stranger = &stranger,
                   .command = *std::move(command),
                   .runs = std::vector<StrangerRun>(runs),
                   .problems = std::vector<std::optional<Error>>(runs)});
  }
  std::vector<Task> tasks;
  for (StrangerTrial& trial : all) {
    for (std::size_t i = 0; i < trial.runs.size(); ++i) {
      tasks.emplace_back([&trial, &place, &trials, i] {
        trial.problems[i] = fuzz(*trial.stranger, trial.command, i + 1, **place, trials, trial.runs[i]);
      });
    }
  }
  share_out(trials.jobs, tasks, trials.is_over);
  std::vector<Score> scores;
  for (const StrangerTrial& trial : all) {
    for (const auto& problem : trial.problems)
      if (problem) return Error(*problem).within(trial.stranger->name);
    if (trial.command.empty()) {
      scores.push_back({.name = trial.stranger->name,
                        .is_right = trial.stranger->is_right,
                        .not_run = "needs " + trial.stranger->tool});
    } else if (is_done(trial)) {
      scores.push_back(score_of(*trial.stranger, trial.runs));
    }
  }
  return scores;
}

}  // namespace fixpoint::score
