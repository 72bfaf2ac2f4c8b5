#include "harness/apiserver/defaulting/default_table.h"

#include <string>
#include <utility>
#include <vector>

#include "harness/apiserver/defaulting/image_reference.h"
#include "harness/apiserver/types/decode.h"
#include "harness/apiserver/types/facts.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/apiserver/types/quantity.h"
#include "harness/apiserver/types/stamp.h"
#include "harness/document/rules.h"

namespace fixpoint::apiserver {

namespace {

using document::Key;
using document::Member;
using document::Name;
using document::Value;

constexpr std::int32_t kMilli = -3;

/// The default of a field that is absent; null if it has none here.
Value fallback_of(const Field& field, const Value& owner, int minor) {
  if (minor < field.fallback_since) return {};
  switch (field.fallback_kind) {
    case Default::none:
      return {};
    case Default::text:
      return Key(field.fallback_text).value();
    case Default::number:
      return Value::number(field.fallback_text);
    case Default::truth:
      return Value(true);
    case Default::falsity:
      return Value(false);
    case Default::empty_object:
      return Value::empty_object();
    case Default::only_source:
      return owner.size() == 1 ? Value::empty_object() : Value();
    case Default::pull_policy:
      return Key(is_latest_image(owner[Name(field.fallback_text)].text()) ? Name("Always")
                                                                          : Name("IfNotPresent"))
          .value();
  }
  return {};
}

bool is_on(const Field& field, const Type& type) {
  return document::holds({.part = "defaulting", .name = field.name.text, .owner = type.name});
}

Value rounded(const Field& field, const Value& map, int minor) {
  const Stamp stamp(field, minor);
  if (stamp.says_defaulted(map)) return map;
  Value result = map;
  for (std::size_t i = 0; i < map.size(); ++i) {
    auto quantity = Quantity::parse(map.members()[i].value.text());
    if (!quantity || !quantity->round_up(kMilli)) continue;
    if (!document::holds({.part = "defaulting", .name = "rounded up to milli units"})) continue;
    std::string text = quantity->canonical();
    if (text != map.members()[i].value.text()) result.edit_members()[i].value = Value(text);
  }
  stamp.put_defaulted(result);
  return result;
}

/// Whether anything within a value of the field may have a default.
bool is_looked_into(const Field& field) { return field.shape == Shape::object || field.is_rounded; }

Value default_field(const Field& field, const Value& value, int minor) {
  if (field.is_rounded) return rounded(field, value, minor);
  if (field.shape != Shape::object || value.is_null()) return value;
  if (field.many == Many::one) return default_object(*field.type, value, minor);
  const Stamp stamp(field, minor);
  if (stamp.says_defaulted(value)) return value;
  Value result = value;
  for (std::size_t i = 0; i < value.size(); ++i) {
    Value element = default_object(*field.type, value.at(i), minor);
    if (!element.same(value.at(i))) result.edit_elements()[i] = std::move(element);
  }
  stamp.put_defaulted(result);
  return result;
}

/// Whether anything in objects of the type has a default: most have nothing.
bool has_defaults(const Type& type) {
  static const Facts<bool> kDefaulted(
      kPod, [](const Field& field) { return field.fallback_kind != Default::none || field.is_rounded; });
  return kDefaulted.of(type).value_or(true);
}

/// Members that are not in the type's order: not canonical after all, which a second look repairs.
Value repaired(const Type& type, const Value& object, int minor) {
  auto canonical = decode_as(type, object, minor);
  return canonical && !canonical->same(object) ? default_object(type, *canonical, minor) : object;
}

}  // namespace

Value default_object(const Type& type, const Value& canonical, int minor) {
  const Stamp stamp(type, minor);
  if (stamp.says_defaulted(canonical)) return canonical;
  if (stamp.says_canonical(canonical) && !has_defaults(type)) {
    stamp.put_defaulted(canonical);
    return canonical;
  }
  const auto members = canonical.members();
  std::vector<Member> changed;
  std::size_t next = 0;
  const auto change_from = [&](std::size_t end) {
    changed.reserve(type.fields.size() < 12 ? type.fields.size() : members.size() + 6);
    changed.assign(members.begin(), members.begin() + static_cast<std::ptrdiff_t>(end));
  };
  bool is_changed = false;
  for (const Field& field : type.fields) {
    const bool is_there = next < members.size() && members[next].key.is(field.name);
    const bool is_absent = !is_there || (field.is_pointer && members[next].value.is_null());
    if (!is_absent && !is_changed && !is_looked_into(field)) {
      ++next;
      continue;
    }
    Value value;
    if (is_absent) {
      if (field.fallback_kind == Default::none || !field.known_in(minor)) {
        if (is_there && is_changed) changed.push_back(members[next]);
        next += is_there ? 1 : 0;
        continue;
      }
      value = fallback_of(field, canonical, minor);
      if (!value.is_null() && !is_on(field, type)) value = {};
    } else {
      value = default_field(field, members[next].value, minor);
    }
    const bool is_new = is_absent ? !value.is_null() : !value.same(members[next].value);
    if (is_new && !is_changed) {
      change_from(next);
      is_changed = true;
    }
    if (is_changed && is_there)
      changed.push_back({members[next].key, is_new ? std::move(value) : members[next].value});
    if (is_changed && !is_there && is_new) changed.push_back({Key(field.name), std::move(value)});
    next += is_there ? 1 : 0;
  }
  if (next < members.size()) return repaired(type, canonical, minor);
  Value result = is_changed ? Value(std::move(changed)) : canonical;
  stamp.put_defaulted(result);
  return result;
}

}  // namespace fixpoint::apiserver
