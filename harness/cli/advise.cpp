#include <algorithm>
#include <cstdio>
#include <random>

#include "harness/campaign/run_folder.h"
#include "harness/cases/redaction.h"
#include "harness/cli/command.h"
#include "harness/cli/external_options.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/options.h"
#include "harness/cli/subject_names.h"
#include "harness/compare/chain_advice.h"
#include "harness/compare/chain_reader.h"
#include "harness/document/joined.h"
#include "harness/document/json.h"
#include "harness/document/printable.h"
#include "harness/external/backends/external_webhooks.h"
#include "reports/text.h"

namespace fixpoint::cli {

namespace {

/// Prints the advice, and stores the Cases that show it.
class AdvicePrinter {
 public:
  AdvicePrinter(campaign::RunFolder& folder, const external::ExternalWebhooks& outside, bool json)
      : folder_(folder), outside_(outside), json_(json) {}

  void print(const compare::Advice& advice) {
    const std::string in_cases = ", in " + std::to_string(advice.cases) + " Cases\n";
    if (!advice.has_evidence())
      say("NO VERDICT  no member of the chain changed a Pod" + in_cases);
    else
      say(std::string("VERDICT  the chain is ") + (advice.is_sound() ? "right" : "not right") +
          " as it is configured: " + orders_in_brief(advice) +
          (advice.defects.empty() ? "" : ", apart from defects of single members") + in_cases);
    for (const compare::WebhookAdvice& one : advice.webhooks) print(one, advice.cases);
    if (!advice.defects.empty()) say("\nDefects of single members, which no order mends\n");
    for (std::size_t i = 0; i < advice.defects.size(); ++i) print(advice.defects[i], i);
    const auto policies = std::count_if(advice.webhooks.begin(), advice.webhooks.end(),
                                        [](const auto& one) { return one.is_policy; });
    say(orders_title(advice));
    if (policies > 1)
      say("  The server promises no order of policies: each order of them must work. It runs them before the "
          "webhooks.\n");
    const char* first = policies > 1 ? "by name" : "the cluster's own";
    for (std::size_t i = 0; i < advice.orders.size(); ++i)
      print(advice.orders[i], i, i == 0 ? first : "possible, too", advice.order_cases);
    if (!advice.not_asked.empty()) say("\nNot asked\n");
    for (const std::string& open : advice.not_asked) {
      emit({{"event", "not-asked"}, {"question", open}});
      say("  " + document::printable(open) + "\n");
    }
  }

  std::optional<document::Error> problem() const { return problem_; }
  /// Stores an event and prints it under --json; the folder gets it without redaction.
  void emit(const Value& event, const cases::Redaction& redaction = {}) {
    if (auto lost = folder_.append(event)) problem_ = lost;
    if (json_) std::printf("%s\n", document::write_json(redaction.texts(event)).c_str());
  }

 private:
  void say(const std::string& text) const {
    if (!json_) std::fputs(text.c_str(), stdout);
  }

  /// Returns the number of orders that work, in words; that no order was judged if no Case could judge one.
  static std::string orders_in_brief(const compare::Advice& advice) {
    if (advice.order_cases == 0) return "no order could be judged";
    const auto working = std::count_if(advice.orders.begin(), advice.orders.end(),
                                       [](const auto& one) { return one.problem.empty(); });
    return std::to_string(working) + " of " + std::to_string(advice.orders.size()) +
           (advice.orders.size() == 1 ? " order works" : " orders work");
  }

  static std::string orders_title(const compare::Advice& advice) {
    if (advice.order_cases == 0)
      return "\nOrders: no evidence, since each valid Pod had something already that the chain adds\n";
    return "\nOrders, judged by the " + reports::plural(advice.order_cases, "Case", "Cases") + " whose Pod " +
           (advice.examples > 0 ? "is an example or " : "") + "has nothing yet that the chain adds\n";
  }

