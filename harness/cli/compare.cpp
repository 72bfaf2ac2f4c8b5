#include <algorithm>
#include <cstdio>
#include <map>
#include <random>
#include <utility>
#include <variant>

#include "corpus/corpus_files.h"
#include "harness/campaign/run_folder.h"
#include "harness/cases/redaction.h"
#include "harness/cli/command.h"
#include "harness/cli/external_options.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/options.h"
#include "harness/cli/standard_output.h"
#include "harness/cli/subject_names.h"
#include "harness/compare/comparison.h"
#include "harness/document/json.h"
#include "harness/document/output_file.h"
#include "harness/document/printable.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/runner/clock.h"

namespace fixpoint::cli {

namespace {

struct CompareOptions {
  std::string a, b;
  std::vector<std::string> examples = {};
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

Value number(std::uint64_t count) { return Value::number(std::to_string(count)); }

/// Prints a comparison and stores it in its folder.
class DifferencePrinter {
 public:
  DifferencePrinter(const CompareOptions& options, const compare::Comparison& comparison,
                    campaign::RunFolder& folder)
      : options_(options), comparison_(comparison), folder_(folder) {}

  void begin() {
    const Value seed = number(*options_.seed);
    emit({{"event", "start"}, {"seed", seed}, {"a", comparison_.a()}, {"b", comparison_.b()}});
    if (has_text()) std::printf("seed %s\n", std::string(seed.text()).c_str());
  }

  /// Stores a difference; its text waits for the others of its trigger.
  void take(const compare::ShownDifference& shown) {
    const compare::Difference& difference = shown.difference;
    const auto file_a = store(shown.name + "-a", shown.text_a),
               file_b = store(shown.name + "-b", shown.text_b);
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
          {"trigger", shown.trigger},
          {"valid", shown.is_valid},
          {"cases", Value::list({*file_a, *file_b})}},
         redaction);
    std::string text = "\nDIFFERS  " + document::printable(difference.path) + "\n";
    for (const auto& [side, what] :
         {std::pair(comparison_.a(), difference.of_a), {comparison_.b(), difference.of_b}})
      text +=
          "  " + padded(document::printable(side)) + " " + document::printable(redaction.text(what)) + "\n";
    text += "  " + document::printable(shown.smallest) + "\n  see: " + invoked_as() + " " + shown.see + " " +
            *file_a + " " + *file_b + "\n";
    const Group group{!shown.is_valid, redaction.text(shown.trigger)};
    if (const auto known = texts_.find(group); known != texts_.end())
      known->second += text;
    else
      order_.push_back(texts_.emplace(group, text).first);
  }

  std::string why_to_stop() const { return has_lost_ ? "lost" : is_interrupted() ? "interrupted" : ""; }

  /// Prints the summary, stores the last event, and returns the exit code.
  int end(const compare::ComparisonSummary& summary) {
    Value stop{{"event", "stop"}};
    stop.set("reason", summary.why);
    stop.set("cases", number(summary.cases));
    stop.set("differing", number(summary.differing));
    stop.set("kinds", number(summary.kinds));
    stop.set("acted", number(summary.acted));
    emit(stop);
    if (auto problem = folder_.finish(stop)) lose(*problem);
    if (has_lost_) return kUnfinished;
    if (has_text()) {
      print_groups();
      std::printf("\n%llu %s, on %llu of them %s and %s differ, in %llu ways; stopped by %s\n",
                  static_cast<unsigned long long>(summary.cases), comparison_.drawn(),
                  static_cast<unsigned long long>(summary.differing), comparison_.a().c_str(),
                  comparison_.b().c_str(), static_cast<unsigned long long>(summary.kinds),
                  summary.why.c_str());
    }
    if (summary.why == "interrupted") return kInterrupted;
    if (summary.kinds > 0) return kFound;
    return summary.acted > 0 ? kNothingFound : without_verdict(summary);
  }

 private:
  using Group = std::pair<bool, std::string>;  ///< if the objects are invalid, and the trigger

  static std::string padded(std::string text) {
    constexpr std::size_t kColumns = 34;
    text.resize(std::max(text.size(), kColumns), ' ');
    return text;
  }

  /// Prints the differences by their triggers, those on valid objects first, then in the order of their
  /// finding.
  void print_groups() const {
    for (const bool is_invalid : {false, true})
      for (const auto& group : order_) {
        const auto& [of_invalid, trigger] = group->first;
        if (of_invalid != is_invalid) continue;
        const std::string on = of_invalid ? "on objects that no server takes" : "";
        if (!trigger.empty())
          std::printf("\nWITH  %s%s\n", document::printable(trigger).c_str(),
                      on.empty() ? "" : (", " + on).c_str());
        else if (!on.empty())
          std::printf("\n%s\n", on.c_str());
        std::fputs(group->second.c_str(), stdout);
      }
  }

