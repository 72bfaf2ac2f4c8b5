#include "harness/api/command_sequences.h"

#include <algorithm>
#include <stdexcept>

#include "generators/reduce_sequence.h"
#include "harness/api/internal/in_process.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/runner/diagnosis/describe_finding.h"
#include "harness/runner/sequences.h"
#include "injectors/bundled.h"
#include "injectors/reconcilers.h"

namespace fixpoint {

using document::Value;

struct Reconciler::Hidden {
  std::string name;
  std::string drawn_as;  ///< the bundled reconciler whose Sequences are drawn
  reconcile::Reconciler reconciler;
  std::vector<reconcile::StepKind> kinds = injectors::bundled().catalog.steps();
};

namespace {

template <class T>
T valid(document::Result<T> result) {
  if (!result) throw std::invalid_argument(result.error().text());
  return *std::move(result);
}

Sequence sequence_of(cases::Sequence value) {
  return Sequence(std::make_shared<const cases::Sequence>(std::move(value)));
}

reconcile::Request request_of(const Value& request) {
  using Verb = reconcile::Request::Verb;
  for (const Verb verb : {Verb::create, Verb::update, Verb::remove}) {
    if (reconcile::word(verb) == request["verb"].text() && request["object"].is_object())
      return {.verb = verb, .object = request["object"], .dry_run = request["dryRun"].is_true()};
  }
  throw std::invalid_argument("expected requests {verb: create, update or delete, object: {…}}");
}

reconcile::Reconciled reconcile_by(const ReconcileHandler& handler, const reconcile::Objects& stored,
                                   const Value& component) {
  reconcile::Reconciled reconciled;
  try {
    const Value answer = valid(
        document::read_json(handler(document::write_json(Value(stored.all)), document::write_json(component)),
                            {}, document::Strictness::foreign));
    if (!answer.is_array()) throw std::invalid_argument("expected a list of requests");
    for (const Value& request : answer.elements()) reconciled.requests.push_back(request_of(request));
  } catch (const std::exception& problem) {
    reconciled.error = problem.what();
  }
  return reconciled;
}

std::string newest_bundled() {
  return valid(injectors::full_reconciler_name(injectors::all_reconcilers().front().name));
}

}  // namespace

Reconciler::Reconciler(const std::string& bundled) {
  const std::string name = valid(injectors::full_reconciler_name(bundled));
  hidden_ = std::make_shared<const Hidden>(
      Hidden{.name = name, .drawn_as = name, .reconciler = valid(injectors::resolve_reconciler(name))});
}

Reconciler::Reconciler(std::string name, ReconcileHandler handler) {
  const std::string like = newest_bundled();
  hidden_ = std::make_shared<const Hidden>(Hidden{
      .name = std::move(name),
      .drawn_as = like,
      .reconciler = {
          .reconcile = [handler = std::move(handler)](
                           const reconcile::Objects& stored,
                           const Value& component) { return reconcile_by(handler, stored, component); },
          .steps = valid(injectors::resolve_reconciler(like)).steps}});
}

std::string Reconciler::name() const { return hidden_->name; }

Sequence::Sequence(const Reconciler& reconciler)
    : value_(std::make_shared<const cases::Sequence>(cases::Sequence{.subject = reconciler.name()})) {}

Sequence Sequence::read(const std::string& text) {
  const auto documents = valid(document::read_stream(text));
  if (documents.size() != 1) throw std::invalid_argument("expected one Sequence or Finding");
  cases::SequenceReader reader = injectors::bundled().sequence_reader();
  reader.known_subject = {};  // it may be the caller's own
  if (documents.front()["kind"].text() != "Finding")
    return sequence_of(valid(cases::read_sequence(documents.front(), reader)));
  auto finding = valid(cases::read_finding(documents.front(), {}, reader));
  if (!finding.sequence)
    throw std::invalid_argument("expected the Finding of a reconciler, not of a webhook");
  return sequence_of(*std::move(finding.sequence));
}

std::string Sequence::text() const { return cases::canonical_text(*value_); }
std::string Sequence::initial() const { return document::write_json(value_->initial); }

std::vector<std::string> Sequence::steps() const {
  std::vector<std::string> steps;
  const Value written = cases::write_sequence(*value_);
  for (const Value& step : written["steps"].elements()) steps.push_back(document::write_json(step));
  return steps;
}

Sequence Sequence::with_step(const std::string& step) const {
  Value written = cases::write_sequence(*value_);
  written.edit("steps").push_back(valid(document::read_json(step)));
  return read(document::write_json(written));
}

Sequence Sequence::without_steps() const {
  cases::Sequence value = *value_;
  value.steps.clear();
  return sequence_of(std::move(value));
}

Sequence draw_sequence(std::uint64_t seed, std::uint64_t number, const Reconciler& reconciler) {
  runner::Choices choices(seed, number);
  cases::Sequence value = injectors::draw_sequence(choices, {reconciler.hidden().drawn_as});
  value.subject = reconciler.name();
  return sequence_of(std::move(value));
}

std::vector<Sequence> shrink_candidates(const Sequence& value, const Reconciler& reconciler) {
  std::vector<Sequence> candidates;
  generators::reduce_sequence(value.value(), reconciler.hidden().kinds,
                              [&](const cases::Sequence& candidate) {
                                candidates.push_back(sequence_of(candidate));
                                return false;
                              });
  return candidates;
}

std::vector<CheckFinding> violations(const Sequence& value, const Reconciler& reconciler) {
  const auto resolve = [&](std::string_view) -> document::Result<reconcile::Reconciler> {
    return reconciler.hidden().reconciler;
  };
  cases::Sequence own = value.value();
  own.subject = reconciler.name();
  const auto prepared = valid(runner::prepare(std::move(own), resolve));
  std::vector<CheckFinding> found;
  for (const auto* property : injectors::bundled().catalog.of_sequences()) {
    const auto judgement = runner::ask(prepared, *property, {});
    const auto* violated = std::get_if<properties::Violated>(&judgement);
    if (violated == nullptr) continue;
    for (const properties::Violation& violation : violated->violations)
      found.push_back(api::finding_of(runner::finding_of({prepared, violation}, *property)));
  }
  return found;
}

}  // namespace fixpoint
