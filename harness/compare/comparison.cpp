#include "harness/compare/comparison.h"

#include <cctype>
#include <set>
#include <utility>

#include "generators/draw.h"
#include "generators/learn_calls.h"
#include "harness/cases/kind_words.h"
#include "harness/compare/sequence_differences.h"
#include "harness/document/joined.h"
#include "harness/document/json.h"
#include "harness/runner/clock.h"
#include "harness/runner/shrink_finding.h"
#include "injectors/bundled.h"
#include "injectors/reconcilers.h"
#include "reports/text.h"

namespace fixpoint::compare {

using document::Error;
using document::Result;

namespace {

std::string name_of(const Difference& difference) { return "differs-" + difference.fingerprint; }

std::string note_of(const Difference& difference, const Comparison& comparison) {
  return difference.path + ": " + difference.of_a + " of " + comparison.a() + ", " + difference.of_b +
         " of " + comparison.b();
}

/// Returns the members of a text of JSON that are no amounts: `"enableModelcar": true`.
std::vector<std::string> settings_in(std::string_view text) {
  std::vector<std::string> settings;
  const auto read = document::read_json(text);
  if (!read) return settings;
  for (const auto& member : read->members()) {
    const bool is_amount = member.value.is_string() && !member.value.text().empty() &&
                           std::isdigit(static_cast<unsigned char>(member.value.text().front())) != 0;
    if (!is_amount)
      settings.push_back(std::string(member.key.text()) + ": " + document::write_json(member.value));
  }
  return settings;
}

/// Returns a value, of an address its scheme alone: what stands behind it is shrunk to anything.
std::string shown_value(std::string_view value) {
  const auto scheme = value.find("://");
  return std::string(scheme == std::string_view::npos ? value : value.substr(0, scheme + 3));
}

/// A smallest Case has nothing that the difference does not need: its annotations and settings cause it.
std::string trigger_of(const cases::Case& smallest) {
  std::vector<std::string> triggers;
  for (const auto& one : smallest.request.object["metadata"]["annotations"].members())
    triggers.push_back("annotation " + std::string(one.key.text()) + ": " + shown_value(one.value.text()));
  for (const document::Value& object : smallest.cluster.objects) {
    const std::string kind(object["kind"].text()), name(object["metadata"]["name"].text());
    if (kind != "ConfigMap") {
      triggers.push_back(kind + " " + name);
      continue;
    }
    for (const auto& section : object["data"].members())
      for (const std::string& setting : settings_in(section.value.text()))
        triggers.push_back("setting " + std::string(section.key.text()) + "." + setting);
  }
  return document::joined(triggers);
}

std::string trigger_of(const cases::Sequence& smallest) {
  std::vector<std::string> triggers;
  for (const cases::Step& step : smallest.steps)
    if (!step.is_reconcile()) triggers.push_back(cases::words(step));
  return document::joined(triggers);
}

/// Compares two webhooks, each alone in its chain.
class WebhookComparison : public Comparison {
 public:
  WebhookComparison(Pair pair, const external::ExternalWebhooks& outside)
      : Comparison(pair.a.name, pair.b.name),
        pair_(std::move(pair)),
        outside_(outside),
        resolve_(outside.resolve()),
        draw_context_(
            {.subjects = {pair_.both()}, .has_faults = false, .has_scripts = false, .resolve = resolve_}) {}

  const char* drawn() const override { return "Cases"; }

  Compared draw(runner::Choices& choices) override {
    plain_ = without_webhooks(generators::draw(choices, draw_context_));
    return compared(plain_, pair_, resolve_, outside_.limits());
  }

  ShownDifference shrunk(const Difference& difference) override {
    const SmallestDifference smallest = shrink(plain_, difference, pair_, resolve_, outside_.limits());
    const auto side = [&](const runner::Subject& subject, const char* letter) {
      cases::Case value = with_subject(smallest.plain, subject);
      value.name = name_of(difference) + "-" + letter;
      value.note = note_of(smallest.difference, *this);
      return cases::canonical_text(value);
    };
    const std::size_t size = runner::scalar_count(smallest.plain.request.object);
    return {.difference = smallest.difference,
            .name = name_of(difference),
            .measure = "leaves",
            .size = size,
            .smallest = cases::said_of(smallest.plain.request,
                                       "smallest Case: " + std::to_string(size) + " values of the Pod"),
            .see = "admit --trace" + outside_.flags_to_replay(with_subject(smallest.plain, pair_.b)),
            .text_a = side(pair_.a, "a"),
            .text_b = side(pair_.b, "b"),
            .trigger = trigger_of(smallest.plain),
            .is_valid = is_valid(smallest.plain, resolve_, outside_.limits())};
  }