  /// Prints the command that shows the stored Case, if one was stored.
  void see(const std::string& command, const std::string& file, const std::optional<cases::Case>& value) {
    if (file.empty()) return;
    say("    see: " + invoked_as() + " " + command + " --trace " + file + outside_.flags_to_replay(*value) +
        "\n");
  }

  /// Returns the redaction that hides, in sentences, the secrets of these Cases.
  static cases::Redaction redaction_of(std::initializer_list<const std::optional<cases::Case>*> evidence) {
    cases::Redaction redaction;
    for (const auto* value : evidence)
      if (*value) redaction.learn(cases::write_case(**value));
    return redaction;
  }

  /// Stores the Case and returns the path of its file; empty if there is no Case.
  std::string store(const std::optional<cases::Case>& evidence, const std::string& name) {
    if (!evidence) return {};
    cases::Case value = *evidence;
    value.name = name;
    const auto saved = folder_.save_case(value.name, cases::canonical_text(value));
    if (!saved) return (problem_ = saved.error(), std::string());
    return *saved;
  }

  /// Returns the reason for advice on a policy if no Case is evidence for it.
  static std::string evidence_of(const compare::WebhookAdvice& one, std::uint64_t cases) {
    using Policy = compare::WebhookAdvice::Policy;
    if (one.policy == Policy::safe)
      return ": it was called again in " + std::to_string(one.called_again) + " Cases, and nothing needed it";
    if (one.policy == Policy::harmful)
      return one.harm.starts_with(compare::kRefusesAgain) ? std::string(": ") + compare::kRefusesAgain
                                                          : ": a second call does harm";
    if (one.policy != Policy::unknown) return "";
    return ": it " + std::string(one.changed == 0 ? "changed no Pod" : "was never called again") + " in " +
           std::to_string(cases) + " Cases";
  }

  void print(const compare::OwnDefect& one, std::size_t index) {
    const std::string shown = store(one.shown_by, "defect-" + std::to_string(index));
    const auto redaction = redaction_of({&one.shown_by});
    emit({{"event", "defect"},
          {"configuration", one.configuration},
          {"property", one.property},
          {"problem", one.problem},
          {"case", shown}},
         redaction);
    say("  " + document::printable(one.configuration) + "\n    " + one.property + ": " +
        document::printable(redaction.sentence(one.problem)) + "\n");
    see("replay", shown, one.shown_by);
  }

  void print(const compare::WebhookAdvice& one, std::uint64_t cases) {
    const std::string number = std::to_string(webhooks_++);
    const std::string needed = store(one.needed_case, "never-misses-" + number),
                      harmful = store(one.harmful_case, "called-again-harms-" + number);
    const auto& said = compare::said_of(one.policy);
    const auto redaction = redaction_of({&one.needed_case, &one.harmful_case});
    emit({{"event", "webhook"},
          {"webhook", one.webhook},
          {"policy", said.word},
          {"configured", one.is_if_needed ? "IfNeeded" : "Never"},
          {"right", one.is_right()},
          {"changed", Value::number(std::to_string(one.changed))},
          {"calledAgain", Value::number(std::to_string(one.called_again))},
          {"missed", one.missed},
          {"harm", one.harm},
          {"cases", Value::list({needed, harmful})}},
         redaction);
    say("\n" + document::printable(one.webhook) + "   asks for " + (one.is_if_needed ? "IfNeeded" : "Never") +
        "\n  " + said.sentence + evidence_of(one, cases) + "\n");
    if (!one.missed.empty())
      say("  with Never: " + document::printable(redaction.sentence(one.missed)) + "\n");
    see("admit", needed, one.needed_case);
    if (!one.harm.empty())
      say("  with IfNeeded: " + document::printable(redaction.sentence(one.harm)) + "\n");
    see("replay", harmful, one.harmful_case);
  }

