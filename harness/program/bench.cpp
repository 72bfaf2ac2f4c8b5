#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <thread>
#include <utility>

#include "harness/document/fields.h"
#include "harness/document/json.h"
#include "harness/program/bench_figures.h"
#include "harness/program/interrupt.h"
#include "harness/program/manifest.h"
#include "harness/program/output_file.h"
#include "harness/program/program.h"
#include "harness/program/subjects.h"
#include "harness/program/workload.h"
#include "injectors/catalog.h"
#include "reports/escape.h"
#include "reports/text.h"

namespace fixpoint::program {

using document::Error;

namespace {

constexpr std::size_t kBenchPodBytes[] = {1000, 3000, 20000};
/// A figure rests on so many calls, however slow they are.
constexpr std::uint64_t kBenchCallsMin = 3, kBenchCallsMax = 10'000'000;
struct BenchOptions {
  std::vector<std::string> names = {};
  std::uint64_t calls = 2000;
  std::string time = "2s";
  bool has_chain = false;
  bool json = false;
  std::string save = {};
  std::string baseline = {};
  std::string tolerance = {};
  OutsideOptions outside = {};
};

/// How long a figure may be measured.
struct Patience {
  std::uint64_t calls;
  double seconds;  ///< 0: no bound
};

/// What a call or an admission came to, for those who watch beside the clock.
struct Witness {
  std::optional<Error> problem = {};  ///< a call failed: that is no latency
  std::optional<Error> refusal = {};  ///< the chain does not let the Pod pass
  std::string note = {};              ///< what a person should know of it
  std::size_t patch_bytes = 0, calls = 0;
};

/// Calls of one webhook, each with all that the API server does with the answer.
class BenchCalls {
 public:
  using Done = apiserver::Hop;
  BenchCalls(const Workload& work, std::size_t webhook, const Value& pod)
      : work_(work), webhook_(webhook), request_(work.request_of(webhook, pod)) {}
  Done operator()() const { return work_.call(webhook_, request_); }
  static Witness look(const Done& hop, bool closely) {
    if (auto problem = problem_of(hop)) return {.problem = std::move(problem)};
    if (!closely) return {};
    return {.patch_bytes = document::write_json(hop.answer.patch.value_or(Value::empty_list())).size(),
            .calls = 1};
  }

 private:
  const Workload& work_;
  std::size_t webhook_;
  cases::Request request_;
};

/// Whole admissions, with every call that the server makes.
class BenchAdmissions {
 public:
  using Done = Result<apiserver::Admission>;
  BenchAdmissions(const Workload& work, const Value& pod) : work_(work), value_(work.case_of(pod)) {}
  Done operator()() const { return work_.admit(value_); }
  static Witness look(const Done& done, bool) {
    if (!done) return {.problem = done.error()};
    Witness witness;
    for (const apiserver::CallEvent& event : done->calls) {
      if (auto problem = problem_of(event.hop)) {
        const auto& webhook = done->webhooks[static_cast<std::size_t>(event.index)];
        return {.problem = std::move(*problem).within(webhook.key)};
      }
      witness.calls += event.hop.called ? 1 : 0;
    }
    if (!done->invalid.empty()) {
      witness.note = "what comes out is refused: " + done->status->message;
    } else if (done->status) {
      witness.refusal = Error{"the Pod is refused: " + done->status->message};
    }
    return witness;
  }

