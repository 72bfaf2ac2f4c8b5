#include <cstdio>
#include <iostream>
#include <random>
#include <set>

#include "generators/draw.h"
#include "harness/document/json.h"
#include "harness/program/differences.h"
#include "harness/program/interrupt.h"
#include "harness/program/program.h"
#include "harness/program/run_folder.h"
#include "harness/program/subjects.h"
#include "harness/runner/shrink.h"
#include "reports/text.h"

namespace fixpoint::program {

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
  OutsideOptions outside = {};
};

struct Progress {
  std::uint64_t cases = 0, differing = 0, kinds = 0;
  std::string why = {};
};

/// A difference in the run's folder: the Case with either side as its chain.
struct Stored {
  std::string a, b;  ///< files
};

class Comparing {
 public:
  Comparing(const CompareOptions& options, Pair pair, const Outside& outside, RunFolder& folder)
      : options_(options),
        pair_(std::move(pair)),
        outside_(outside),
        resolve_(outside.resolve()),
        folder_(folder) {}

  /// An exit code.
  int run(double seconds_max) {
    emit({{"event", "start"}, {"seed", number(*options_.seed)}, {"a", pair_.a.name}, {"b", pair_.b.name}});
    if (!options_.json && !options_.quiet) std::printf("seed %s\n", std::to_string(*options_.seed).c_str());
    const generators::Repertoire repertoire(
        {.subjects = {pair_.both()}, .has_faults = false, .has_scripts = false, .resolve = resolve_});
    const double end = now() + seconds_max;
    while (progress_.why.empty()) {
      runner::Choices choices(*options_.seed, progress_.cases);
      compare(without_webhooks(generators::draw(choices, repertoire)));
      progress_.why = why_to_stop(seconds_max > 0 && now() >= end);
    }
    return finish();
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

  void compare(const cases::Case& plain) {
    ++progress_.cases;
    const auto found = differences(plain, pair_, resolve_, outside_.limits());
    progress_.differing += found.empty() ? 0 : 1;
    for (const Difference& difference : found) {
      if (progress_.kinds >= options_.kinds_max || !seen_.insert(difference.fingerprint).second) continue;
      ++progress_.kinds;
      report(shrink(plain, difference, pair_, resolve_, outside_.limits()));
    }
  }

  void report(const SmallestDifference& smallest) {
    const Difference& difference = smallest.difference;
    const auto stored = store(smallest);
    if (!stored) return lose(stored.error());
    emit({{"event", "difference"},
          {"fingerprint", difference.fingerprint},
          {"path", difference.path},
          {"a", difference.of_a},
          {"b", difference.of_b},
          {"leaves", number(runner::leaves(smallest.plain.request.object))},
          {"cases", Value::list({stored->a, stored->b})}});
    if (options_.json || options_.quiet) return;
    std::printf("\nDIFFERS  %s\n", reports::printable(difference.path).c_str());
    for (const auto& [name, what] :
         {std::pair(pair_.a.name, difference.of_a), {pair_.b.name, difference.of_b}})
      std::printf("  %-34s %s\n", reports::printable(name).c_str(), reports::printable(what).c_str());
    std::printf("  smallest Case: %zu leaves of Pod\n  see: %s admit --trace%s %s %s\n",
                runner::leaves(smallest.plain.request.object), invoked_as().c_str(),
                outside_.flags_to_replay(with_subject(smallest.plain, pair_.b)).c_str(), stored->a.c_str(),
                stored->b.c_str());
    std::fflush(stdout);
  }

  Result<Stored> store(const SmallestDifference& smallest) {
    Stored stored;
    for (const auto& [side, subject, file] :
         {std::tuple("a", &pair_.a, &stored.a), {"b", &pair_.b, &stored.b}}) {
      cases::Case value = with_subject(smallest.plain, *subject);
      value.name = "differs-" + smallest.difference.fingerprint + "-" + side;
      value.note = smallest.difference.path + ": " + smallest.difference.of_a + " of " + pair_.a.name + ", " +
                   smallest.difference.of_b + " of " + pair_.b.name;
      auto saved = folder_.save_case(value);
      if (!saved) return saved.error();
      *file = *saved;
      if (!options_.saves) continue;
      const std::string kept = corpus_folder() + "/seeds/" + value.name + ".json";
      if (auto problem = write_file(kept, cases::canonical_text(value))) return *problem;
    }
    return stored;
  }

  void emit(const Value& event) {
    if (auto problem = folder_.append(event)) lose(*problem);
    if (options_.json) std::cout << document::write_json(event) << "\n" << std::flush;
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
      std::printf("\n%llu Cases, on %llu of them %s and %s differ, in %llu ways; stopped by %s\n",
                  static_cast<unsigned long long>(progress_.cases),
                  static_cast<unsigned long long>(progress_.differing), pair_.a.name.c_str(),
                  pair_.b.name.c_str(), static_cast<unsigned long long>(progress_.kinds),
                  progress_.why.c_str());
    }
    if (progress_.why == "interrupted") return kInterrupted;
    return progress_.kinds > 0 ? kFound : kNothingFound;
  }