  void print(const compare::OrderAdvice& one, std::size_t index, const std::string& note,
             std::uint64_t cases) {
    const std::string shown = store(one.shown_by, "order-" + std::to_string(index));
    std::vector<Value> names(one.order.begin(), one.order.end());
    const auto redaction = redaction_of({&one.shown_by});
    emit({{"event", "order"},
          {"order", std::move(names)},
          {"works", one.problem.empty() && cases > 0},
          {"possible", one.may_happen},
          {"cases", Value::number(std::to_string(cases))},
          {"property", one.property},
          {"problem", one.problem},
          {"case", shown}},
         redaction);
    const char* said = !one.problem.empty() ? "  fails  " : cases > 0 ? "  works  " : "  no evidence  ";
    say(said + document::printable(document::joined(one.order)) +
        (one.may_happen ? "   (" + note + ")\n" : "\n"));
    if (one.problem.empty()) return;
    say("    " + one.property + ": " + document::printable(redaction.sentence(one.problem)) + "\n");
    see("replay", shown, one.shown_by);
  }

  campaign::RunFolder& folder_;
  const external::ExternalWebhooks& outside_;
  bool json_;
  std::size_t webhooks_ = 0;
  std::optional<document::Error> problem_ = {};
};

}  // namespace

int advise(const Arguments& arguments) {
  std::vector<std::string> names, examples;
  std::optional<std::uint64_t> seed;
  std::uint64_t cases = 500;
  std::string out = "run";
  bool json = false;
  external::ExternalOptions outside_options;
  Options line("advise",
               "Per webhook or policy of a chain: is IfNeeded needed, is Never safe; and which orders of the "
               "chain work, each with the smallest Case that shows it.",
               "  fixpoint advise kserve/pod-mutator peers/sidecar-guarded\n  fixpoint advise case.yaml\n"
               "  fixpoint advise manifest.yaml --webhook inject.example.io=https://127.0.0.1:9443/mutate");
  line.positionals("CHAIN", names, "the subjects of the chain, by name or file; or a file with one Case");
  line.value("--seed", seed, "seed of all random decisions; by default a random one, which is printed");
  line.value("--cases", cases, "Cases to draw (default 500)");
  add_examples_option(line, examples);
  line.value("--out DIR", out, "the run's folder (default run/); an earlier run moves to run.1/");
  line.flag("--json", json, "NDJSON events on standard output");
  add_external_options(line, outside_options);
  if (const auto code = line.parse(arguments)) return *code;
  if (names.empty()) return bad_input("advise: expected a chain: names of subjects, or a file");
  if (!seed) seed = std::random_device{}();
  const auto outside = external_webhooks(outside_options);
  if (!outside) return bad_input(outside.error());
  const auto find = find_with_examples(examples, false, outside->limits());
  if (!find) return bad_input(find.error());
  const auto chain = compare::read_chain(names, *seed, *outside, *find);
  if (!chain) return bad_input(chain.error());
  auto opened = campaign::RunFolder::open(out);
  if (const auto* unopened = std::get_if<campaign::Unopened>(&opened)) return unopened_folder(*unopened);
  auto& folder = std::get<campaign::RunFolder>(opened);
  heed_interrupts();
  AdvicePrinter printer(folder, *outside, json);
  const Value seed_number = Value::number(std::to_string(*seed));
  printer.emit({{"event", "start"}, {"seed", seed_number}});
  if (!json) std::printf("seed %s\n", std::string(seed_number.text()).c_str());
  const compare::Advice advice = compare::advise_on(
      *chain, {.seed = *seed, .cases = cases, .resolve = outside->resolve(), .interrupted = is_interrupted});
  printer.print(advice);
  Value stop{{"event", "stop"}};
  stop.set("reason", is_interrupted() ? "interrupted" : "cases");
  stop.set("cases", Value::number(std::to_string(advice.cases)));
  stop.set("sound", advice.is_sound());
  printer.emit(stop);
  const auto lost = printer.problem() ? printer.problem() : folder.finish(stop);
  if (lost) return (std::fprintf(stderr, "fixpoint: %s\n", lost->text().c_str()), kUnfinished);
  if (is_interrupted()) return kInterrupted;
  if (!advice.is_sound()) return kFound;
  return advice.has_evidence() ? kNothingFound : kUnfinished;
}

}  // namespace fixpoint::cli
