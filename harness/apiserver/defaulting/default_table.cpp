#include "harness/apiserver/defaulting/default_table.h"

#include <bit>
#include <string>
#include <utility>

#include "harness/apiserver/decoding/changed_members.h"
#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/defaulting/image_reference.h"
#include "harness/apiserver/types/facts.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/apiserver/types/quantity.h"
#include "harness/apiserver/types/stamp.h"

namespace fixpoint::apiserver {

namespace {

using document::Key;
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
      return document::shared_text(field.fallback_text);
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
      return document::shared_text(is_latest_image(owner[Name(field.fallback_text)].text()) ? "Always"
                                                                                            : "IfNotPresent");
  }
  return {};
}

Value rounded(const Field& field, const Value& map, int minor) {
  const Stamp stamp(field, minor);
  if (stamp.says_defaulted(map)) return map;
  Value result = map;
  for (std::size_t i = 0; i < map.size(); ++i) {
    auto quantity = Quantity::parse(map.members()[i].value.text());
    if (!quantity || !quantity->round_up(kMilli)) continue;
    std::string text = quantity->canonical();
    if (text != map.members()[i].value.text()) result.edit_members()[i].value = Value(text);
  }
  stamp.put_defaulted(result);
  return result;
}

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

/// Returns true if objects of the type contain fields with defaults. Most have none and are skipped.
bool has_defaults(const Type& type) {
  static const Facts<bool> kDefaulted(
      kPod, [](const Field& field) { return field.fallback_kind != Default::none || field.is_rounded; });
  return kDefaulted.of(type).value_or(true);
}

/// Handles an object whose members are not in the type's order and which therefore is not canonical: decodes
/// it again, then applies the defaults.
Value repaired(const Type& type, const Value& object, int minor) {
  auto canonical = decode_as(type, object, minor);
  return canonical && !canonical->same(object) ? default_object(type, *canonical, minor) : object;
}

/// Applies the defaults to one object whose members are in the type's order.
class Defaulter {
 public:
  Defaulter(const Type& type, const Value& object, int minor)
      : type_(type),
        object_(object),
        members_(object, type.fields.size() < 12 ? type.fields.size() : object.size() + 6),
        minor_(minor) {}

  /// Returns false if the members are not in order.
  bool run() {
    std::size_t at = 0;
    for (; next_ < members_.size(); ++next_) {
      const std::size_t place = place_of(members_.sent(next_).key, at);
      if (place == type_.fields.size()) return false;
      add_absent(at, place);
      put_member(place);
      at = place + 1;
    }
    add_absent(at, type_.fields.size());
    return true;
  }
  Value take() && { return std::move(members_).take(); }

 private:
  std::size_t place_of(const Key& key, std::size_t at) const {
    for (; at < type_.fields.size(); ++at) {
      if (type_.hashes[at] == key.hash() && key.is(type_.fields[at].name)) break;
    }
    return at;
  }

  /// The defaults of fields that have no member.
  void add_absent(std::size_t from, std::size_t end) {
    const auto before = [](std::size_t place) { return (std::uint64_t{1} << place) - 1; };
    for (std::uint64_t left = type_.with_default & before(end) & ~before(from); left != 0; left &= left - 1) {
      const Field& field = type_.fields[static_cast<std::size_t>(std::countr_zero(left))];
      if (Value value = fallback(field); !value.is_null()) put({Key(field.name), std::move(value)});
    }
  }

  /// Adds a member that is present, with defaults applied inside it.
  void put_member(std::size_t place) {
    const auto& [key, value] = members_.sent(next_);
    const Field& field = type_.fields[place];
    if (field.is_pointer && value.is_null()) {
      Value instead = fallback(field);
      if (!instead.is_null()) return put({key, std::move(instead)});
    } else if (type_.looked_into >> place & 1) {
      Value defaulted = default_field(field, value, minor_);
      if (!defaulted.same(value)) return put({key, std::move(defaulted)});
    }
    if (members_.is_changed()) members_.push_back({key, value});
  }

  Value fallback(const Field& field) const {
    if (field.fallback_kind == Default::none || !field.known_in(minor_)) return {};
    return fallback_of(field, object_, minor_);
  }

  void put(document::Member member) {
    members_.change_from(next_);
    members_.push_back(std::move(member));
  }

  const Type& type_;
  const Value& object_;
  ChangedMembers members_;
  int minor_;
  std::size_t next_ = 0;  ///< the index of the next member to read
};

}  // namespace

Value default_object(const Type& type, const Value& canonical, int minor) {
  const Stamp stamp(type, minor);
  if (stamp.says_defaulted(canonical)) return canonical;
  if (stamp.says_canonical(canonical) && !has_defaults(type)) {
    stamp.put_defaulted(canonical);
    return canonical;
  }
  Defaulter defaulter(type, canonical, minor);
  if (!defaulter.run()) return repaired(type, canonical, minor);
  Value result = std::move(defaulter).take();
  stamp.put_defaulted(result);
  return result;
}

}  // namespace fixpoint::apiserver
