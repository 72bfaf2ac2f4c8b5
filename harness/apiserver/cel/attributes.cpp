#include <array>

#include "harness/apiserver/cel/numbers.h"
#include "harness/apiserver/cel/opaque.h"
#include "harness/apiserver/cel/plan.h"

namespace fixpoint::apiserver::cel {

namespace {

Datum missing_key(const Datum& key) { return Datum::error("no such key: " + message_text(key)); }

/// The key of a qualifier for this evaluation, or an error.
Datum key_of(const Qualifier& qualifier, Frame& frame) {
  if (!qualifier.computed) return qualifier.key;
  Datum key = qualifier.computed->resolve(frame);
  switch (key.kind()) {
    case Kind::error:
    case Kind::boolean:
    case Kind::integer:
    case Kind::unsigned_integer:
    case Kind::real:
    case Kind::text:
      return key;
    case Kind::null:
      return Datum::error("invalid qualifier type: <nil>");
    case Kind::bytes:
      return Datum::error("invalid qualifier type: types.Bytes");
    case Kind::duration:
      return Datum::error("invalid qualifier type: types.Duration");
    case Kind::timestamp:
      return Datum::error("invalid qualifier type: types.Timestamp");
    case Kind::type:
      return Datum::error("invalid qualifier type: *types.Type");
    case Kind::optional:
      return Datum::error("invalid qualifier type: *types.Optional");
    case Kind::list:
      return Datum::error(key.is_view() ? "invalid qualifier type: []interface {}"
                                        : "invalid qualifier type: *types.baseList");
    default:
      return Datum::error(key.is_view() ? "invalid qualifier type: map[string]interface {}"
                                        : "invalid qualifier type: *types.baseMap");
  }
}

}  // namespace

int Attribute::id() const {
  if (base == Base::choice) return yes->id() == no->id() ? yes->id() : base_id;
  return qualifiers.empty() ? base_id : qualifiers.back()->id;
}

void Attribute::add(const QualifierPtr& qualifier) {
  if (base == Base::choice) {
    yes->add(qualifier);
    no->add(qualifier);
  } else {
    qualifiers.push_back(qualifier);
  }
}

Datum qualify(const Datum& object, const Datum& key, bool is_presence_test, bool& found) {
  found = true;
  switch (object.kind()) {
    case Kind::map: {
      Datum value;
      if (key.is(Kind::text) ? object.find(key.text(), value) : object.find(key, value)) return value;
      break;
    }
    case Kind::list: {
      std::string error;
      const auto index = index_of(key, error);
      if (!index) return Datum::error(error);
      if (*index >= 0 && static_cast<std::size_t>(*index) < object.size()) {
        return object.element(static_cast<std::size_t>(*index));
      }
      found = false;
      return Datum::error("index out of bounds: " + message_text(key));
    }
    case Kind::opaque: {
      if (!object.opaque().has_members() || !key.is(Kind::text)) break;
      Datum value = object.opaque().member(key.text(), found);
      if (found || !is_presence_test) return found = true, value;
      break;
    }
    default:
      break;
  }
  found = false;
  return missing_key(key);
}

/// Gives an accumulator its first value.
static void open(Frame& frame, std::size_t slot, const Step& step) {
  frame.is_open[slot] = 1;
  Datum first = step.run(frame);
  const bool grows = (first.is(Kind::list) || first.is(Kind::map)) && first.size() == 0;
  frame.slots[slot] = grows ? Datum::growing(first.kind()) : std::move(first);
}

Datum Attribute::resolve(Frame& frame) const {
  Datum object;
  switch (base) {
    case Base::variable:
      object = frame.activation.values[index];
      break;
    case Base::slot:
      object = frame.slots[index];
      break;
    case Base::accumulator:
      if (!frame.is_open[index]) open(frame, index, *step);
      object = frame.slots[index];
      break;
    case Base::step:
      object = step->run(frame);
      break;
    case Base::choice: {
      const Datum condition = step->run(frame);
      if (condition.is_true()) return yes->resolve(frame);
      if (condition.is_false()) return no->resolve(frame);
      return condition.is_error() ? condition : Datum::error("no such overload");
    }
  }
  if (object.is_error()) return object;
  bool is_optional = object.is(Kind::optional);
  if (is_optional) {
    if (object.held() == nullptr) return object;
    const Datum held = *object.held();
    object = held;
  }
  for (const QualifierPtr& qualifier : qualifiers) {
    is_optional = is_optional || qualifier->is_optional;
    const Datum key = key_of(*qualifier, frame);
    bool found = true;
    Datum value = key.is_error() ? key : qualify(object, key, is_optional || qualifier->is_test, found);
    if (is_optional) {
      // An absent field leaves no trace, and neither does a failure.
      if (value.is_error() && found) return value;
      if (!found) return Datum::none();
    } else if (qualifier->is_test && !(found && value.is_error())) {
      value = Datum::of(found);
    }
    frame.tracker.charge(1);
    frame.tracker.push(value, qualifier->id);
    if (value.is_error()) return value;
    object = std::move(value);
  }
  return is_optional ? Datum::some(std::move(object)) : object;
}

Datum AttributeStep::run(Frame& frame) const {
  Datum value = attribute->resolve(frame);
  CostTracker& tracker = frame.tracker;
  if (attribute->base == Attribute::Base::choice) {
    tracker.drop(attribute->no->id());
    tracker.drop(attribute->yes->id());
    tracker.drop(attribute->step->value_id());
  } else {
    tracker.drop(attribute->id());
    if (!is_test) tracker.charge(1);
  }
  if (is_test && value.is(Kind::optional)) value = Datum::of(value.held() != nullptr);
  tracker.push(value, value_id());
  return value;
}

}  // namespace fixpoint::apiserver::cel
