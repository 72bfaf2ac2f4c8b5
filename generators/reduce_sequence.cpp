#include "generators/reduce_sequence.h"

#include "harness/reconcile/run_sequence.h"

namespace fixpoint::generators {

namespace {

using cases::Sequence;
using document::Value;
using reconcile::StepKind;
using Take = std::function<bool(const Sequence&)>;

/// Offers a change of the Sequence. If it is accepted, applies it to `value` and returns true.
bool offer(Sequence& value, const Take& take, const std::function<void(Sequence&)>& change) {
  Sequence candidate = value;
  change(candidate);
  if (candidate == value || !take(candidate)) return false;
  value = std::move(candidate);
  return true;
}

void reduce_steps(Sequence& value, const Take& take) {
  for (std::size_t length = value.steps.size(); length > 0; length /= 2) {
    for (std::size_t at = 0; at + length <= value.steps.size();) {
      const auto erase = [&](Sequence& candidate) {
        const auto first = candidate.steps.begin() + static_cast<std::ptrdiff_t>(at);
        candidate.steps.erase(first, first + static_cast<std::ptrdiff_t>(length));
      };
      if (!offer(value, take, erase)) ++at;
    }
  }
}

/// Removes members from an object inside the Sequence, and from the objects inside it. `object` finds that
/// object in a Sequence.
void reduce_members(Sequence& value, const Take& take, const std::function<Value&(Sequence&)>& object) {
  const Value now = object(value);
  for (const auto& member : now.members()) {
    const document::Name name = member.key.name();
    const bool is_gone = offer(value, take, [&](Sequence& candidate) { object(candidate).remove(name); });
    if (is_gone || !member.value.is_object()) continue;
    reduce_members(value, take, [&](Sequence& in) -> Value& { return object(in).edit(name); });
  }
}

void reduce_initial(Sequence& value, const Take& take) {
  if (value.initial.is_null()) return;
  if (offer(value, take, [](Sequence& candidate) { candidate.initial = {}; })) return;
  // The parts that make it a valid object are kept: its name, and its spec except for the behavior.
  for (const char* member : {"finalizers", "labels", "ownerReferences"})
    offer(value, take, [&](Sequence& in) { in.initial.edit("metadata").remove(member); });
  const auto annotations = [](Sequence& in) -> Value& {
    return in.initial.edit("metadata").edit("annotations");
  };
  if (!offer(value, take, [](Sequence& in) { in.initial.edit("metadata").remove("annotations"); }) &&
      value.initial["metadata"]["annotations"].is_object())
    reduce_members(value, take, annotations);
  offer(value, take, [](Sequence& in) { in.initial.edit("spec").remove("behavior"); });
}

void reduce_component(Sequence& value, const Take& take, std::size_t at) {
  if (!value.steps[at].is_reconcile()) return;
  const auto reconcile = [at](Sequence& in) -> cases::Step& { return in.steps[at]; };
  if (offer(value, take, [&](Sequence& in) { reconcile(in).value = Value::empty_object(); })) return;
  offer(value, take, [&](Sequence& in) { reconcile(in).server_defaults = true; });
  reduce_members(value, take, [&](Sequence& in) -> Value& { return reconcile(in).value; });
}

/// Replaces the value of a step with a simpler one of its kind.
void reduce_command(Sequence& value, const Take& take, std::size_t at, std::span<const StepKind> kinds) {
  const StepKind* kind = reconcile::find_kind(kinds, value.steps[at].name);
  if (kind == nullptr) return;
  for (const std::string_view plainer : kind->plainer) {
    if (value.steps[at].value.text() == plainer) return;
    if (offer(value, take, [&](Sequence& in) { in.steps[at].value = plainer; })) return;
  }
}

}  // namespace

void reduce_sequence(Sequence value, std::span<const StepKind> kinds, const Take& take) {
  offer(value, take, [](Sequence& candidate) { candidate.name.clear(); });
  offer(value, take, [](Sequence& candidate) { candidate.note.clear(); });
  reduce_steps(value, take);
  reduce_initial(value, take);
  for (std::size_t i = 0; i < value.steps.size(); ++i) {
    reduce_command(value, take, i, kinds);
    reduce_component(value, take, i);
  }
}

}  // namespace fixpoint::generators
