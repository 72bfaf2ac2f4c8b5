#include "harness/apiserver/cel/steps.h"

#include <array>

#include "harness/apiserver/cel/meter.h"
#include "harness/apiserver/cel/opaque.h"

namespace fixpoint::apiserver::cel {

namespace {

/// Calls of at most so many arguments need no memory of their own.
constexpr std::size_t kFewArguments = 4;

bool fits_at_run_time(const Type& type, const Datum& value) {
  if (type.kind == Type::Kind::dyn || type.kind == Type::Kind::parameter) return true;
  if (type.name != type_name(value)) return false;
  if (type.kind == Type::Kind::list)
    return value.size() == 0 || fits_at_run_time(*type.of[0], value.element(0));
  if (type.kind != Type::Kind::map || value.size() == 0) return true;
  const auto [key, of] = value.entry(0);
  return fits_at_run_time(*type.of[0], key) && fits_at_run_time(*type.of[1], of);
}

bool fits_at_run_time(const Overload& overload, std::span<const Datum> arguments) {
  if (overload.arguments.size() != arguments.size()) return false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!fits_at_run_time(*overload.arguments[i], arguments[i])) return false;
  }
  return true;
}

}  // namespace

Datum LogicalStep::run(Frame& frame) const {
  Datum failure;
  bool failed = false, decided = false;
  for (const StepPtr& term : terms) {
    Datum value = term->run(frame);
    if (is_or ? value.is_true() : value.is_false()) {
      decided = true;
      break;
    }
    if (value.is(Kind::boolean) || failed) continue;
    failed = true;
    failure = value.is_error() ? std::move(value) : Datum::error("no such overload");
  }
  Datum result = decided ? Datum::of(is_or) : failed ? std::move(failure) : Datum::of(!is_or);
  for (const StepPtr& term : terms) frame.tracker.drop(term->value_id());
  frame.tracker.push(result, id);
  return result;
}

namespace {

/// Kubernetes' own values can only be compared with values of their type.
bool has_no_equality(const Datum& a, const Datum& b) {
  if (!a.is(Kind::opaque) || b.is(Kind::null)) return false;
  const std::string_view tag = a.opaque().tag();
  if (tag == "object" || tag == "patch") return false;
  return type_name(a) != type_name(b) || tag == "opaque" || b.opaque().is_never_equal();
}

}  // namespace

Datum EqualityStep::run(Frame& frame) const {
  Datum a = left->run(frame), b = right->run(frame);
  const std::array<int, 2> ids = {left->value_id(), right->value_id()};
  std::array<Datum, 2> taken;
  if (frame.tracker.take(ids, taken))
    frame.tracker.charge(call_cost(is_equal ? CostRule::equality : CostRule::smaller_size, taken, {}));
  Datum result;
  if (a.is_error() || b.is_error()) {
    result = a.is_error() ? a : b;
  } else if (has_no_equality(a, b)) {
    result = is_equal ? Datum::error("no such overload") : Datum::of(true);
  } else if (!frame.tracker.is_over()) {
    result = Datum::of(equal(a, b) == is_equal);
  }
  frame.tracker.push(result, id);
  return result;
}

Datum CallStep::call(std::span<const Datum> values) const {
  const CallContext context{.pattern = pattern.get()};
  for (const Candidate& candidate : candidates) {
    const bool fits =
        candidate.overload == nullptr || (is_guarded ? fits_at_run_time(*candidate.overload, values)
                                                     : candidate.overload->arguments.size() == values.size());
    if (fits) return candidate.function(values, context);
  }
  return no_such_overload(name, values);
}

Datum CallStep::run(Frame& frame) const {
  std::array<Datum, 2 * kFewArguments> few;
  std::vector<Datum> many;
  if (arguments.size() > kFewArguments) many.resize(2 * arguments.size());
  const std::span<Datum> places = many.empty() ? std::span<Datum>(few) : std::span<Datum>(many);
  const std::span<Datum> values = places.first(arguments.size()),
                         counted = places.subspan(arguments.size(), arguments.size());
  Datum result;
  bool failed = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = arguments[i]->run(frame);
    if (!is_strict || !values[i].is_error()) continue;
    if (!failed) result = values[i];
    failed = true;
    if (stops_at_error) break;
  }
  const bool is_counted = frame.tracker.take(argument_ids, counted);
  if (std::string failure = is_counted ? cost_failure(rule, counted) : std::string(); !failure.empty())
    frame.tracker.fail(std::move(failure));
  // The server counts after the call. What it would throw away then is not computed.
  const bool costs_before = is_counted && !failed && is_known_before(rule);
  if (costs_before) frame.tracker.charge(call_cost(rule, counted, result));
  if (!failed && !frame.tracker.is_over()) result = call(values);
  if (is_counted && !costs_before) frame.tracker.charge(call_cost(rule, counted, result));
  frame.tracker.push(result, id);
  return result;
}

