#include "harness/conformance/live_sequence.h"

#include <algorithm>
#include <utility>

#include "harness/conformance/sequence_vectors.h"
#include "harness/reconcile/run_sequence.h"
#include "injectors/reconcilers.h"

namespace fixpoint::conformance {

using cases::Sequence;
using document::Error;
using document::Result;
using document::Value;

namespace {

/// Why no server stores the `initial` object of a Sequence as it stands there; empty if one does.
std::string beyond_storing(const Value& initial) {
  if (initial.is_null()) return {};
  const StoredKind autoscaler = autoscaler_kind();
  const std::string_view version = initial["apiVersion"].text();
  if (!version.empty() && version != autoscaler.api_version)
    return "its initial object is of " + std::string(version) + ", not of " + autoscaler.api_version;
  const Value& metadata = initial["metadata"];
  if (!metadata["deletionTimestamp"].is_null() && metadata["finalizers"].empty())
    return "an object without finalizers does not wait for its deletion";
  return {};
}

/// The kinds of the objects that a simulated run reads and writes, the autoscaler first.
std::vector<StoredKind> kinds_of(const Sequence& value, const reconcile::Reconciler& reconciler) {
  std::vector<StoredKind> kinds{autoscaler_kind()};
  for (const reconcile::StepResult& step : reconcile::run_sequence(value, reconciler)) {
    for (const reconcile::Request& request : step.reconciled.requests) {
      const StoredKind kind{std::string(request.object["kind"].text()),
                            std::string(request.object["apiVersion"].text())};
      const auto is_known = [&](const StoredKind& one) { return one.kind == kind.kind; };
      if (std::none_of(kinds.begin(), kinds.end(), is_known)) kinds.push_back(kind);
    }
  }
  return kinds;
}

/// Stores the `initial` object, and puts it into the Sequence as it is stored.
std::optional<Error> store_initial(Sequence& value, LiveObjects& store) {
  if (value.initial.is_null()) return std::nullopt;
  const Value object = reconcile::stored_at_first(value).all.front();
  std::string problem = store.apply({reconcile::Request::Verb::create, object}, true);
  if (problem.empty() && !object["metadata"]["deletionTimestamp"].is_null())
    problem = store.apply({reconcile::Request::Verb::remove, object}, true);
  if (!problem.empty()) return Error{"the server does not store the initial object: " + problem};
  const auto& all = store.objects().all;
  if (!all.empty()) value.initial = all.front();
  return std::nullopt;
}

}  // namespace

Result<LiveSequence> as_run(Sequence value, const std::string& space) {
  const auto reconciler = injectors::resolve_reconciler(value.subject);
  if (!reconciler) return reconciler.error();
  if (std::string why = beyond_storing(value.initial); !why.empty()) return Error{std::move(why)};
  LiveSequence run;
  const auto add = [&](std::string_view name) {
    const std::size_t count = run.spaces.size();
    run.spaces.emplace(name, count == 0 ? space : space + "-" + std::to_string(count + 1));
  };
  add(cases::component_of(value).namespace_name);
  for (const cases::Step& step : value.steps) {
    if (!step.server_defaults) return Error{"a real server always applies its defaults"};
    if (!step.is_reconcile()) continue;
    const Value& name = step.value["namespace"];
    add(name.is_string() ? name.text() : cases::kComponentNamespace);
  }
  if (const Value& name = value.initial["metadata"]["namespace"]; name.is_string()) add(name.text());
  run.kinds = kinds_of(value, *reconciler);
  for (const StoredKind& kind : run.kinds) {
    if (kind.is_built_in() && kind != autoscaler_kind())
      return Error{"objects of kind " + kind.kind + " are not stored there"};
  }
  run.value = std::move(value);
  return run;
}

Result<Value> run_there(LiveSequence sequence, const SequencePlace& place, std::optional<Error>& failure) {
  const auto reconciler = injectors::resolve_reconciler(sequence.value.subject);
  if (!reconciler) return reconciler.error();
  LiveObjects store(place.rest, sequence.spaces, sequence.kinds, place.prefix);
  if (auto problem = store_initial(sequence.value, store)) {
    failure = store.failure();
    return *std::move(problem);
  }
  const auto results = reconcile::run_sequence(sequence.value, *reconciler, store);
  store.clear();
  failure = store.failure();
  return Value{{"kind", "live-sequence"},
               {"id", sequence.value.name},
               {"sequence", cases::write_sequence(sequence.value)},
               {"steps", steps_of(results)}};
}

}  // namespace fixpoint::conformance
