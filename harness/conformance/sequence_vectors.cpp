#include "harness/conformance/sequence_vectors.h"

#include "harness/document/json.h"
#include "harness/reconcile/run_sequence.h"
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

}  // namespace

Compared check_sequence(const Value& line, int) {
  const auto sequence = cases::read_sequence(line, injectors::bundled().sequence_reader());
  if (!sequence) return {Compared::Answer::unsupported, {sequence.error().text()}};
  const auto reconciler = injectors::resolve_reconciler(sequence->subject);
  if (!reconciler) return {Compared::Answer::unsupported, {reconciler.error().text()}};
  const auto results = reconcile::run_sequence(*sequence, *reconciler);
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

}  // namespace fixpoint::conformance
