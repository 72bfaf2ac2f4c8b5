#include "harness/document/value.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <new>
#include <string>
#include <unordered_set>
#include <utility>

#include "harness/document/check.h"

namespace fixpoint::document {

using detail::ArrayNode;
using detail::Names;
using detail::ObjectNode;
using detail::TextNode;

namespace {

bool unique(const Node* node) noexcept { return node->references.load(std::memory_order_acquire) == 1; }

TextNode* make_text(Kind kind, std::string_view text, std::string_view spelling) {
  check(text.size() < UINT32_MAX && spelling.size() < UINT32_MAX, "a text is shorter than 4 GiB");
  void* memory = ::operator new(sizeof(TextNode) + text.size() + spelling.size());
  auto* node = new (memory)
      TextNode(kind, static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>(spelling.size()));
  if (!text.empty()) std::memcpy(node->data(), text.data(), text.size());
  if (!spelling.empty()) std::memcpy(node->data() + text.size(), spelling.data(), spelling.size());
  return node;
}

/// Trees deeper than this are taken apart with a list instead of the stack.
constexpr int kRecursionMax = 200;
thread_local int release_depth = 0;
thread_local std::vector<Node*>* release_later = nullptr;

void destroy(Node* node) noexcept {
  switch (node->kind) {
    case Kind::array:
      delete static_cast<ArrayNode*>(node);
      break;
    case Kind::object:
      delete static_cast<ObjectNode*>(node);
      break;
    default:
      static_cast<TextNode*>(node)->~TextNode();
      ::operator delete(node);
  }
}

}  // namespace

void detail::let_go(Node* node) noexcept {
  if (node->kind == Kind::string || node->kind == Kind::number) return destroy(node);
  if (release_depth >= kRecursionMax && release_later != nullptr) {
    release_later->push_back(node);
    return;
  }
  if (release_depth > 0) {
    ++release_depth;
    destroy(node);
    --release_depth;
    return;
  }
  std::vector<Node*> later;
  release_later = &later;
  release_depth = 1;
  destroy(node);
  while (!later.empty()) {
    Node* next = later.back();
    later.pop_back();
    destroy(next);
  }
  release_depth = 0;
  release_later = nullptr;
}

Value::Value(std::string_view text) : Value(static_cast<Node*>(make_text(Kind::string, text, {}))) {}
Value::Value(const std::string& text) : Value(std::string_view(text)) {}
Value::Value(std::vector<Value> elements) : Value(static_cast<Node*>(new ArrayNode(std::move(elements)))) {}
Value::Value(std::vector<Member> members) : Value(static_cast<Node*>(new ObjectNode(std::move(members)))) {}
Value::Value(std::initializer_list<Member> members) : Value(std::vector<Member>(members)) {}
Value::Value(std::int64_t number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  *this = Value::number({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

Value Value::number(std::string_view text) {
  return Value(static_cast<Node*>(make_text(Kind::number, text, {})));
}
Value Value::spelled(std::string_view text, std::string_view spelling) {
  return Value(static_cast<Node*>(make_text(Kind::string, text, spelling)));
}
Value Value::list(std::initializer_list<Value> elements) { return {std::vector<Value>(elements)}; }
Value Value::empty_list() { return {std::vector<Value>()}; }
Value Value::empty_object() { return {std::vector<Member>()}; }

std::string_view Value::spelling() const noexcept {
  if (!is_string()) return {};
  auto* text = static_cast<TextNode*>(node());
  return {text->data() + text->length, text->spelling};
}

std::optional<std::int64_t> Value::integer() const noexcept {
  if (!is_number()) return std::nullopt;
  const std::string_view digits = text();
  std::int64_t result = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), result);
  if (problem != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return result;
}

std::optional<double> Value::real() const noexcept { return is_number() ? real_of(text()) : std::nullopt; }

std::optional<double> real_of(std::string_view digits) noexcept {
  double number = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (problem != std::errc() || end != digits.data() + digits.size() || !std::isfinite(number))
    return std::nullopt;
  return number;
}

namespace {

bool are_distinct(std::span<const Member> members) {
  constexpr std::size_t kPairsAreFaster = 24;
  if (members.size() > kPairsAreFaster) {
    std::unordered_set<std::string_view> seen;
    return std::all_of(members.begin(), members.end(),
                       [&](const Member& m) { return seen.insert(m.key.text()).second; });
  }
  for (std::size_t i = 1; i < members.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (members[i].key == members[j].key) return false;
    }
  }
  return true;
}

std::uint64_t bits_of(const std::vector<Member>& members) {
  std::uint64_t bits = 0;
  for (const Member& member : members) bits |= detail::bit_of(member.key.hash());
  return bits;
}

}  // namespace

namespace {

/// The last of the members from `first` to `member` that has this name.
[[gnu::noinline]] const Value* find_long(const Member* member, const Member* first,
                                         const Name& name) noexcept {
  for (;; --member) {
    if (member->key.is(name)) return &member->value;
    if (member == first) return nullptr;
  }
}

}  // namespace

// Not inline: everything looks up members, and one copy of this stays in the processor's cache. It calls
// nothing that returns to it, so that it needs no registers but its own; long names go elsewhere.
const Value* Value::find(const Name& name) const noexcept {
  constexpr std::size_t kFew = 4, kShort = 16;  // where a look at each is as fast; what is compared in place
  if (!is_object()) return nullptr;
  auto* object = static_cast<ObjectNode*>(node());
  const Member* const first = object->members.data();
  const std::size_t size = object->members.size();
  const std::uint32_t hash = name.hash;
  if (size > kFew) {
    std::uint64_t bits = object->bits.load(std::memory_order_relaxed);
    if (bits == 0) object->bits.store(bits = bits_of(object->members), std::memory_order_relaxed);
    if ((bits & detail::bit_of(hash)) == 0) return nullptr;
  }
  for (const Member* member = first + size; member != first;) {
    --member;
    if (member->key.hash() != hash) continue;
    if (name.text.size() > kShort) return find_long(member, first, name);
    if (member->key.is(name)) return &member->value;
  }
  return nullptr;
}

bool Value::distinct() const noexcept {
  if (!is_object()) return true;
  auto* object = static_cast<ObjectNode*>(node());
  Names names = object->names.load(std::memory_order_relaxed);
  if (names == Names::unknown) {
    const auto different = static_cast<std::size_t>(std::popcount(bits_of(object->members)));
    const bool is_sure = different == object->members.size();
    names = is_sure || are_distinct(object->members) ? Names::distinct : Names::repeated;
    object->names.store(names, std::memory_order_relaxed);
  }
  return names == Names::distinct;
}

std::vector<Value>& Value::edit_elements() {
  if (is_null()) *this = empty_list();
  check(is_array(), "edit_elements() of something else than an array");
  auto* own = static_cast<ArrayNode*>(node());
  if (!unique(own)) {
    *this = Value(std::vector<Value>(own->elements));
    own = static_cast<ArrayNode*>(node());
  }
  own->stamp.store(0, std::memory_order_relaxed);
  return own->elements;
}

std::vector<Member>& Value::own_members() {
  if (is_null()) *this = empty_object();
  check(is_object(), "editing the members of something else than an object");
  auto* own = static_cast<ObjectNode*>(node());
  if (!unique(own)) {
    const Names names = own->names.load(std::memory_order_relaxed);
    const ObjectNode* const shared = own;
    std::vector<Member> copy;
    copy.reserve(own->members.size() + 2);  // what is edited often gets a member more
    copy.assign(own->members.begin(), own->members.end());
    Value changed(std::move(copy));
    own = static_cast<ObjectNode*>(changed.node());
    own->names.store(names, std::memory_order_relaxed);
    own->bits.store(shared->bits.load(std::memory_order_relaxed), std::memory_order_relaxed);
    *this = std::move(changed);
  }
  if (own->names.load(std::memory_order_relaxed) == Names::repeated) own->names = Names::unknown;
  own->stamp.store(0, std::memory_order_relaxed);
  return own->members;
}

std::vector<Member>& Value::edit_members() {
  auto& all = own_members();
  static_cast<ObjectNode*>(node())->names.store(Names::unknown, std::memory_order_relaxed);
  static_cast<ObjectNode*>(node())->bits.store(0, std::memory_order_relaxed);
  return all;
}

Value& Value::edit(std::size_t index) {
  auto& all = edit_elements();
  check(index < all.size(), "edit() of an element beyond the end");
  return all[index];
}

Value& Value::edit(const Name& name) {
  auto& all = own_members();  // what follows repeats no name
  for (std::size_t i = all.size(); i-- > 0;) {
    if (all[i].key.is(name)) return all[i].value;
  }
  auto& bits = static_cast<ObjectNode*>(node())->bits;
  if (const std::uint64_t known = bits.load(std::memory_order_relaxed); known != 0)
    bits.store(known | detail::bit_of(name.hash), std::memory_order_relaxed);
  all.push_back({Key(name), Value()});
  return all.back().value;
}

Value* Value::edit_known(const Name& name) {
  const auto all = members();
  for (std::size_t i = all.size(); i-- > 0;) {
    if (all[i].key.is(name)) return &own_members()[i].value;
  }
  return nullptr;
}

void Value::set(const Name& name, Value value) { edit(name) = std::move(value); }

bool Value::remove(const Name& name) {
  if (find(name) == nullptr) return false;
  auto& all = own_members();
  static_cast<ObjectNode*>(node())->bits.store(0, std::memory_order_relaxed);
  return std::erase_if(all, [&](const Member& member) { return member.key.is(name); }) > 0;
}

void Value::push_back(Value element) { edit_elements().push_back(std::move(element)); }

bool operator==(const Value& a, const Value& b) noexcept {
  if (a.same(b)) return true;
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::null:
      return true;
    case Kind::boolean:
      return a.is_true() == b.is_true();
    case Kind::number:
    case Kind::string:
      return a.text() == b.text();
    case Kind::array: {
      const auto as = a.elements(), bs = b.elements();
      if (as.size() != bs.size()) return false;
      for (std::size_t i = 0; i < as.size(); ++i) {
        if (!(as[i] == bs[i])) return false;
      }
      return true;
    }
    case Kind::object:
      break;
  }
  const auto as = a.members(), bs = b.members();
  if (as.size() != bs.size()) return false;
  for (std::size_t i = 0; i < as.size(); ++i) {
    const bool aligned = as[i].key == bs[i].key;
    const Value* other = aligned ? &bs[i].value : b.find(as[i].key.name());
    if (other == nullptr || !(as[i].value == *other)) return false;
  }
  return true;
}

namespace {

/// Keys seen lately by this thread: documents of one kind share the names of their members.
constexpr std::size_t kRecentKeys = 1024, kRecentLength = 64;
thread_local std::array<Value, kRecentKeys> recent_keys;

}  // namespace

Key::Key(const Name& name) : hash_(name.hash) {
  if (name.text.size() > kRecentLength) {
    text_ = Value(static_cast<Node*>(make_text(Kind::string, name.text, {})));
    return;
  }
  Value& slot = recent_keys[(name.hash ^ (name.hash >> 16)) % kRecentKeys];
  if (!slot.has_node() || !are_equal(slot.text(), name.text)) {
    slot = Value(static_cast<Node*>(make_text(Kind::string, name.text, {})));
  }
  text_ = slot;
}

}  // namespace fixpoint::document
