#include <cstdio>
#include <filesystem>
#include <random>
#include <utility>

#include "harness/campaign/fuzz_run.h"
#include "harness/cli/command.h"
#include "harness/cli/external_options.h"
#include "harness/cli/fuzz_configuration.h"
#include "harness/cli/subject_names.h"
#include "harness/cli/terminal_observer.h"
#include "harness/document/printable.h"
#include "harness/properties/contract.h"
#include "harness/runner/clock.h"

namespace fixpoint::cli {

namespace {

constexpr const char* kDefaultTime = "60s";

struct FuzzFlags {
  campaign::FuzzOptions fuzz = {.jobs = 0};
  std::optional<std::uint64_t> seed = {};
  std::string time = kDefaultTime, fail_on = "error", shard = {}, resume = {};
  std::string config = {}, profile = {};
  std::vector<std::string> reports = {}, examples = {};
  bool json = false, quiet = false, stops_at_first = false, no_retry = false;
  external::ExternalOptions outside = {};
  std::vector<std::string> notes = {};  ///< of what a resumed run does otherwise than before
};

void add_output_options(Options& line, FuzzFlags& flags) {
  line.group("The run's folder, and output");
  line.value("--out DIR", flags.fuzz.out, "the run's folder (default run/); an earlier run moves to run.1/");
  line.flag(
      "--no-retry", flags.no_retry,
      "do not retry what the last run in this folder found; without --seed and --history it is retried");
  line.flag("--json", flags.json, "NDJSON events on standard output");
  line.flag("-v,--all", flags.fuzz.prints_all,
            "print every finding with its calls when it is found, and the counts of every property");
  line.flag("-q,--quiet", flags.quiet, "no text, no progress");
  line.value("--history FILE", flags.fuzz.history,
             "a history file: its known failures are replayed first, and this run is appended");
  line.value("--report FORMAT=FILE", flags.reports, "writes the run as `fixpoint report` does");
}

/// Parses a command line into the flags; a flag that is not given keeps its value.
std::optional<int> parse(FuzzFlags& flags, const Arguments& arguments) {
  Options line(
      "fuzz",
      "Draws Cases, runs them through the API server's mutating admission, checks all properties and "
      "shrinks what fails. For a reconciler it draws Sequences of commands.",
      "  fixpoint fuzz\n  fixpoint fuzz kserve/modelcar@0.12.0 --time 30s\n"
      "  fixpoint fuzz kserve/metrics-aggregator --seed 77 --cases 3000 --json\n"
      "  fixpoint fuzz kserve/hpa@0.15.0 --time 10s\n  fixpoint fuzz policy.yaml\n"
      "  fixpoint fuzz manifest.yaml --webhook inject.example.io=https://127.0.0.1:9443/mutate --ca ca.pem\n"
      "  fixpoint fuzz manifest.yaml --webhook 'inject.example.io=exec:./my-webhook --stdio'");
  line.positionals(
      "SUBJECT", flags.fuzz.subjects,
      "names from `fixpoint list`, files of webhook configurations, policies or Subjects, folders of "
      "policies with tests; default: the newest of every injector");
  line.value("--config FILE", flags.config,
             "a policy file that says subjects, webhooks, examples, code, owns, budget and failOn; without a "
             "SUBJECT, fixpoint.yaml if it is there. The command line comes before it");
  line.value("--profile NAME", flags.profile, "a profile of that file, such as night, which comes before it");
  line.value("--seed", flags.seed, "seed of all random decisions; by default a random one, which is printed");
  line.value("--cases", flags.fuzz.cases,
             "stop after this many Cases; equal seeds then give equal output, byte for byte");
  line.value("--time DURATION", flags.time, "stop after this time; 0 for no limit (default 60s)");
  line.value("--max-problems N", flags.fuzz.problems_max,
             "stop when N problems were found, shrunk and explained; -x means the first");
  line.flag("-x", flags.stops_at_first, "--max-problems 1");
  line.value("--jobs", flags.fuzz.jobs, "threads (default: all cores); the events do not depend on it");
  line.value("--sample-every", flags.fuzz.sample_every,
             "check all properties on every N-th Case (default 16), and on each Case with new behaviour");
  line.value("--acted-min", flags.fuzz.acted_min,
             "percentage of Cases in which a subject must act; below it the run has no verdict (default 5)");
  add_examples_option(line, flags.examples);
  line.value("--shard I/N", flags.shard,
             "shard I (from 0) of N, which `fixpoint corpus merge` joins; needs --seed");
  line.value("--resume DIR", flags.resume,
             "the folder of an interrupted run, which continues with the arguments it had");
  line.value("--fail-on SEVERITY", flags.fail_on,
             "error (default) or warning: the lowest severity that gives exit code 1");
  line.value("--owns PATH", flags.fuzz.owns,
             "a path that the subjects own and may change, such as spec.containers[*].image");
  add_output_options(line, flags);
  line.group("");
  add_external_options(line, flags.outside);
  return line.parse(arguments);
}

/// Returns true if a path leads into the folder, and no symbolic link below the folder leads out of it.
bool is_in_folder(const std::string& path, const std::string& folder) {
  namespace files = std::filesystem;
  std::error_code problem;
  const files::path here = files::current_path(problem);
  const files::path from = (here / folder / "").lexically_normal();
  const files::path below = (here / path).lexically_normal().lexically_relative(from);
  if (problem || below.empty() || *below.begin() == ".." || below == ".") return false;
  files::path at = from;
  for (const files::path& name : below) {
    at /= name;
    if (files::is_symlink(at, problem)) return false;
  }
  return true;
}

/// Takes out what the checkpoint alone says to write outside of the run's folder: somebody else may have
/// written the checkpoint. `given` has the flags of this command line. Returns a note for each.
std::vector<std::string> keep_in_folder(FuzzFlags& stored, const FuzzFlags& given) {
  std::vector<std::string> notes;
  const auto is_kept = [&](const std::string& option, const std::string& path) {
    if (path.empty() || is_in_folder(path, given.resume)) return true;
    notes.push_back(given.resume + "/checkpoint.json: " + document::printable(option) +
                    " is outside of the run's folder and is not written: repeat it on this command line");
    return false;
  };
  if (given.reports.empty()) {
    std::erase_if(stored.reports, [&](const std::string& order) {
      return !is_kept("--report " + order, order.substr(order.find('=') + 1));
    });
  }
  std::string &history = stored.fuzz.history, &kubeconfig = stored.outside.kubeconfig_out;
  if (given.fuzz.history.empty() && !is_kept("--history " + history, history)) history.clear();
  if (given.outside.kubeconfig_out.empty() && !is_kept("--kubeconfig-out " + kubeconfig, kubeconfig))
    kubeconfig.clear();
  return notes;
}

/// Resumes the run in `flags.resume`: applies the arguments of its checkpoint, then those of this command
/// line.
std::optional<int> resume(FuzzFlags& flags, Arguments& arguments) {
  auto read = campaign::read_checkpoint(flags.resume);
  if (!read) return bad_input(read.error());
  FuzzFlags resumed;
  if (const auto code = parse(resumed, read->arguments)) return code;
  resumed.notes = keep_in_folder(resumed, flags);
  // The permissions in the checkpoint are ignored: somebody else may have written the file.
  resumed.outside.allow_exec = resumed.outside.allow_remote = false;
  if (const auto code = parse(resumed, arguments)) return code;
  const std::string file = flags.resume + "/checkpoint.json";
  if (flags.outside.webhooks.empty() && flags.outside.services.empty()) {
    resumed.outside.webhooks_file = file;
  } else {
    resumed.outside.webhooks = flags.outside.webhooks;
    resumed.outside.services = flags.outside.services;
  }
  if (flags.fuzz.subjects.empty()) resumed.outside.subjects_file = file;
  resumed.fuzz.out = flags.resume;
  resumed.fuzz.resumes = true;
  resumed.fuzz.from = *std::move(read);
  arguments = resumed.fuzz.from.arguments;
  flags = std::move(resumed);
  return std::nullopt;
}

/// Puts in front of the command line what a policy file says, if one is named, or is there and no subject is.
std::optional<int> configure(FuzzFlags& flags, Arguments& arguments) {
  std::error_code problem;
  const bool is_asked = !flags.config.empty() || !flags.profile.empty();
  const bool is_there = std::filesystem::is_regular_file(kConfigurationFile, problem);
  if (!is_asked && (!flags.fuzz.subjects.empty() || !is_there)) return std::nullopt;
  const std::string file = flags.config.empty() ? kConfigurationFile : flags.config;
  auto read = read_configuration(file, flags.profile, arguments, !flags.fuzz.subjects.empty());
  if (const auto* mistakes = std::get_if<std::vector<document::Error>>(&read)) return bad_input(*mistakes);
  auto& configured = std::get<Configured>(read);
  arguments.insert(arguments.begin(), configured.arguments.begin(), configured.arguments.end());
  FuzzFlags all;
  if (const auto code = parse(all, arguments)) return code;
  if (configured.names_webhooks) all.outside.webhooks_file = file;
  if (configured.names_subjects) all.outside.subjects_file = file;
  all.fuzz.configuration = file + (flags.profile.empty() ? "" : ", profile " + flags.profile);
  flags = std::move(all);
  return std::nullopt;
}

/// Turns the texts of options into values; an exit code if a text is invalid.
std::optional<int> interpret(FuzzFlags& flags, Arguments& arguments) {
  campaign::FuzzOptions& fuzz = flags.fuzz;
  if (flags.fail_on != "warning" && flags.fail_on != "error")
    return bad_input("--fail-on " + flags.fail_on + ": expected warning or error");
  for (const std::string& path : fuzz.owns)
    if (const auto problem = properties::problem_of_owned_path(path))
      return bad_input(document::Error(*problem).within("--owns"));
  fuzz.fails_on_warnings = flags.fail_on == "warning";
  if (!flags.shard.empty()) fuzz.shard = campaign::parse_shard(flags.shard);
  if (!flags.shard.empty() && !fuzz.shard)
    return bad_input("--shard " + flags.shard + ": expected I/N with I from 0 to N - 1, such as 0/4");
  if (fuzz.shard && !flags.seed) return bad_input("--shard needs --seed: the shards of a run share one");
  fuzz.retries = !flags.seed && !flags.no_retry && fuzz.history.empty();
  if (!flags.seed) {
    flags.seed = std::random_device{}();
    arguments.insert(arguments.end(), {"--seed", std::to_string(*flags.seed)});
  }
  fuzz.seed = *flags.seed;
  const auto seconds = runner::parse_duration(flags.time);
  if (!seconds)
    return bad_input("--time " + flags.time + ": expected a duration with its unit, such as 30s, 5m or 2h");
  fuzz.seconds_max = fuzz.cases && flags.time == kDefaultTime ? 0 : *seconds;
  auto orders = campaign::read_orders(flags.reports);
  if (!orders) return bad_input(orders.error());
  fuzz.reports = *std::move(orders);
  fuzz.program = invoked_as();
  if (flags.stops_at_first) fuzz.problems_max = 1;
  if (fuzz.jobs == 0) fuzz.jobs = processors();
  return std::nullopt;
}

}  // namespace

int fuzz(const Arguments& given) {
  FuzzFlags flags;
  Arguments arguments = given;
  if (const auto code = parse(flags, arguments)) return *code;
  if (!flags.resume.empty())
    if (const auto code = resume(flags, arguments)) return *code;
  if (flags.resume.empty() && !flags.fuzz.resumes)
    if (const auto code = configure(flags, arguments)) return *code;
  if (const auto code = interpret(flags, arguments)) return *code;
  flags.fuzz.arguments = std::move(arguments);
  const auto webhooks = external_webhooks(flags.outside);
  if (!webhooks) return bad_input(webhooks.error());
  const auto find = find_with_examples(flags.examples, true, webhooks->limits());
  if (!find) return bad_input(find.error());
  for (const std::string& note : flags.notes) std::fprintf(stderr, "fixpoint: %s\n", note.c_str());
  TerminalObserver observer({.is_json = flags.json, .is_quiet = flags.quiet});
  return campaign::run_fuzz(flags.fuzz, *webhooks, *find, observer);
}

}  // namespace fixpoint::cli
