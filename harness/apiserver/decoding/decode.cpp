#include "harness/apiserver/decoding/decode.h"

#include <algorithm>
#include <array>
#include <forward_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/apiserver/decoding/changed_members.h"
#include "harness/apiserver/decoding/decoding_texts.h"
#include "harness/apiserver/decoding/go_types.h"
#include "harness/apiserver/decoding/kinds.h"
#include "harness/apiserver/decoding/merge.h"
#include "harness/apiserver/decoding/scalar.h"
#include "harness/apiserver/types/facts.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/apiserver/types/stamp.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver {

namespace {

using document::Error;
using document::Key;
using document::Member;
using document::Name;
using document::Result;
using document::Text;
using document::Value;

constexpr std::size_t kFieldsMax = Type::kFieldsMax;

/// Sorts the members by key and keeps the last one of each key. Not with std::stable_sort: libstdc++
/// implements it with a function that C++17 deprecates.
std::vector<Member> last_of_each_key(std::vector<Member> members) {
  std::vector<Member*> order;
  order.reserve(members.size());
  for (Member& member : members) order.push_back(&member);
  std::sort(order.begin(), order.end(), [](const Member* a, const Member* b) {
    const int comparison = a->key.text().compare(b->key.text());
    return comparison != 0 ? comparison < 0 : a < b;
  });
  std::vector<Member> last;
  last.reserve(order.size());
  for (Member* member : order) {
    if (!last.empty() && last.back().key == member->key) last.pop_back();
    last.push_back(std::move(*member));
  }
  return last;
}

/// The order in which to visit an object's members so that they follow the type's fields. A server usually
/// wrote them in that order.
struct MemberOrder {
  std::array<const Field*, kFieldsMax> fields;  ///< the field of each member; nullptr if the type has none
  std::array<std::uint8_t, kFieldsMax> order;   ///< indices of members in the type's order
  std::size_t count = 0;                        ///< the number of indices in `order`
  bool is_straight = true;                      ///< the members already are in the type's order
};

/// Sorts the known members by their fields; returns false if a field occurs twice.
bool sort_order(MemberOrder& member_order, std::size_t members) {
  member_order.count = 0;
  for (std::size_t i = 0; i < members; ++i) {
    const Field* const field = member_order.fields[i];
    if (field == nullptr) continue;
    std::size_t at = member_order.count++;
    for (; at > 0 && member_order.fields[member_order.order[at - 1]] >= field; --at) {
      if (member_order.fields[member_order.order[at - 1]] == field) return false;
      member_order.order[at] = member_order.order[at - 1];
    }
    member_order.order[at] = static_cast<std::uint8_t>(i);
  }
  return true;
}

/// Finds that order; returns false if a field occurs twice.
bool find_order(const Type& type, std::span<const Member> members, int minor, MemberOrder& member_order) {
  if (members.size() > member_order.fields.size()) return member_order.is_straight = false;
  const Field* next = type.fields.data();
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto hint = static_cast<std::size_t>(next - type.fields.data());
    const Field* const field = find_field(type, members[i].key.name(), minor, hint);
    member_order.fields[i] = field;
    member_order.order[i] = static_cast<std::uint8_t>(i);
    if (field == nullptr) continue;
    member_order.is_straight = member_order.is_straight && field >= next;
    next = field + 1;
  }
  member_order.count = members.size();
  return member_order.is_straight || sort_order(member_order, members.size());
}

/// The members of an object as they were sent and decoded, by the place of their fields in the type.
struct Found {
  struct One {
    const Value* sent = nullptr;
    const Key* key = nullptr;
    Value decoded = {};
  };
  std::array<One, kFieldsMax> members{};
};

/// The minors between which the members of a type, or of a type inside it, differ: bit n is set for a
/// difference between kOldestLibrary + n and the next minor.
using Changes = std::uint32_t;

Changes changes_of(const Field& field) {
  Changes changes = 0;
  if (field.since > kOldestLibrary) changes |= 1u << (field.since - 1 - kOldestLibrary);
  if (field.until < kNewestMinor) changes |= 1u << (field.until - kOldestLibrary);
  return changes;
}

/// Returns true if a value of the type that is canonical under one minor is canonical under the other.
bool is_same_between(const Type* type, int a, int b) {
  static const Facts<Changes> kChanges(kPod, changes_of);
  if (type == nullptr || a == b) return true;
  const auto changes = kChanges.of(*type);
  if (!changes) return false;
  const auto bits = [](int minor) { return (1u << (minor - kOldestLibrary)) - 1; };
  return (*changes & (bits(a) ^ bits(b))) == 0;
}

/// A value of another JSON type than its field has, for Go's words: what it is, whether it should have been a
/// list or map, and the innermost struct's field, with its type and path.
struct Refused {
  std::string kind;
  bool is_whole = false;
  std::string_view owner = {};
  std::string type = {}, path = {};
};