 private:
  const Workload& work_;
  cases::Case value_;
};

/// Fills in what the clock says; the first call that fails ends it.
template <class Act>
Result<BenchFigure> measure(BenchFigure figure, const Act& act, const Patience& patience) {
  constexpr std::size_t kClosely = 3;
  std::vector<double> microseconds;
  std::vector<std::size_t> sizes;
  std::size_t calls = 0;
  const double end = now() + patience.seconds;
  const auto goes_on = [&] {
    if (is_interrupted()) return false;
    const std::uint64_t done = microseconds.size();
    return done < kBenchCallsMin || (done < patience.calls && (patience.seconds == 0 || now() < end));
  };
  while (goes_on()) {
    const double start = now();
    const auto done = act();
    microseconds.push_back((now() - start) * 1e6);
    const Witness witness = Act::look(done, sizes.size() < kClosely);
    if (witness.problem) return *witness.problem;
    if (witness.refusal) return *witness.refusal;
    if (sizes.size() < kClosely) sizes.push_back(witness.patch_bytes);
    calls += witness.calls;
  }
  if (is_interrupted()) return Error{"interrupted"};
  std::sort(microseconds.begin(), microseconds.end());
  std::sort(sizes.begin(), sizes.end());
  set_latency(figure, microseconds);
  if (figure.is_chain()) {
    const double mean = static_cast<double>(calls) / static_cast<double>(microseconds.size());
    figure.calls_per_admission = std::round(mean * 100) / 100;
  } else {
    figure.patch_bytes = static_cast<std::int64_t>(sizes[sizes.size() / 2]);
  }
  return figure;
}

/// A row to come: whose it is, and how it is measured.
struct BenchRow {
  BenchFigure of;
  std::function<Result<BenchFigure>()> measure;
};

using Members = std::shared_ptr<const std::vector<runner::Subject>>;

template <class Act>
BenchRow row_of(BenchFigure of, const Members& members, const std::shared_ptr<const Workload>& work,
                const Patience& patience, const std::function<Act(const Value& pod)>& act_on) {
  const auto measured = [of, members, work, patience, act_on,
                         is_noted = std::make_shared<bool>()]() -> Result<BenchFigure> {
    const auto pod = telling_pod(*work, *members, static_cast<std::size_t>(of.pod_bytes));
    if (!pod) return pod.error();
    const Act act = act_on(*pod);
    const Witness first = Act::look(act(), true);
    if (!first.note.empty() && !std::exchange(*is_noted, true)) {
      const Error note{first.note, of.name()};
      std::fprintf(stderr, "fixpoint: %s\n", reports::printable(note.text()).c_str());
    }
    return measure(of, act, patience);
  };
  return {of, [of, measured]() -> Result<BenchFigure> {
            auto figure = measured();
            if (!figure) return std::move(figure).error().within(of.name());
            return figure;
          }};
}

/// A row for each webhook and size of Pod: of one webhook under the subject's name, of several under theirs.
std::optional<Error> add_calls(std::vector<BenchRow>& rows, const runner::Subject& subject,
                               const Outside& outside, const Patience& patience) {
  const Members alone = std::make_shared<const std::vector<runner::Subject>>(1, subject);
  auto made = Workload::of(*alone, outside);
  if (!made) return std::move(made).error().within(subject.name);
  const auto work = std::make_shared<const Workload>(*std::move(made));
  const auto& webhooks = work->webhooks();
  for (std::size_t i = 0; i < webhooks.size(); ++i) {
    for (const std::size_t bytes : kBenchPodBytes) {
      BenchFigure of{.injector = webhooks.size() == 1 ? subject.name : webhooks[i].key};
      of.pod_bytes = static_cast<std::int64_t>(bytes);
      rows.push_back(row_of<BenchCalls>(std::move(of), alone, work, patience,
                                        [work, i](const Value& pod) { return BenchCalls(*work, i, pod); }));
    }
  }
  return std::nullopt;
}

/// A row for each size of Pod: all members in one cluster, named in the order of their calls.
std::optional<Error> add_chain(std::vector<BenchRow>& rows, std::vector<runner::Subject> subjects,
                               const Outside& outside, const Patience& patience) {
  const auto name_of = [](const runner::Subject& subject) {
    return subject.configuration["metadata"]["name"].text();
  };
  std::stable_sort(subjects.begin(), subjects.end(),
                   [&](const auto& a, const auto& b) { return name_of(a) < name_of(b); });
  const Members members = std::make_shared<const std::vector<runner::Subject>>(std::move(subjects));
  auto made = Workload::of(*members, outside);
  if (!made) return std::move(made).error().within("--chain");
  const auto work = std::make_shared<const Workload>(*std::move(made));
  for (const std::size_t bytes : kBenchPodBytes) {
    BenchFigure of{.pod_bytes = static_cast<std::int64_t>(bytes)};
    for (const runner::Subject& member : *members) of.chain.push_back(member.name);
    rows.push_back(row_of<BenchAdmissions>(std::move(of), members, work, patience,
                                           [work](const Value& pod) { return BenchAdmissions(*work, pod); }));
  }
  return std::nullopt;
}

/// The subjects of the command line; without any, the newest of every injector.
Result<std::vector<runner::Subject>> benched_subjects(std::vector<std::string> names,
                                                      const Outside& outside) {
  if (names.empty()) {
    for (const auto role : {injectors::Role::subject, injectors::Role::peer}) {
      for (const auto& subject : injectors::newest(role)) names.push_back(subject.name);
    }
  }
  auto found = find_subjects(names, outside);
  if (!found) return std::move(found).error();
  if (!found->reconcilers.empty())
    return Error{"bench takes webhooks, and " + found->reconcilers.front() + " is a reconciler"};
  for (const std::string& note : found->notes)
    std::fprintf(stderr, "fixpoint: %s\n", reports::printable(note).c_str());
  return std::move(found->chains.subjects);
}

Result<std::vector<BenchRow>> bench_rows(const BenchOptions& options, const Outside& outside,
                                         const Patience& patience) {
  auto subjects = benched_subjects(options.names, outside);
  if (!subjects) return std::move(subjects).error();
  std::vector<BenchRow> rows;
  for (const runner::Subject& subject : *subjects) {
    if (auto problem = add_calls(rows, subject, outside, patience)) return *std::move(problem);
  }
  if (!options.has_chain) return rows;
  std::vector<runner::Subject> members = *std::move(subjects);
  if (options.names.empty()) {
    members = injectors::default_chain();
  }
  if (auto problem = add_chain(rows, std::move(members), outside, patience)) return *std::move(problem);
  return rows;
}

/// Between two measurements of a slow figure at least: a busy moment should be over.
constexpr double kRestSeconds = 1;

bool rest() {
  for (const double end = now() + kRestSeconds; now() < end && !is_interrupted();)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return !is_interrupted();
}

/// Measures row after row, prints each, comes back to those that are slow, and keeps all for --save.
class Bench {
 public:
  Bench(const BenchOptions& options, std::vector<BenchFigure> baseline, double tolerance)
      : options_(options),
        baseline_(std::move(baseline)),
        tolerance_(tolerance),
        table_{.has_baseline = !options.baseline.empty(),
               .calls_asked = static_cast<std::int64_t>(options.calls)} {}

