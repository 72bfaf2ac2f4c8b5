#include <cstdio>
#include <memory>
#include <random>
#include <set>
#include <variant>

#include "corpus/corpus_files.h"
#include "generators/draw.h"
#include "generators/sequences.h"
#include "generators/subjects.h"
#include "harness/campaign/run_folder.h"
#include "harness/cases/redaction.h"
#include "harness/cli/command.h"
#include "harness/cli/external_options.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/options.h"
#include "harness/cli/standard_output.h"
#include "harness/cli/subject_names.h"
#include "harness/compare/case_differences.h"
#include "harness/compare/sequence_differences.h"
#include "harness/document/json.h"
#include "harness/document/output_file.h"
#include "harness/document/printable.h"
#include "harness/external/external_webhooks.h"
#include "harness/runner/clock.h"
#include "harness/runner/shrink.h"
#include "injectors/bundled.h"
#include "reports/text.h"

namespace fixpoint::cli {

namespace {

struct CompareOptions {
  std::string a, b;
  std::optional<std::uint64_t> seed = {};
  std::optional<std::uint64_t> cases = {};
  std::string time = "30s";
  std::string out = "run";
  std::uint64_t kinds_max = 20;
  bool saves = false;
  bool json = false;
  bool quiet = false;
  external::ExternalOptions outside = {};
};

struct Progress {
  std::uint64_t cases = 0, differing = 0, kinds = 0;
  std::string why = {};
};

/// A difference at its smallest, as it is told and kept.
struct Shown {
  compare::Difference difference;
  const char* measure;         ///< leaves, steps
  std::size_t size;            ///< of the smallest, in these
  std::string smallest;        ///< the same for a person
  std::string see;             ///< the command that shows both files
  std::string text_a, text_b;  ///< of the Case or Sequence with either side
};

/// Draws, lets both answer, and tells each kind of difference once. What is drawn and how it is compared is
/// said by those who derive from it.
class Comparing {
 public:
  Comparing(const CompareOptions& options, std::string a, std::string b, campaign::RunFolder& folder)
      : options_(options), a_(std::move(a)), b_(std::move(b)), folder_(folder) {}
  virtual ~Comparing() = default;
  Comparing(const Comparing&) = delete;
  Comparing& operator=(const Comparing&) = delete;

  /// An exit code.
  int run(double seconds_max) {
    emit({{"event", "start"}, {"seed", number(*options_.seed)}, {"a", a_}, {"b", b_}});
    if (!options_.json && !options_.quiet) std::printf("seed %s\n", std::to_string(*options_.seed).c_str());
    const double end = runner::now() + seconds_max;
    while (progress_.why.empty()) {
      runner::Choices choices(*options_.seed, progress_.cases);
      take(draw(choices));
      progress_.why = why_to_stop(seconds_max > 0 && runner::now() >= end);
    }
    return finish();
  }

 protected:
  /// The differences between both sides on what is drawn next.
  virtual std::vector<compare::Difference> draw(runner::Choices& choices) = 0;
  /// One of them, on the smallest that shows it. Both sides are stored under this name, with -a and -b.
  virtual Shown shrunk(const compare::Difference& difference, const std::string& name) = 0;
  virtual const char* drawn() const = 0;  ///< Cases, Sequences

  std::string note(const compare::Difference& difference) const {
    return difference.path + ": " + difference.of_a + " of " + a_ + ", " + difference.of_b + " of " + b_;
  }

 private:
  static Value number(std::uint64_t count) { return Value::number(std::to_string(count)); }

  std::string why_to_stop(bool is_late) const {
    if (has_lost_) return "lost";
    if (is_interrupted()) return "interrupted";
    if (options_.cases && progress_.cases >= *options_.cases) return "cases";
    if (progress_.kinds >= options_.kinds_max) return "kinds";
    return is_late ? "time" : "";
  }