/// One decoding; a step that fails returns false and leaves the reason and the path in `error_`.
class Decoder {
 public:
  explicit Decoder(int minor) : minor_(minor) {}
  bool field(const Field& field, const Value& sent, Value& out);
  bool object(const Type& type, const Value& sent, Value& out);
  /// Why the value of that type could not be decoded.
  Error error(const Type& type) const;
  /// Finds the first value, in the order of the document, at which Go's decoder stops: a type that decodes
  /// itself refuses it. A value of another JSON type is noted, and decoding goes on.
  bool stops(const Type& type, const Value& sent);
  bool has_stopped() const { return has_stopped_; }

 private:
  bool one(const Field& field, const Value& sent, Value& out);
  bool list(const Field& field, const Value& sent, Value& out);
  bool map(const Field& field, const Value& sent, Value& out);
  bool element(const Field& field, const Value& sent, Value& out);
  bool straight(const Type& type, const Value& sent, const MemberOrder& member_order, Value& out);
  bool tangled(const Type& type, const Value& sent, Value& out);
  bool member(const Type& type, const Field& known, std::size_t place, ChangedMembers& members);
  Value put_in_order(const Type& type, Found& found);
  /// Fails because of one value, or, for a list or map, of the whole.
  bool fail(Shape shape, const Value& sent, bool is_whole = false) {
    has_stopped_ = decodes_itself(shape) && !is_whole;
    error_.message = refusal_of(shape, sent);
    refused_.reset();
    if (error_.message.empty()) refused_ = Refused{.kind = refused_kind(shape, sent), .is_whole = is_whole};
    return false;
  }
  bool within(std::string_view place) {
    error_.place.insert(0, place).insert(0, 1, '/');
    return false;
  }
  bool within(const Type& type, const Field& field, std::string_view place);

  /// A pointer to the zero time is written as null, which reads back as nil.
  bool is_zero_time(const Field& field, const Value& sent, const Value& decoded) {
    if (field.shape != Shape::time || !field.is_pointer || sent.is_null() || !decoded.is_null()) return false;
    is_stable_ = false;
    return true;
  }
  /// Returns true if the value is known to be canonical, possibly through another minor with the same type.
  bool is_known(const Stamp& stamp, const Type* type, const Value& value) const {
    const auto [first, second] = stamp.canonical_minors(value);
    return (first != 0 && is_same_between(type, first, minor_)) ||
           (second != 0 && is_same_between(type, second, minor_));
  }
  void put_canonical(const Stamp& stamp, const Value& value) const {
    if (is_stable_) stamp.put_canonical(value);
  }

  static bool decodes_itself(Shape shape) {
    return shape == Shape::quantity || shape == Shape::time || shape == Shape::int_or_text;
  }
  bool stops_in(const Field& field, const Value& sent);

  int minor_;
  bool has_stopped_ = false;
  bool is_stable_ = true;  ///< decoding the result again would change nothing
  Error error_{};
  std::optional<Refused> refused_{};  ///< instead of a message in `error_`
};

bool Decoder::within(const Type& type, const Field& field, std::string_view place) {
  if (refused_) {
    if (refused_->path.empty()) {
      refused_->owner = type.name;
      refused_->type = go_type(type, field, !refused_->is_whole);
    } else {
      refused_->path.insert(0, ".");
    }
    refused_->path.insert(0, go_field(type, field, minor_));
  }
  return within(place);
}

bool Decoder::stops(const Type& type, const Value& sent) {
  for (const Member& member : sent.members()) {
    const Field* known = find_field(type, member.key.name(), minor_, 0);
    if (known == nullptr || !stops_in(*known, member.value)) continue;
    within(type, *known, member.key.text());
    return true;
  }
  return false;
}

bool Decoder::stops_in(const Field& field, const Value& sent) {
  const auto is_refused = [&](const Value& one) {
    if (field.shape == Shape::object) return stops(*field.type, one);
    Value decoded;
    const bool is_read =
        one.is_null() || !decodes_itself(field.shape) || decode_scalar(field.shape, one, decoded);
    return !is_read && !fail(field.shape, one);
  };
  if (field.many == Many::one) return is_refused(sent);
  std::size_t place = 0;
  for (const Value& one : field.many == Many::list ? sent.elements() : std::span<const Value>()) {
    if (is_refused(one)) return !within(std::to_string(place));
    ++place;
  }
  for (const Member& one : field.many == Many::map ? sent.members() : std::span<const Member>())
    if (is_refused(one.value)) return !within(one.key.text());
  return false;
}