  int run(const std::vector<BenchRow>& rows) {
    say(bench_head(table_));
    for (const BenchRow& row : rows) {
      if (is_interrupted()) return cut_short(rows.size());
      auto figure = row.measure();
      if (!figure) return is_interrupted() ? cut_short(rows.size()) : unfinished(figure.error());
      take(row, *std::move(figure));
    }
    if (auto problem = measure_again(slow_, rest); problem && !is_interrupted()) return unfinished(*problem);
    if (is_interrupted()) return cut_short(rows.size());
    settle();
    conclude();
    if (!options_.save.empty()) {
      const std::string text = document::write_json_pretty(write_baseline(figures_));
      if (auto problem = write_file(options_.save, text)) return unfinished(*problem);
    }
    return slower_.empty() ? kNothingFound : kFound;
  }

 private:
  void take(const BenchRow& row, BenchFigure figure) {
    figures_.push_back(figure);
    BenchJudgement judged{
        .figure = std::move(figure), .base = find_figure(baseline_, row.of), .tolerance = tolerance_};
    if (!judged.is_slower()) return print(judged);
    say_row(judged.figure, bench_row_for_now(table_, judged));
    slow_.push_back({std::move(judged), row.measure});
  }

  /// Those that were slow, as they are after all.
  void settle() {
    if (!slow_.empty()) say(again_line());
    has_chain_ = false;
    for (const SlowFigure& one : slow_) {
      print(one.row);
      if (one.row.is_slower()) slower_.push_back(slower_line(one.row));
      for (BenchFigure& figure : figures_) {
        if (figure.is_of_same(one.row.figure)) figure = one.row.figure;
      }
    }
  }