  void take(const std::vector<compare::Difference>& found) {
    ++progress_.cases;
    progress_.differing += found.empty() ? 0 : 1;
    for (const compare::Difference& difference : found) {
      if (progress_.kinds >= options_.kinds_max || !seen_.insert(difference.fingerprint).second) continue;
      ++progress_.kinds;
      const std::string name = "differs-" + difference.fingerprint;
      report(shrunk(difference, name), name);
    }
  }

  void report(const Shown& shown, const std::string& name) {
    const compare::Difference& difference = shown.difference;
    const auto file_a = store(name + "-a", shown.text_a), file_b = store(name + "-b", shown.text_b);
    for (const auto* file : {&file_a, &file_b})
      if (!*file) return lose(file->error());
    cases::Redaction redaction;
    for (const std::string* text : {&shown.text_a, &shown.text_b})
      if (const auto read = document::read_json(*text)) redaction.learn(*read);
    emit({{"event", "difference"},
          {"fingerprint", difference.fingerprint},
          {"path", difference.path},
          {"a", difference.of_a},
          {"b", difference.of_b},
          {shown.measure, number(shown.size)},
          {"cases", Value::list({*file_a, *file_b})}},
         redaction);
    if (options_.json || options_.quiet) return;
    std::printf("\nDIFFERS  %s\n", document::printable(difference.path).c_str());
    for (const auto& [side, what] : {std::pair(a_, difference.of_a), {b_, difference.of_b}})
      std::printf("  %-34s %s\n", document::printable(side).c_str(),
                  document::printable(redaction.text(what)).c_str());
    std::printf("  %s\n  see: %s %s %s %s\n", document::printable(shown.smallest).c_str(),
                invoked_as().c_str(), shown.see.c_str(), file_a->c_str(), file_b->c_str());
    std::fflush(stdout);
  }

  Result<std::string> store(const std::string& name, const std::string& text) {
    auto saved = folder_.save_case(name, text);
    if (!saved || !options_.saves) return saved;
    const std::string seed = corpus::corpus_folder() + "/seeds/" + name + ".json";
    if (auto problem = document::write_file(seed, text, document::Readers::owner)) return *problem;
    return saved;
  }

  /// The folder has the event itself.
  void emit(const Value& event, const cases::Redaction& redaction = {}) {
    if (auto problem = folder_.append(event)) lose(*problem);
    if (options_.json) print_now(document::write_json(redaction.texts(event)) + "\n");
    if (is_output_lost()) interrupt_ourselves();
  }

  void lose(const document::Error& error) {
    if (!has_lost_) std::fprintf(stderr, "fixpoint: %s\n", error.text().c_str());
    has_lost_ = true;
  }

  int finish() {
    const Value stop{{"event", "stop"},
                     {"why", progress_.why},
                     {"cases", number(progress_.cases)},
                     {"differing", number(progress_.differing)},
                     {"kinds", number(progress_.kinds)}};
    emit(stop);
    if (auto problem = folder_.finish(stop)) lose(*problem);
    if (has_lost_) return kUnfinished;
    if (!options_.json && !options_.quiet) {
      std::printf("\n%llu %s, on %llu of them %s and %s differ, in %llu ways; stopped by %s\n",
                  static_cast<unsigned long long>(progress_.cases), drawn(),
                  static_cast<unsigned long long>(progress_.differing), a_.c_str(), b_.c_str(),
                  static_cast<unsigned long long>(progress_.kinds), progress_.why.c_str());
    }
    if (progress_.why == "interrupted") return kInterrupted;
    return progress_.kinds > 0 ? kFound : kNothingFound;
  }

  const CompareOptions& options_;
  const std::string a_, b_;
  campaign::RunFolder& folder_;
  Progress progress_ = {};
  std::set<std::string> seen_ = {};
  bool has_lost_ = false;
};

/// Two webhooks, each alone in its chain.
class ComparingWebhooks : public Comparing {
 public:
  ComparingWebhooks(const CompareOptions& options, compare::Pair pair,
                    const external::ExternalWebhooks& outside, campaign::RunFolder& folder)
      : Comparing(options, pair.a.name, pair.b.name, folder),
        pair_(std::move(pair)),
        outside_(outside),
        resolve_(outside.resolve()),
        repertoire_(
            {.subjects = {pair_.both()}, .has_faults = false, .has_scripts = false, .resolve = resolve_}) {}