Error Decoder::error(const Type& type) const {
  if (!refused_) return error_;
  Error error = error_;
  if (refused_->path.empty()) {
    error.message =
        Text("json: cannot unmarshal {} into Go value of type v1.{}").with({refused_->kind, type.name});
  } else {
    error.message = Text("json: cannot unmarshal {} into Go struct field {}.{} of type {}")
                        .with({refused_->kind, refused_->owner, refused_->path, refused_->type});
  }
  return error;
}

bool Decoder::field(const Field& field, const Value& sent, Value& out) {
  switch (field.many) {
    case Many::list:
      return list(field, sent, out);
    case Many::map:
      return map(field, sent, out);
    case Many::one:
      break;
  }
  return one(field, sent, out);
}

bool Decoder::one(const Field& field, const Value& sent, Value& out) {
  if (sent.is_null()) {
    out = field.is_pointer ? Value() : zero_of(field, minor_);
    return true;
  }
  if (field.shape == Shape::object) return object(*field.type, sent, out);
  return decode_scalar(field.shape, sent, out) || fail(field.shape, sent);
}

/// An element of a list or map: null is the zero value.
bool Decoder::element(const Field& field, const Value& sent, Value& out) {
  if (field.shape == Shape::object) return object(*field.type, sent, out);
  if (sent.is_null()) return (out = zero_scalar(field.shape), true);
  return decode_scalar(field.shape, sent, out) || fail(field.shape, sent);
}

bool Decoder::list(const Field& field, const Value& sent, Value& out) {
  if (sent.is_null()) return (out = Value(), true);
  if (!sent.is_array()) return fail(Shape::object, sent, true);
  const Stamp stamp(field, minor_);
  if (is_known(stamp, field.type, sent)) return (out = sent, true);
  const auto elements = sent.elements();
  Value changed, decoded;
  document::Elements* list = nullptr;  // of `changed`
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (!element(field, elements[i], decoded)) return within(std::to_string(i));
    if (list == nullptr) {
      if (decoded.same(elements[i])) continue;
      changed = Value::empty_list(elements.size());
      list = &changed.edit_elements();
      list->append(elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(i));
    }
    list->push_back(std::move(decoded));
  }
  out = list == nullptr ? sent : std::move(changed);
  put_canonical(stamp, out);
  return true;
}

bool Decoder::map(const Field& field, const Value& sent, Value& out) {
  if (sent.is_null()) return (out = Value(), true);
  if (!sent.is_object()) return fail(Shape::object, sent, true);
  const Stamp stamp(field, minor_);
  if (is_known(stamp, field.type, sent)) return (out = sent, true);
  const auto members = sent.members();
  bool is_same = true;
  std::vector<Member> changed;
  changed.reserve(members.size());
  for (const Member& member : members) {
    Value decoded;
    if (!element(field, member.value, decoded)) return within(member.key.text());
    is_same = is_same && decoded.same(member.value) &&
              (changed.empty() || changed.back().key.text() < member.key.text());
    changed.push_back({member.key, std::move(decoded)});
  }
  if (is_same) {
    out = sent;
  } else {
    out = Value(last_of_each_key(std::move(changed)));
  }
  put_canonical(stamp, out);
  return true;
}

bool Decoder::object(const Type& type, const Value& sent, Value& out) {
  const Stamp stamp(type, minor_);
  if (is_known(stamp, &type, sent)) return (out = sent, true);
  if (!sent.is_object() && !sent.is_null()) return fail(Shape::object, sent);
  MemberOrder member_order;
  bool is_decoded =
      find_order(type, sent.members(), minor_, member_order) && straight(type, sent, member_order, out);
  if (!is_decoded && !member_order.is_straight) {
    error_ = {}, refused_.reset();  // report the first failing member in the order of the document
    is_decoded = tangled(type, sent, out);
  }
  if (is_decoded) put_canonical(stamp, out);
  return is_decoded;
}

/// Decodes the member at that index and appends it.
bool Decoder::member(const Type& type, const Field& known, std::size_t place, ChangedMembers& members) {
  const auto& [key, sent] = members.sent(place);
  Value decoded;
  if (!field(known, sent, decoded)) return within(type, known, key.text());
  const bool is_kept = is_written(known, decoded);
  if (is_kept && !members.is_changed() && decoded.same(sent)) return true;
  members.change_from(place);
  if (is_zero_time(known, sent, decoded) || is_kept) members.push_back({key, std::move(decoded)});
  return true;
}