  /// Reports that neither webhook acted: their agreement then means nothing.
  int without_verdict(const compare::ComparisonSummary& summary) const {
    const std::string sentence = "neither " + comparison_.a() + " nor " + comparison_.b() +
                                 " changed or refused a Pod, in " + std::to_string(summary.cases) + " " +
                                 comparison_.drawn();
    if (has_text())
      std::printf("NO VERDICT: %s\nGive an example Pod: --example FILE\n",
                  document::printable(sentence).c_str());
    std::fprintf(stderr, "fixpoint: no verdict: %s\n", document::printable(sentence).c_str());
    return kUnfinished;
  }

  bool has_text() const { return !options_.json && !options_.quiet; }

  Result<std::string> store(const std::string& name, const std::string& text) {
    auto saved = folder_.save_case(name, text);
    if (!saved || !options_.saves) return saved;
    const std::string seed = corpus::corpus_folder() + "/seeds/" + name + ".json";
    if (auto problem = document::write_file(seed, text, document::Readers::owner)) return *problem;
    return saved;
  }

  /// Stores an event and prints it under --json; the folder gets it without redaction.
  void emit(const Value& event, const cases::Redaction& redaction = {}) {
    if (auto problem = folder_.append(event)) lose(*problem);
    if (options_.json) print_now(document::write_json(redaction.texts(event)) + "\n");
    if (is_output_lost()) interrupt_ourselves();
  }

  void lose(const document::Error& error) {
    if (!has_lost_) std::fprintf(stderr, "fixpoint: %s\n", error.text().c_str());
    has_lost_ = true;
  }

  const CompareOptions& options_;
  const compare::Comparison& comparison_;
  campaign::RunFolder& folder_;
  std::map<Group, std::string> texts_ = {};
  std::vector<std::map<Group, std::string>::iterator> order_ = {};
  bool has_lost_ = false;
};

/// Returns an exit code if the command ends here.
std::optional<int> parse(CompareOptions& options, const Arguments& arguments) {
  Options line("compare",
               "Differential fuzzing of two subjects or releases: draws Pods, lets each answer alone, and "
               "prints the smallest Pods on which the results differ, one for each kind of difference, by "
               "the annotation or "
               "setting that causes them, valid Pods first. Of two "
               "reconcilers it prints the shortest Sequences in which they write something else.",
               "  fixpoint compare kserve/modelcar@0.12.0 kserve/modelcar@0.12.1\n"
               "  fixpoint compare kserve/hpa@0.15.0 kserve/hpa@0.15.2\n"
               "  fixpoint compare old.yaml new.yaml --webhook old.hook.io=https://127.0.0.1:9443/mutate …");
  line.positional("A", options.a, "a name from `fixpoint list`, or a file", true);
  line.positional("B", options.b, "what it is compared with", true);
  line.value("--seed", options.seed,
             "seed of all random decisions; by default a random one, which is printed");
  line.value("--cases", options.cases,
             "stop after this many Cases or Sequences; equal seeds then give equal output, byte for byte");
  add_examples_option(line, options.examples);
  line.value("--time DURATION", options.time, "stop after this time; 0 for no limit (default 30s)");
  line.value("--kinds", options.kinds_max, "stop after this many kinds of difference (default 20)");
  line.value("--out DIR", options.out, "the run's folder (default run/); an earlier run moves to run.1/");
  line.flag("--save", options.saves, "keep the Cases in corpus/seeds/ too");
  line.flag("--json", options.json, "NDJSON events on standard output");
  line.flag("--quiet", options.quiet, "no text");
  add_external_options(line, options.outside);
  return line.parse(arguments);
}

}  // namespace

int compare(const Arguments& arguments) {
  CompareOptions options;
  if (const auto code = parse(options, arguments)) return *code;
  const auto seconds = runner::parse_duration(options.time);
  if (!seconds)
    return bad_input("--time " + options.time + ": expected a duration with its unit, such as 30s, 5m or 2h");
  if (options.cases == 0) return bad_input("--cases: expected at least 1");
  if (options.kinds_max == 0) return bad_input("--kinds: expected at least 1");
  if (!options.seed) options.seed = std::random_device{}();
  const auto outside = external_webhooks(options.outside);
  if (!outside) return bad_input(outside.error());
  const auto find = find_with_examples(options.examples, false, outside->limits());
  if (!find) return bad_input(find.error());
  const auto comparison = compare::comparison_of(options.a, options.b, *options.seed, *outside, *find);
  if (!comparison) return bad_input(comparison.error());
  auto opened = campaign::RunFolder::open(options.out);
  if (const auto* unopened = std::get_if<campaign::Unopened>(&opened)) return unopened_folder(*unopened);
  heed_interrupts();
  DifferencePrinter printer(options, **comparison, std::get<campaign::RunFolder>(opened));
  printer.begin();
  const compare::ComparisonOptions bounds{
      .seed = *options.seed,
      .cases = options.cases,
      .seconds_max = options.cases && options.time == "30s" ? 0 : *seconds,
      .kinds_max = options.kinds_max,
      .why_to_stop = [&] { return printer.why_to_stop(); }};
  return printer.end(
      compare::compare_drawn(**comparison, bounds, [&](const auto& shown) { printer.take(shown); }));
}

}  // namespace fixpoint::cli