Datum MembershipStep::run(Frame& frame) const {
  Datum value = element->run(frame);
  if (!value.is_error()) {
    bool found = false;
    for (std::size_t i = 0; i < list.size() && !found; ++i) found = equal(value, list.element(i));
    value = Datum::of(found);
  }
  frame.tracker.push(value, id);
  return value;
}

Datum OptionalOrStep::run(Frame& frame) const {
  Datum value = left->run(frame);
  if (value.is(Kind::optional)) {
    if (value.held() == nullptr) {
      value = right->run(frame);
    } else if (is_value) {
      const Datum held = *value.held();
      value = held;
    }
  }
  frame.tracker.push(value, id);
  return value;
}

namespace {

/// Go's equality of keys, which tells an int from a uint.
bool is_same_key(const Datum& a, const Datum& b) { return a.kind() == b.kind() && equal(a, b); }

}  // namespace

Datum ConstructStep::make(Frame& frame) const {
  std::vector<Datum> elements;
  std::vector<std::pair<Datum, Datum>> entries;
  std::vector<std::pair<std::string, Datum>> members;
  const std::size_t stride = kind == Node::Kind::map ? 2 : 1;
  for (std::size_t i = 0; i < parts.size(); i += stride) {
    Datum key;
    if (stride == 2) {
      key = parts[i]->run(frame);
      if (key.is_error()) return key;
    }
    Datum value = parts[i + stride - 1]->run(frame);
    if (value.is_error()) return value;
    if (is_optional[i / stride]) {
      if (!value.is(Kind::optional)) {
        if (kind == Node::Kind::list) {
          return Datum::error("cannot initialize optional list element from non-optional value " +
                              message_text(value));
        }
        return Datum::error("cannot initialize optional entry '" +
                            (stride == 2 ? message_text(key) : fields[i]) + "' from non-optional value " +
                            message_text(value));
      }
      if (value.held() == nullptr) {
        // An absent entry also takes away an earlier one of its name (interpretable.go evalMap, evalObj).
        if (kind == Node::Kind::map)
          std::erase_if(entries, [&](const auto& one) { return is_same_key(one.first, key); });
        else if (kind != Node::Kind::list)
          std::erase_if(members, [&](const auto& one) { return one.first == fields[i]; });
        continue;
      }
      const Datum held = *value.held();
      value = held;
    }
    if (kind == Node::Kind::list) {
      elements.push_back(std::move(value));
    } else if (kind == Node::Kind::map) {
      entries.emplace_back(std::move(key), std::move(value));
    } else {
      members.emplace_back(fields[i], std::move(value));
    }
  }
  if (kind == Node::Kind::list) return Datum::of(std::move(elements));
  if (kind == Node::Kind::map) return Datum::of(std::move(entries));
  return make_message(type, std::move(members));
}

Datum ConstructStep::run(Frame& frame) const {
  Datum value = make(frame);
  std::vector<Datum> taken(part_ids.size());
  frame.tracker.take(part_ids, taken);
  frame.tracker.charge(kind == Node::Kind::list  ? kListCost
                       : kind == Node::Kind::map ? kMapCost
                                                 : kMessageCost);
  frame.tracker.push(value, id);
  return value;
}

Datum FoldStep::fold(Frame& frame) const {
  const Datum over = range->run(frame);
  if (over.is_error()) return over;
  frame.is_open[accumulator_slot] = 0;
  if (!over.is(Kind::list) && !over.is(Kind::map)) {
    const std::string type = go_type_name(over);
    return Datum::error(has_two ? "unsupported comprehension range type: " + type
                                : "got '" + type + "', expected iterable type");
  }
  for (std::size_t i = 0; i < over.size() && !frame.tracker.is_exhausted(); ++i) {
    spend_step();
    if (over.is(Kind::list)) {
      frame.slots[first_slot] = has_two ? Datum::of(static_cast<std::int64_t>(i)) : over.element(i);
      if (has_two) frame.slots[second_slot] = over.element(i);
    } else {
      auto [key, value] = over.entry(i);
      frame.slots[first_slot] = std::move(key);
      if (has_two) frame.slots[second_slot] = std::move(value);
    }
    if (condition->run(frame).is_false()) break;
    Datum next = step->run(frame);
    frame.slots[accumulator_slot] = std::move(next);
    frame.is_open[accumulator_slot] = 1;
  }
  Datum value = result->run(frame);
  value.settle();
  return value;
}

Datum FoldStep::run(Frame& frame) const {
  Datum value = fold(frame);
  frame.tracker.drop(range->value_id());
  frame.tracker.push(value, id);
  return value;
}

}  // namespace fixpoint::apiserver::cel