  void print(const BenchJudgement& row) {
    if (options_.json) {
      const std::string line = document::write_json(bench_event(row, table_.has_baseline));
      std::printf("%s\n", reports::json_without_commands(line).c_str());
      std::fflush(stdout);
    }
    say_row(row.figure, bench_row(table_, row));
  }

  void say_row(const BenchFigure& figure, const std::string& text) {
    if (figure.is_chain() && !std::exchange(has_chain_, true)) say(chain_line(figure));
    say(text);
  }

  void conclude() const {
    const auto unasked = std::count_if(baseline_.begin(), baseline_.end(), [&](const BenchFigure& known) {
      return !find_figure(figures_, known).has_value();
    });
    if (unasked > 0) say(unasked_line(static_cast<std::size_t>(unasked)));
    for (const std::string& line : slower_) say(line);
  }

  /// What was measured stands there; what is slow so far has no verdict yet.
  int cut_short(std::size_t rows) {
    if (options_.json) {
      for (const SlowFigure& one : slow_) print(one.row);
    }
    std::fprintf(stderr, "fixpoint: interrupted: %zu of %zu figures were measured", figures_.size(), rows);
    if (!slow_.empty()) std::fprintf(stderr, ", of which %zu were to be measured again", slow_.size());
    if (!options_.save.empty())
      std::fprintf(stderr, "; %s is not written", reports::printable(options_.save).c_str());
    std::fputs("\n", stderr);
    return kInterrupted;
  }

  void say(const std::string& text) const {
    if (options_.json) return;
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
  }