 private:
  std::vector<compare::Difference> draw(runner::Choices& choices) override {
    plain_ = compare::without_webhooks(generators::draw(choices, repertoire_));
    return compare::differences(plain_, pair_, resolve_, outside_.limits());
  }

  Shown shrunk(const compare::Difference& difference, const std::string& name) override {
    const compare::SmallestDifference smallest =
        compare::shrink(plain_, difference, pair_, resolve_, outside_.limits());
    const auto side = [&](const runner::Subject& subject, const char* letter) {
      cases::Case value = compare::with_subject(smallest.plain, subject);
      value.name = name + "-" + letter;
      value.note = note(smallest.difference);
      return cases::canonical_text(value);
    };
    const std::size_t leaves = runner::leaves(smallest.plain.request.object);
    return {.difference = smallest.difference,
            .measure = "leaves",
            .size = leaves,
            .smallest = "smallest Case: " + std::to_string(leaves) + " leaves of Pod",
            .see = "admit --trace" + outside_.flags_to_replay(compare::with_subject(smallest.plain, pair_.b)),
            .text_a = side(pair_.a, "a"),
            .text_b = side(pair_.b, "b")};
  }

  const char* drawn() const override { return "Cases"; }

  const compare::Pair pair_;
  const external::ExternalWebhooks& outside_;
  const webhooks::Resolve resolve_;
  const generators::Repertoire repertoire_;
  cases::Case plain_ = {};
};

/// Two reconcilers that go through the same Sequences.
class ComparingReconcilers : public Comparing {
 public:
  ComparingReconcilers(const CompareOptions& options, compare::ReconcilerPair pair, const Limits& limits,
                       campaign::RunFolder& folder)
      : Comparing(options, pair.a, pair.b, folder), pair_(std::move(pair)), limits_(limits) {}

 private:
  std::vector<compare::Difference> draw(runner::Choices& choices) override {
    value_ = generators::draw_sequence(choices, {pair_.a});
    const auto difference = compare::first_difference(value_, pair_, resolve_);
    return difference ? std::vector{*difference} : std::vector<compare::Difference>{};
  }

  Shown shrunk(const compare::Difference& difference, const std::string& name) override {
    const compare::SmallestSequence smallest = compare::shrink(value_, difference, pair_, resolve_, limits_);
    const auto side = [&](const std::string& subject, const char* letter) {
      cases::Sequence value = compare::with_reconciler(smallest.value, subject);
      value.name = name + "-" + letter;
      value.note = note(smallest.difference);
      return cases::canonical_text(value);
    };
    std::vector<std::string> told;
    if (!smallest.value.initial.is_null()) told.emplace_back("an autoscaler is stored");
    for (const cases::Step& step : smallest.value.steps) told.push_back(cases::words(step));
    return {.difference = smallest.difference,
            .measure = "steps",
            .size = smallest.value.steps.size(),
            .smallest = "smallest Sequence: " + reports::joined(told),
            .see = "replay --trace",
            .text_a = side(pair_.a, "a"),
            .text_b = side(pair_.b, "b")};
  }

  const char* drawn() const override { return "Sequences"; }