  const CompareOptions& options_;
  Pair pair_;
  const Outside& outside_;
  webhooks::Resolve resolve_;
  RunFolder& folder_;
  Progress progress_ = {};
  std::set<std::string> seen_ = {};
  bool has_lost_ = false;
};

Result<Pair> pair_of(const CompareOptions& options, const Outside& outside) {
  auto subjects = find_subjects({options.a, options.b}, outside);
  if (!subjects) return std::move(subjects).error();
  if (!subjects->reconcilers.empty())
    return document::Error{"compare takes webhooks, and " + subjects->reconcilers.front() +
                           " is a reconciler"};
  auto& found = subjects->chains.subjects;
  if (found.size() != 2) {
    return document::Error{"compare takes two subjects, found " + std::to_string(found.size()) + " in " +
                           options.a + " and " + options.b};
  }
  if (auto problem = learn_from_calls(*subjects, outside, *options.seed, kLearningSecondsMax))
    return *std::move(problem);
  return Pair{std::move(found.front()), std::move(found.back())};
}

}  // namespace

int compare(const Arguments& arguments) {
  CompareOptions options;
  Options line("compare",
               "Differential fuzzing of two subjects or releases: draws Pods, lets each answer alone, and "
               "prints the smallest Pods on which the results differ, one for each kind of difference.",
               "  fixpoint compare kserve/modelcar@0.12.0 kserve/modelcar@0.12.1\n"
               "  fixpoint compare old.yaml new.yaml --webhook old.hook.io=https://127.0.0.1:9443/mutate …");
  line.positional("A", options.a, "a name from `fixpoint list`, or a file", true);
  line.positional("B", options.b, "what it is compared with", true);
  line.value("--seed", options.seed, "of all decisions; a random one is printed when none is given");
  line.value("--cases", options.cases, "stop after so many Cases (then equal seeds give equal bytes)");
  line.value("--time", options.time, "stop after so long, 0 for no bound (default 30s)");
  line.value("--kinds", options.kinds_max, "stop after so many kinds of difference (default 20)");
  line.value("--out", options.out, "the run's folder (default run/); a complete earlier run moves to run.1/");
  line.flag("--save", options.saves, "keep the Cases in corpus/seeds/ too");
  line.flag("--json", options.json, "NDJSON events on standard output");
  line.flag("--quiet", options.quiet, "no text");
  options.outside.add_to(line);
  if (const auto code = line.parse(arguments)) return *code;
  const auto seconds = parse_duration(options.time);
  if (!seconds) return bad_input("--time " + options.time + ": expected a duration such as 30s, 5m or 2h");
  if (!options.seed) options.seed = std::random_device{}();
  const auto outside = Outside::of(options.outside);
  if (!outside) return bad_input(outside.error());
  auto pair = pair_of(options, *outside);
  if (!pair) return bad_input(pair.error());
  auto folder = RunFolder::open(options.out);
  if (!folder) {
    std::fprintf(stderr, "fixpoint: %s\n", folder.error().text().c_str());
    return kUnfinished;
  }
  heed_interrupts();
  return Comparing(options, *std::move(pair), *outside, *folder)
      .run(options.cases && options.time == "30s" ? 0 : *seconds);
}

}  // namespace fixpoint::program
