#include "harness/runner/loop/history_search.h"

#include <utility>

#include "harness/properties/property.h"

namespace fixpoint::runner {

namespace {

using cases::Case;
using document::Value;
using properties::Violation;

bool do_replicas_disagree(const Case& value, const webhooks::Resolve& resolve, const Limits& limits) {
  const auto prepared = prepare(value, resolve, limits, kWithoutWarnings);
  if (!prepared) return false;
  const auto judgement = properties::find("replicas-agree")->ask(examination_of(*prepared, limits));
  return std::holds_alternative<properties::Violated>(judgement);
}

bool is_namespace(const Value& object, std::string_view name) {
  return object["kind"].text() == "Namespace" && object["metadata"]["name"].text() == name;
}
bool is_in_namespace(const Value& object, std::string_view name) {
  return object["metadata"]["namespace"].text() == name;
}

/// Returns the Case with the namespaces of earlier ones and what is in them.
Case with_namespaces_of(const std::vector<Case>& earlier, Case value) {
  for (const Case& one : earlier) {
    const std::string& space = one.request.namespace_name;
    if (space == value.request.namespace_name) continue;
    for (const Value& object : one.cluster.objects)
      if (is_namespace(object, space) || is_in_namespace(object, space)) value.cluster.add_missing(object);
  }
  return value;
}

/// Returns the earlier requests as requests to the cluster of the Case: what a webhook keeps of the objects
/// of another cluster, such as settings that it reads at its start, comes of no request.
std::vector<Case> in_cluster_of(const Case& value, std::vector<Case> earlier) {
  for (Case& one : earlier) {
    cases::Request request = std::move(one.request);
    one = value;
    one.request = std::move(request);
  }
  return earlier;
}

class Search {
 public:
  Search(const webhooks::Resolve& resolve, const Limits& limits, const std::function<bool()>& is_over)
      : resolve_(resolve), limits_(limits), is_over_(is_over) {}

  /// Returns the violation that the Case shows after the requests of those Cases; of one shape only, if it is
  /// given.
  std::optional<Violation> ask(const std::vector<Case>& before, const Case& value,
                               const std::string& shape = "") {
    if (before.empty() || ++tries_ > kHistoryTriesMax || is_over_()) return std::nullopt;
    const std::uint64_t skipped_calls = resolve_.calls_skipped_so_far();
    const auto prepared = prepare_after(in_cluster_of(value, before), value, resolve_.anew(), limits_);
    if (!prepared) return std::nullopt;
    const auto judgement = property_.ask(examination_of(*prepared, limits_));
    const auto* violated = std::get_if<properties::Violated>(&judgement);
    if (violated == nullptr || resolve_.calls_skipped_so_far() != skipped_calls) return std::nullopt;
    for (const Violation& violation : violated->violations)
      if (shape.empty() || violation.shape == shape) return violation;
    return std::nullopt;
  }

  /// Leaves fewer Cases before it: a single one if that is enough, else all without those that are not
  /// needed.
  void leave_out(HistoryDependence& found) {
    if (found.before.size() == 1) return;
    for (const Case& one : found.before) {
      if (auto violation = ask({one}, found.value, found.violation.shape)) {
        found.violation = *std::move(violation);
        found.before = std::vector<Case>{one};
        return;
      }
    }
    for (std::size_t i = 0; i < found.before.size() && found.before.size() > 1;) {
      std::vector<Case> fewer = found.before;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (!ask(fewer, found.value, found.violation.shape)) {
        ++i;
        continue;
      }
      found.before = std::move(fewer);
    }
  }

  void shrink(HistoryDependence& found, const Reduce& reduce) {
    const auto take = [&](HistoryDependence smaller) {
      auto violation = ask(smaller.before, smaller.value, found.violation.shape);
      if (!violation) return false;
      smaller.violation = *std::move(violation);
      found = std::move(smaller);
      return true;
    };
    const bool is_itself = found.before.size() == 1 && found.before.front() == found.value;
    reduce(found.value, [&](const Case& candidate) {
      return take(
          {.before = is_itself ? std::vector{candidate} : found.before, .value = candidate, .violation = {}});
    });
    for (std::size_t i = 0; i < found.before.size() && !is_itself; ++i) {
      Case request;
      request.request = found.before[i].request;
      reduce(request, [&](const Case& candidate) {
        HistoryDependence smaller = found;
        smaller.before[i] = candidate;
        return take(std::move(smaller));
      });
    }
  }

 private:
  const webhooks::Resolve& resolve_;
  const Limits& limits_;
  const std::function<bool()>& is_over_;
  const properties::Property& property_ = *properties::find("independent-of-history");
  int tries_ = 0;
};

}  // namespace

Case in_another_namespace(Case value) {
  constexpr const char* kOther = "fixpoint-other";
  std::vector<Value> others;
  for (const Value& object : value.cluster.objects) {
    const bool is_own = is_namespace(object, value.request.namespace_name);
    if (!is_own && !is_in_namespace(object, value.request.namespace_name)) continue;
    others.push_back(object);
    others.back().edit("metadata").set(is_own ? "name" : "namespace", kOther);
  }
  for (Value& object : others) value.cluster.objects.push_back(std::move(object));
  value.request.namespace_name = kOther;
  Value& metadata = value.request.object.edit("metadata");
  if (metadata["namespace"].is_string()) metadata.set("namespace", kOther);
  if (metadata["name"].is_string()) metadata.set("name", "fixpoint-other");
  return value;
}

std::optional<HistoryDependence> find_history(const Case& value, const std::vector<Case>& earlier,
                                              const webhooks::Resolve& resolve, const Reduce& reduce,
                                              const Limits& limits, const std::function<bool()>& is_over) {
  if (!resolve.anew || webhooks::replicas(value, resolve).empty()) return std::nullopt;
  if (is_over() || do_replicas_disagree(value, resolve.anew(), limits)) return std::nullopt;
  Search search(resolve, limits, is_over);
  HistoryDependence found{.before = {value}, .value = value, .violation = {}};
  auto violation = search.ask(found.before, found.value);
  if (!violation) {
    found.before = earlier;
    found.value = with_namespaces_of(earlier, value);
    violation = search.ask(found.before, found.value);
  }
  // A process may keep state from its first request only.
  for (auto one = earlier.begin(); one != earlier.end() && !violation; ++one) {
    found.before = {*one};
    violation = search.ask(found.before, found.value);
  }
  if (!violation) return std::nullopt;
  // Answers that vary by themselves may have agreed, or differed, once.
  constexpr int kTimes = 4;
  for (int i = 0; i < kTimes; ++i) {
    if (!search.ask(found.before, found.value, violation->shape)) return std::nullopt;
    if (do_replicas_disagree(found.value, resolve.anew(), limits)) return std::nullopt;
  }
  found.violation = *std::move(violation);
  search.leave_out(found);
  if (reduce) search.shrink(found, reduce);
  found.before = in_cluster_of(found.value, std::move(found.before));
  return found;
}

}  // namespace fixpoint::runner