  const compare::ReconcilerPair pair_;
  const Limits limits_;
  const webhooks::ResolveReconciler resolve_ = injectors::bundled().resolve_reconciler;
  cases::Sequence value_ = {};
};

using EitherPair = std::variant<compare::Pair, compare::ReconcilerPair>;

Result<EitherPair> pair_of(const CompareOptions& options, const external::ExternalWebhooks& outside) {
  auto subjects = find_subjects({options.a, options.b}, outside);
  if (!subjects) return std::move(subjects).error();
  auto& found = subjects->chains.subjects;
  const auto& reconcilers = subjects->reconcilers;
  if (!reconcilers.empty() && !found.empty()) {
    return document::Error{"compare takes two webhooks or two reconcilers: " + reconcilers.front() +
                           " is a reconciler, and " + found.front().name + " is none"};
  }
  if (reconcilers.size() == 2) {
    if (reconcilers.front() == reconcilers.back())
      return document::Error{"two subjects have the name \"" + reconcilers.front() + "\""};
    return EitherPair(compare::ReconcilerPair{reconcilers.front(), reconcilers.back()});
  }
  if (found.size() != 2) {
    return document::Error{"compare takes two subjects, found " + std::to_string(found.size()) + " in " +
                           options.a + " and " + options.b};
  }
  if (auto problem =
          generators::learn_from_calls(*subjects, outside, *options.seed, generators::kLearningSecondsMax))
    return *std::move(problem);
  return EitherPair(compare::Pair{std::move(found.front()), std::move(found.back())});
}

std::unique_ptr<Comparing> comparing(const CompareOptions& options, EitherPair pair,
                                     const external::ExternalWebhooks& outside, campaign::RunFolder& folder) {
  if (auto* reconcilers = std::get_if<compare::ReconcilerPair>(&pair))
    return std::make_unique<ComparingReconcilers>(options, std::move(*reconcilers), outside.limits(), folder);
  return std::make_unique<ComparingWebhooks>(options, std::get<compare::Pair>(std::move(pair)), outside,
                                             folder);
}

}  // namespace

int compare(const Arguments& arguments) {
  CompareOptions options;
  Options line(
      "compare",
      "Differential fuzzing of two subjects or releases: draws Pods, lets each answer alone, and "
      "prints the smallest Pods on which the results differ, one for each kind of difference. Of two "
      "reconcilers it prints the shortest Sequences in which they write something else.",
      "  fixpoint compare kserve/modelcar@0.12.0 kserve/modelcar@0.12.1\n"
      "  fixpoint compare kserve/hpa@0.15.0 kserve/hpa@0.15.2\n"
      "  fixpoint compare old.yaml new.yaml --webhook old.hook.io=https://127.0.0.1:9443/mutate …");
  line.positional("A", options.a, "a name from `fixpoint list`, or a file", true);
  line.positional("B", options.b, "what it is compared with", true);
  line.value("--seed", options.seed, "of all decisions; a random one is printed when none is given");
  line.value("--cases", options.cases,
             "stop after so many Cases or Sequences (then equal seeds give equal bytes)");
  line.value("--time", options.time, "stop after so long, 0 for no bound (default 30s)");
  line.value("--kinds", options.kinds_max, "stop after so many kinds of difference (default 20)");
  line.value("--out", options.out, "the run's folder (default run/); an earlier run moves to run.1/");
  line.flag("--save", options.saves, "keep the Cases in corpus/seeds/ too");
  line.flag("--json", options.json, "NDJSON events on standard output");
  line.flag("--quiet", options.quiet, "no text");
  add_external_options(line, options.outside);
  if (const auto code = line.parse(arguments)) return *code;
  const auto seconds = runner::parse_duration(options.time);
  if (!seconds) return bad_input("--time " + options.time + ": expected a duration such as 30s, 5m or 2h");
  if (options.cases == 0) return bad_input("--cases: expected at least 1");
  if (options.kinds_max == 0) return bad_input("--kinds: expected at least 1");
  if (!options.seed) options.seed = std::random_device{}();
  const auto outside = external_webhooks(options.outside);
  if (!outside) return bad_input(outside.error());
  auto pair = pair_of(options, *outside);
  if (!pair) return bad_input(pair.error());
  auto opened = campaign::RunFolder::open(options.out);
  if (const auto* unopened = std::get_if<campaign::Unopened>(&opened)) return unopened_folder(*unopened);
  heed_interrupts();
  return comparing(options, *std::move(pair), *outside, std::get<campaign::RunFolder>(opened))
      ->run(options.cases && options.time == "30s" ? 0 : *seconds);
}

}  // namespace fixpoint::cli