/// Decodes the members in the type's order; an object without changes is not copied.
bool Decoder::straight(const Type& type, const Value& sent, const MemberOrder& member_order, Value& out) {
  ChangedMembers members(sent, std::min(type.fields.size(), sent.size() + 4));
  if (!sent.is_object() || !member_order.is_straight) members.change_from(0);
  const Field* next = type.fields.data();
  const auto add_always = [&](const Field* end, std::size_t at) {
    for (; next != end; ++next) {
      if (!next->is_always || !next->known_in(minor_)) continue;
      members.change_from(at);
      members.push_back({Key(next->name), zero_of(*next, minor_)});
    }
  };
  for (const std::uint8_t i : std::span(member_order.order).first(member_order.count)) {
    const Field* known = member_order.fields[i];
    if (known == nullptr) {
      members.change_from(i);
      continue;
    }
    add_always(known, i);
    ++next;
    if (!member(type, *known, i, members)) return false;
  }
  add_always(type.fields.data() + type.fields.size(), sent.size());
  out = std::move(members).take();
  return true;
}

/// Decodes an object with duplicate members: the later one is merged into the earlier one.
bool Decoder::tangled(const Type& type, const Value& sent, Value& out) {
  Found found;
  std::forward_list<Value> merged;
  std::size_t hint = 0;
  for (const Member& member : sent.members()) {
    const Field* known = find_field(type, member.key.name(), minor_, hint);
    if (known == nullptr) continue;
    hint = static_cast<std::size_t>(known - type.fields.data());
    const Value* raw = &member.value;
    auto& one = found.members[hint++];
    if (one.sent != nullptr) raw = &merged.emplace_front(merge_members(*known, *one.sent, member.value));
    one.sent = raw;
    one.key = &member.key;
    if (!field(*known, *raw, one.decoded)) return within(type, *known, member.key.text());
  }
  out = put_in_order(type, found);
  return true;
}

Value Decoder::put_in_order(const Type& type, Found& found) {
  Value ordered = Value::empty_object(std::min<std::size_t>(type.fields.size(), 12));
  document::Members& members = ordered.edit_members();
  for (std::size_t i = 0; i < type.fields.size(); ++i) {
    const Field& known = type.fields[i];
    const Value* sent = found.members[i].sent;
    if (sent == nullptr && (!known.is_always || !known.known_in(minor_))) continue;
    Value& decoded = found.members[i].decoded;
    if (sent == nullptr) decoded = zero_of(known, minor_);
    const bool is_null_time = sent != nullptr && is_zero_time(known, *sent, decoded);
    if (!is_null_time && !is_written(known, decoded)) continue;
    members.push_back({sent == nullptr ? Key(known.name) : *found.members[i].key, std::move(decoded)});
  }
  return ordered;
}

}  // namespace

bool is_written(const Field& field, const Value& value) {
  if (field.is_always) return true;
  if (field.is_pointer || field.shape == Shape::time) return !value.is_null();
  if (field.many != Many::one) return !value.empty();
  switch (field.shape) {
    case Shape::text:
      return !value.text().empty();
    case Shape::boolean:
      return value.is_true();
    case Shape::int32:
    case Shape::int64:
      return value.text() != "0";
    default:
      return true;
  }
}

Value zero_of(const Field& field, int minor) {
  if (field.is_pointer || field.many != Many::one) return {};
  if (field.shape != Shape::object) return zero_scalar(field.shape);
  Value zero;
  const bool is_object = Decoder(minor).object(*field.type, {}, zero);
  document::check(is_object, "a type's zero value decodes");
  return zero;
}

void put_member(Value& canonical, const Type& type, const Name& name, Value value) {
  document::Members& members = canonical.edit_members();
  for (Member& member : members) {  // wherever it stands: an in-tree plugin adds behind the others
    if (member.key.is(name)) return void(member.value = std::move(value));
  }
  auto next = members.begin();
  for (const Field& field : type.fields) {
    if (field.name == name) return void(members.insert(next, {Key(name), std::move(value)}));
    if (next != members.end() && next->key.is(field.name)) ++next;
  }
  document::check(false, "put_member() knows the member");
}

Result<Value> decode_as(const Type& type, const Value& sent, int minor) {
  Decoder decoder(minor);
  Value out;
  if (decoder.object(type, sent, out)) return out;
  if (Decoder stopping(minor); !decoder.has_stopped() && stopping.stops(type, sent))
    return stopping.error(type);
  return decoder.error(type);
}

Result<Value> decode_kind(const cases::Kind& kind, const Type& type, const Value& sent, int minor) {
  switch (kind_of(sent, kind)) {
    case ObjectKind::expected:
      return decode_as(type, sent, minor);
    case ObjectKind::registered:
      return Error{"expected a " + std::string(kind.name) + ", found a " + std::string(sent["kind"].text()),
                   "/kind"};
    case ObjectKind::unregistered:
      return Error{kind_refusal(sent, minor, kind), "/kind"};
    case ObjectKind::malformed:
      break;
  }
  return Error{kind_refusal(sent, minor, kind)};
}

Result<Value> decode_pod(const Value& sent, int minor) {
  return decode_kind(cases::pod_kind(), kPod, sent, minor);
}

}  // namespace fixpoint::apiserver