 private:
  const Pair pair_;
  const external::ExternalWebhooks& outside_;
  const webhooks::Resolve resolve_;
  const generators::DrawContext draw_context_;
  cases::Case plain_ = {};
};

/// Compares two reconcilers on the same Sequences.
class ReconcilerComparison : public Comparison {
 public:
  ReconcilerComparison(ReconcilerPair pair, const Limits& limits)
      : Comparison(pair.a, pair.b), pair_(std::move(pair)), limits_(limits) {}

  const char* drawn() const override { return "Sequences"; }

  Compared draw(runner::Choices& choices) override {
    value_ = injectors::draw_sequence(choices, {pair_.a});
    const auto difference = first_difference(value_, pair_, resolve_);
    Compared both{.has_acted = true};
    if (difference) both.differences.push_back(*difference);
    return both;
  }

  ShownDifference shrunk(const Difference& difference) override {
    const SmallestSequence smallest = shrink(value_, difference, pair_, resolve_, limits_);
    const auto side = [&](const std::string& subject, const char* letter) {
      cases::Sequence value = with_reconciler(smallest.value, subject);
      value.name = name_of(difference) + "-" + letter;
      value.note = note_of(smallest.difference, *this);
      return cases::canonical_text(value);
    };
    std::vector<std::string> steps;
    if (!smallest.value.initial.is_null()) steps.emplace_back("an autoscaler is stored");
    for (const cases::Step& step : smallest.value.steps) steps.push_back(cases::words(step));
    return {.difference = smallest.difference,
            .name = name_of(difference),
            .measure = "steps",
            .size = smallest.value.steps.size(),
            .smallest = "smallest Sequence: " + document::joined(steps),
            .see = "replay --trace",
            .text_a = side(pair_.a, "a"),
            .text_b = side(pair_.b, "b"),
            .trigger = trigger_of(smallest.value)};
  }

 private:
  const ReconcilerPair pair_;
  const Limits limits_;
  const reconcile::ResolveReconciler resolve_ = injectors::bundled().resolve_reconciler;
  cases::Sequence value_ = {};
};

}  // namespace

Result<std::unique_ptr<Comparison>> comparison_of(const std::string& a, const std::string& b,
                                                  std::uint64_t seed,
                                                  const external::ExternalWebhooks& outside,
                                                  const generators::FindSubjects& find_subjects) {
  auto subjects = find_subjects({a, b}, outside);
  if (!subjects) return std::move(subjects).error();
  auto& found = subjects->chains.subjects;
  const auto& reconcilers = subjects->reconcilers;
  if (!reconcilers.empty() && !found.empty()) {
    return Error{"compare takes two webhooks or two reconcilers: " + reconcilers.front() +
                 " is a reconciler, and " + found.front().name + " is none"};
  }
  if (reconcilers.size() == 2) {
    if (reconcilers.front() == reconcilers.back())
      return Error{"two subjects have the name \"" + reconcilers.front() + "\""};
    return std::unique_ptr<Comparison>(std::make_unique<ReconcilerComparison>(
        ReconcilerPair{reconcilers.front(), reconcilers.back()}, outside.limits()));
  }
  if (found.size() != 2) {
    return Error{"compare takes two subjects, found " + std::to_string(found.size()) + " in " + a + " and " +
                 b};
  }
  if (auto problem = generators::learn_from_calls(*subjects, outside, seed, generators::kLearningSecondsMax))
    return *std::move(problem);
  return std::unique_ptr<Comparison>(
      std::make_unique<WebhookComparison>(Pair{std::move(found.front()), std::move(found.back())}, outside));
}

ComparisonSummary compare_drawn(Comparison& comparison, const ComparisonOptions& options,
                                const std::function<void(const ShownDifference&)>& report) {
  ComparisonSummary summary;
  std::set<std::string> seen;
  const double end = runner::now() + options.seconds_max;
  const auto why_to_stop = [&](bool is_late) -> std::string {
    if (std::string why = options.why_to_stop(); !why.empty()) return why;
    if (options.cases && summary.cases >= *options.cases) return "cases";
    if (summary.kinds >= options.kinds_max) return "kinds";
    return is_late ? "time" : "";
  };
  while (summary.why.empty()) {
    runner::Choices choices(options.seed, summary.cases);
    const Compared found = comparison.draw(choices);
    ++summary.cases;
    summary.acted += found.has_acted ? 1 : 0;
    summary.differing += found.differences.empty() ? 0 : 1;
    for (const Difference& difference : found.differences) {
      if (summary.kinds >= options.kinds_max || !seen.insert(difference.fingerprint).second) continue;
      ++summary.kinds;
      report(comparison.shrunk(difference));
    }
    summary.why = why_to_stop(options.seconds_max > 0 && runner::now() >= end);
  }
  return summary;
}

}  // namespace fixpoint::compare