  const BenchOptions& options_;
  const std::vector<BenchFigure> baseline_;
  const double tolerance_;
  const BenchTable table_;
  std::vector<BenchFigure> figures_ = {};
  std::vector<SlowFigure> slow_ = {};
  std::vector<std::string> slower_ = {};
  bool has_chain_ = false;
};

/// Benches of the harness itself.
struct Score {
  std::string_view name;
  std::string_view sentence;
  int (*run)(const Arguments&);
};
constexpr Score kScores[] = {{"bugs", "whether known bugs are found, and fixed ones not", bench_bugs},
                             {"cases", "what a Case costs as it grows", bench_cases}};

std::optional<int> parse(BenchOptions& options, const Arguments& arguments) {
  Options line(
      "bench",
      "Latency of one call of each injector (call, apply, compare, default), and of a whole admission "
      "through a chain, on Pods of 1, 3 and 20 kB. The subcommands measure the harness itself.",
      "  fixpoint bench --chain\n"
      "  fixpoint bench kserve/modelcar@0.12.1 --calls 10000 --json\n"
      "  fixpoint bench manifest.yaml --webhook 'inject.example.io=exec:./my-webhook --stdio' --save "
      "base.json\n"
      "  fixpoint bench manifest.yaml --webhook inject.example.io=https://127.0.0.1:9443/mutate --ca ca.pem "
      "--baseline base.json\n"
      "  fixpoint bench cases --help");
  for (const Score& score : kScores) line.subcommand(std::string(score.name), std::string(score.sentence));
  line.positionals("SUBJECT", options.names,
                   "names from `fixpoint list`, files of webhook configurations or Subjects; default: the "
                   "newest of every injector");
  line.value("--calls", options.calls, "calls for each figure (default 2000)");
  line.value("--time", options.time,
             "at most so long for each figure, 0 for no bound (default 2s); a figure that rests on fewer "
             "calls says so");
  line.flag("--chain", options.has_chain,
            "also whole admissions through all subjects together, reinvocation included; without SUBJECT "
            "through pod-mutator, a sidecar, and a mutator of metadata and volumes");
  line.value("--save", options.save, "write the figures to a file, for --baseline");
  line.value("--baseline", options.baseline,
             "a file of --save to compare with; exit code 1 when a figure is slower");
  line.value("--tolerance", options.tolerance,
             "how many times the baseline's p50 is still no slower (default 1.5); before that counts, a "
             "figure is measured up to three times again, after all others");
  line.flag("--json", options.json, "NDJSON on standard output");
  options.outside.add_to(line);
  return line.parse(arguments);
}

/// A first word that is no name of a subject nor a file, and nearly a subcommand's.
std::string meant_subcommand(const BenchOptions& options) {
  if (options.names.empty() || options.names.front().find('/') != std::string::npos) return "";
  if (is_manifest(options.names.front())) return "";
  std::vector<std::string_view> names;
  for (const Score& score : kScores) names.push_back(score.name);
  return document::did_you_mean_suffix(options.names.front(), names);
}

/// A number of at least 1; the default for an empty text.
std::optional<double> tolerance_of(const std::string& text) {
  if (text.empty()) return BenchJudgement{}.tolerance;
  const auto number = document::real_of(text);
  return number && *number >= 1 && *number <= 1e9 ? number : std::nullopt;
}

}  // namespace

int bench(const Arguments& arguments) {
  for (const Score& score : kScores) {
    if (!arguments.empty() && arguments.front() == score.name)
      return score.run({arguments.begin() + 1, arguments.end()});
  }
  BenchOptions options;
  if (const auto code = parse(options, arguments)) return *code;
  if (const std::string hint = meant_subcommand(options); !hint.empty())
    return bad_input("bench: neither a subject nor a subcommand \"" + options.names.front() + "\"" + hint);
  if (options.calls < kBenchCallsMin || options.calls > kBenchCallsMax)
    return bad_input("--calls: expected 3 to 10000000");
  const auto seconds = parse_duration(options.time);
  if (!seconds) return bad_input("--time " + options.time + ": expected a duration such as 30s, 5m or 2h");
  const auto tolerance = tolerance_of(options.tolerance);
  if (!tolerance) return bad_input("--tolerance " + options.tolerance + ": expected a number of at least 1");
  if (!options.tolerance.empty() && options.baseline.empty())
    return bad_input("--tolerance: expected --baseline FILE with it");
  std::vector<BenchFigure> baseline;
  if (!options.baseline.empty()) {
    auto read = read_baseline_file(options.baseline);
    if (!read) return bad_input(read.error());
    baseline = *std::move(read);
  }
  const auto outside = Outside::of(options.outside);
  if (!outside) return bad_input(outside.error());
  heed_interrupts();
  outside->watch().stop_when(is_interrupted);
  const auto rows = bench_rows(options, *outside, {.calls = options.calls, .seconds = *seconds});
  if (!rows) return bad_input(rows.error());
  const bool is_comparable = std::any_of(rows->begin(), rows->end(), [&](const BenchRow& row) {
    return find_figure(baseline, row.of).has_value();
  });
  if (!options.baseline.empty() && !is_comparable)
    return bad_input("--baseline " + options.baseline + ": it has none of the figures that are asked for");
  if (!options.save.empty()) {
    if (auto problem = cannot_write(options.save)) return unfinished(*problem);
  }
  return Bench(options, std::move(baseline), *tolerance).run(*rows);
}

}  // namespace fixpoint::program
