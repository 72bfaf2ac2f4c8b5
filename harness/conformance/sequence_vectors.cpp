#include "harness/conformance/sequence_vectors.h"

#include <algorithm>
#include <tuple>

#include "harness/conformance/live_objects.h"
#include "harness/document/diff.h"
#include "harness/document/json.h"
#include "injectors/bundled.h"
#include "injectors/reconcilers.h"

namespace fixpoint::conformance {

using document::Value;

namespace {

constexpr std::string_view kAutoscaler = "HorizontalPodAutoscaler";

/// Returns the object without the members that the API server alone writes.
Value comparable(const Value* object) {
  if (object == nullptr) return {};
  if (!(*object)["metadata"].is_object()) return *object;
  Value copy = *object;
  for (const char* member : {"apiVersion", "kind", "status"}) copy.remove(member);
  Value& metadata = copy.edit("metadata");
  for (const char* member : {"resourceVersion", "uid", "creationTimestamp", "generation", "managedFields"})
    metadata.remove(member);
  return copy;
}

/// Returns the step in the form of a recorded one.
Value recorded(const reconcile::StepResult& result) {
  Value out{{"action", "none"},
            {"hpa", Value()},
            {"failed", !result.reconciled.error.empty()},
            {"crashed", result.reconciled.crashed}};
  std::vector<Value> other;
  for (const reconcile::Request& request : result.reconciled.requests) {
    const std::string_view kind = request.object["kind"].text();
    if (kind == kAutoscaler) {
      out.set("action", word(request.verb));
      continue;
    }
    const std::string_view version = request.object["apiVersion"].text();
    other.push_back(std::string(word(request.verb)) + " " +
                    std::string(version.substr(version.find('/') + 1)) + "." + std::string(kind));
  }
  out.set("other", std::move(other));
  const Value &space = result.desired["namespace"], &name = result.desired["name"];
  out.set("hpa", comparable(result.after.find(kAutoscaler, space.text(), name.text())));
  return out;
}

Value expected(const Value& expect) {
  const Value& other = expect["other"];
  return {{"action", expect["action"]},
          {"hpa", comparable(&expect["hpa"])},
          {"failed", !expect["error"].is_null()},
          {"crashed", !expect["panic"].is_null()},
          {"other", other.is_null() ? Value::empty_list() : other}};
}

std::tuple<std::string_view, std::string_view, std::string_view> identity_of(const Value& object) {
  const Value& metadata = object["metadata"];
  return {object["kind"].text(), metadata["namespace"].text(), metadata["name"].text()};
}

/// Returns the object with what every stored one has: an API version, which the autoscalers of a Sequence may
/// lack.
Value as_stored(const Value& object) {
  Value stored = without_server_members(object);
  if (stored["apiVersion"].is_null()) stored.set("apiVersion", autoscaler_kind().api_version);
  return stored;
}

Value step_of(const reconcile::StepResult& result) {
  std::vector<Value> requests, objects;
  for (const reconcile::Request& request : result.reconciled.requests) {
    requests.emplace_back(std::string(word(request.verb)) + " " + std::string(request.object["kind"].text()) +
                          (request.dry_run ? " dry" : ""));
  }
  for (const Value& object : result.after.all) objects.push_back(as_stored(object));
  std::sort(objects.begin(), objects.end(),
            [](const Value& a, const Value& b) { return identity_of(a) < identity_of(b); });
  return {{"requests", std::move(requests)},
          {"error", result.reconciled.error},
          {"crashed", result.reconciled.crashed},
          {"objects", std::move(objects)}};
}

/// A refusal is "Reason: what the server says", of which the simulator knows the reason.
std::string_view reason_of(const Value& step) {
  const std::string_view text = step["error"].text();
  return text.substr(0, text.find(": "));
}

}  // namespace

Compared check_sequence(const Value& line, int) {
  const auto sequence = cases::read_sequence(line, injectors::bundled().sequence_reader());
  if (!sequence) return {Compared::Answer::unsupported, {sequence.error().text()}};
  const auto reconciler = injectors::resolve_reconciler(sequence->subject);
  if (!reconciler) return {Compared::Answer::unsupported, {reconciler.error().text()}};
  // The recordings are of KServe's code with a fake client.
  reconcile::MemoryStore store(reconcile::stored_at_first(*sequence), reconcile::Validation::none);
  const auto results = reconcile::run_sequence(*sequence, *reconciler, store);
  Compared compared;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Value found = recorded(results[i]), wanted = expected(line["steps"].at(i)["expect"]);
    if (found == wanted) continue;
    compared.answer = Compared::Answer::disagreed;
    compared.differences.push_back("step " + std::to_string(i + 1) + ": expected " +
                                   write_json(sorted(wanted)) + ", found " + write_json(sorted(found)));
  }
  return compared;
}

Value steps_of(const std::vector<reconcile::StepResult>& results) {
  std::vector<Value> steps;
  for (const reconcile::StepResult& result : results) steps.push_back(step_of(result));
  return steps;
}

Compared check_live_sequence(const Value& line, int) {
  const auto sequence = cases::read_sequence(line["sequence"], injectors::bundled().sequence_reader());
  if (!sequence) return {Compared::Answer::unsupported, {sequence.error().text()}};
  const auto reconciler = injectors::resolve_reconciler(sequence->subject);
  if (!reconciler) return {Compared::Answer::unsupported, {reconciler.error().text()}};
  const Value found = steps_of(reconcile::run_sequence(*sequence, *reconciler));
  constexpr std::size_t kShownMax = 12;
  const auto shown = [](const std::optional<Value>& value) {
    return value ? document::write_json(document::sorted(*value)) : "nothing";
  };
  Compared compared;
  for (std::size_t i = 0; i < std::max(found.size(), line["steps"].size()); ++i) {
    const Value &wanted = line["steps"].at(i), &ours = found.at(i);
    const std::string place = "step " + std::to_string(i + 1) + " ";
    if (reason_of(wanted) != reason_of(ours)) {
      compared.differences.push_back(place + "error: expected " + shown(wanted["error"]) + ", found " +
                                     shown(ours["error"]));
    }
    for (const char* member : {"requests", "crashed", "objects"}) {
      for (const document::Change& change : document::list_changes(wanted[member], ours[member], kShownMax)) {
        compared.differences.push_back(place + member + change.pointer + ": expected " +
                                       shown(change.before) + ", found " + shown(change.after));
      }
    }
  }
  if (!compared.differences.empty()) compared.answer = Compared::Answer::disagreed;
  return compared;
}

}  // namespace fixpoint::conformance
