#include "harness/compare/sequence_differences.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "generators/reduce_sequence.h"
#include "harness/document/diff.h"
#include "harness/document/joined.h"
#include "harness/document/json.h"
#include "harness/properties/sequences/sequence_property.h"
#include "harness/runner/fingerprint.h"
#include "harness/runner/sequences.h"
#include "reports/text.h"

namespace fixpoint::compare {

namespace {

using cases::Sequence;
using document::Value;
using reconcile::Request;
using reconcile::StepResult;

constexpr const char* kNoneThere = "nothing";

/// Returns the writing requests of a reconcile, without dry runs.
std::vector<const Request*> writes_of(const StepResult& result) {
  std::vector<const Request*> writes;
  for (const Request& request : result.reconciled.requests)
    if (!request.dry_run) writes.push_back(&request);
  return writes;
}

/// Returns the writes as text: "update HorizontalPodAutoscaler default/model-predictor, delete …".
std::string writes_in_words(const std::vector<const Request*>& writes) {
  std::vector<std::string> words;
  for (const Request* write : writes)
    words.push_back(std::string(word(write->verb)) + " " + properties::sequences::title(write->object));
  return words.empty() ? kNoneThere : document::joined(words);
}

/// Returns the writes without names: "update HorizontalPodAutoscaler".
std::string writes_by_kind(const std::vector<const Request*>& writes) {
  std::vector<std::string> kinds;
  for (const Request* write : writes)
    kinds.push_back(std::string(word(write->verb)) + " " + std::string(write->object["kind"].text()));
  return document::joined(kinds);
}

/// The way in which a reconcile ended; the text of an error does not count.
enum class ReconcileEnd { well, error, crash };
ReconcileEnd reconcile_end(const StepResult& result) {
  if (result.reconciled.crashed) return ReconcileEnd::crash;
  return result.reconciled.error.empty() ? ReconcileEnd::well : ReconcileEnd::error;
}
std::string end_in_words(const StepResult& result) {
  constexpr const char* kEnds[] = {"ends well", "fails: ", "crashes"};
  return kEnds[static_cast<int>(reconcile_end(result))] + result.reconciled.error;
}

std::string json_or_nothing(const std::optional<Value>& value) {
  return value ? document::write_json(*value) : kNoneThere;
}

std::string without_indices(const std::string& pointer) {
  std::string shape;
  for (const char c : pointer) {
    if (c < '0' || c > '9') shape += c;
  }
  return shape;
}

Difference difference_of(std::string path, std::string of_a, std::string of_b,
                         std::initializer_list<std::string_view> shape) {
  return {std::move(path), std::move(of_a), std::move(of_b), runner::fingerprint_of(shape)};
}

/// Compares the content of the requests if both write to the same objects.
std::optional<Difference> difference_of_objects(const std::string& step, const std::vector<const Request*>& a,
                                                const std::vector<const Request*>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i]->verb == Request::Verb::remove) continue;  // a removal has no content
    const auto changes = document::list_changes(a[i]->object, b[i]->object, 1);
    if (changes.empty()) continue;
    const auto& [pointer, of_a, of_b] = changes.front();
    const char* lacks = !of_a ? "a" : !of_b ? "b" : "";
    return difference_of(step + ".writes[" + std::to_string(i) + "] " + pointer, json_or_nothing(of_a),
                         json_or_nothing(of_b),
                         {"compare", "object", a[i]->object["kind"].text(), without_indices(pointer), lacks});
  }
  return std::nullopt;
}

std::optional<Difference> difference_of_results(std::size_t index, const StepResult& a, const StepResult& b) {
  const std::string step = properties::sequences::step_path(index);
  const auto of_a = writes_of(a), of_b = writes_of(b);
  const std::string words_a = writes_in_words(of_a), words_b = writes_in_words(of_b);
  if (words_a != words_b) {
    return difference_of(step + ".writes", words_a, words_b,
                         {"compare", "writes", writes_by_kind(of_a), writes_by_kind(of_b)});
  }
  if (auto difference = difference_of_objects(step, of_a, of_b)) return difference;
  if (reconcile_end(a) == reconcile_end(b)) return std::nullopt;
  const std::string ends =
      std::to_string(static_cast<int>(reconcile_end(a))) + std::to_string(static_cast<int>(reconcile_end(b)));
  return difference_of(step + ".end", end_in_words(a), end_in_words(b), {"compare", "end", ends});
}

}  // namespace

Sequence with_reconciler(Sequence value, const std::string& subject) {
  value.subject = subject;
  return value;
}

std::optional<Difference> first_difference(const Sequence& value, const ReconcilerPair& pair,
                                           const reconcile::ResolveReconciler& resolve) {
  const auto a = runner::prepare(with_reconciler(value, pair.a), resolve);
  const auto b = runner::prepare(with_reconciler(value, pair.b), resolve);
  if (!a || !b) return std::nullopt;
  for (std::size_t i = 0; i < a->results.size(); ++i) {
    if (auto difference = difference_of_results(i, a->results[i], b->results[i])) return difference;
  }
  return std::nullopt;
}

SmallestSequence shrink(const Sequence& value, const Difference& difference, const ReconcilerPair& pair,
                        const reconcile::ResolveReconciler& resolve, const Limits& limits) {
  SmallestSequence smallest{value, difference};
  const auto reconciler = resolve(pair.a);
  const auto kinds = reconciler ? reconciler->steps : std::span<const reconcile::StepKind>();
  std::size_t tries = 0;
  for (bool progress = true; progress && tries < limits.shrink_tries_max;) {
    progress = false;
    generators::reduce_sequence(smallest.value, kinds, [&](const Sequence& candidate) {
      if (++tries > limits.shrink_tries_max) return false;
      auto still = first_difference(candidate, pair, resolve);
      if (!still || still->fingerprint != difference.fingerprint) return false;
      smallest = {candidate, *std::move(still)};
      return progress = true;
    });
  }
  return smallest;
}

}  // namespace fixpoint::compare
