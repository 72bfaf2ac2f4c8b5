#include "harness/document/value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <new>
#include <string>
#include <unordered_set>
#include <utility>

#include "harness/document/check.h"
#include "harness/document/member_finder.h"

namespace fixpoint::document {

using detail::ArrayNode;
using detail::Names;
using detail::ObjectNode;
using detail::TextNode;

namespace {

Elements& items_of(ArrayNode& node) { return node.elements; }
Members& items_of(ObjectNode& node) { return node.members; }

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

/// Trees deeper than this are destroyed with a list instead of recursion.
constexpr int kRecursionMax = 200;
thread_local int release_depth = 0;
thread_local std::vector<Node*>* release_later = nullptr;

/// Allocates a list or an object with room for `room` items in one block; at least for one, so that no other
/// block begins at the address of its items.
template <class N>
N* make_node(std::size_t room) {
  using T = typename std::remove_reference_t<decltype(items_of(std::declval<N&>()))>::value_type;
  check(room < UINT32_MAX, "a list has fewer than 4 billion elements");
  room = std::max<std::size_t>(room, 1);
  return new (::operator new(sizeof(N) + room * sizeof(T))) N(room);
}

template <class N>
void destroy_node(N* node) noexcept {
  auto& items = items_of(*node);
  const bool is_one_block = items.is_in_node();
  const std::size_t size = sizeof(N) + items.room() * sizeof(*items.begin());
  node->~N();
  if (!is_one_block) return ::operator delete(node);
  ::operator delete(node, size);
}

void destroy(Node* node) noexcept {
  switch (node->kind) {
    case Kind::array:
      return destroy_node(static_cast<ArrayNode*>(node));
    case Kind::object:
      return destroy_node(static_cast<ObjectNode*>(node));
    default:
      auto* text = static_cast<TextNode*>(node);
      const std::size_t size = sizeof(TextNode) + text->length + text->spelling;
      text->~TextNode();
      ::operator delete(text, size);
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
Value::Value(std::vector<Value> elements) : Value(taking(std::span(elements))) {}
Value::Value(std::vector<Member> members) : Value(taking(std::span(members))) {}
Value::Value(std::initializer_list<Member> members) : Value(empty_object(members.size())) {
  static_cast<ObjectNode*>(node())->members.append(members.begin(), members.end());
}
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
Value Value::empty_list(std::size_t room) { return Value(static_cast<Node*>(make_node<ArrayNode>(room))); }
Value Value::empty_object(std::size_t room) { return Value(static_cast<Node*>(make_node<ObjectNode>(room))); }
Value Value::taking(std::span<Value> elements) {
  Value made = empty_list(elements.size());
  static_cast<ArrayNode*>(made.node())
      ->elements.append(std::make_move_iterator(elements.begin()), std::make_move_iterator(elements.end()));
  return made;
}
Value Value::taking(std::span<Member> members) {
  Value made = empty_object(members.size());
  static_cast<ObjectNode*>(made.node())
      ->members.append(std::make_move_iterator(members.begin()), std::make_move_iterator(members.end()));
  return made;
}
Value Value::list(std::initializer_list<Value> elements) {
  Value made = empty_list(elements.size());
  static_cast<ArrayNode*>(made.node())->elements.append(elements.begin(), elements.end());
  return made;
}

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

/// The index of the last member of that name, or the number of members if there is none.
std::size_t place_of(std::span<const Member> members, const Name& name) {
  for (std::size_t i = members.size(); i-- > 0;) {
    if (members[i].key.is(name)) return i;
  }
  return members.size();
}

}  // namespace

const Value* Value::find(const Name& name) const noexcept {
  const auto all = members();
  for (auto member = all.rbegin(); member != all.rend(); ++member) {
    if (member->key.is(name)) return &member->value;
  }
  return nullptr;
}

bool Value::distinct() const noexcept {
  if (!is_object()) return true;
  auto* object = static_cast<ObjectNode*>(node());
  Names names = object->names.load(std::memory_order_relaxed);
  if (names == Names::unknown) {
    names = are_distinct(members()) ? Names::distinct : Names::repeated;
    object->names.store(names, std::memory_order_relaxed);
  }
  return names == Names::distinct;
}

namespace {

constexpr std::size_t kSomeMore = 2;  ///< room for the items that edits usually add

}  // namespace

Elements& Value::edit_elements() {
  if (is_null()) *this = empty_list(kSomeMore);
  check(is_array(), "edit_elements() of something else than an array");
  auto* own = static_cast<ArrayNode*>(node());
  if (!unique(own)) {
    auto* const copy = make_node<ArrayNode>(own->elements.size() + kSomeMore);
    copy->elements.append(own->elements.begin(), own->elements.end());
    *this = Value(static_cast<Node*>(copy));
    own = copy;
  }
  own->stamp.store(0, std::memory_order_relaxed);
  return own->elements;
}

Members& Value::own_members() {
  if (is_null()) *this = empty_object(kSomeMore);
  check(is_object(), "editing the members of something else than an object");
  auto* own = static_cast<ObjectNode*>(node());
  if (!unique(own)) {
    auto* const copy = make_node<ObjectNode>(own->members.size() + kSomeMore);
    copy->members.append(own->members.begin(), own->members.end());
    copy->names.store(own->names.load(std::memory_order_relaxed), std::memory_order_relaxed);
    *this = Value(static_cast<Node*>(copy));
    own = copy;
  }
  if (own->names.load(std::memory_order_relaxed) == Names::repeated) own->names = Names::unknown;
  own->stamp.store(0, std::memory_order_relaxed);
  return own->members;
}

Members& Value::edit_members() {
  auto& all = own_members();
  static_cast<ObjectNode*>(node())->names.store(Names::unknown, std::memory_order_relaxed);
  return all;
}

Value& Value::edit(std::size_t index) {
  auto& all = edit_elements();
  check(index < all.size(), "edit() of an element beyond the end");
  return all[index];
}

Value& Value::edit(const Name& name) {
  auto& all = own_members();  // the edits below never add a duplicate
  const std::size_t place = place_of(members(), name);
  if (place == all.size()) all.push_back({Key(name), Value()});
  return all[place].value;
}

Value* Value::edit_known(const Name& name) {
  const std::size_t place = place_of(members(), name);
  return place == size() ? nullptr : &own_members()[place].value;
}

void Value::set(const Name& name, Value value) { edit(name) = std::move(value); }

bool Value::remove(const Name& name) {
  if (find(name) == nullptr) return false;
  auto& all = own_members();
  return erase_if(all, [&](const Member& member) { return member.key.is(name); }) > 0;
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
  MemberFinder others(b);
  for (std::size_t i = 0; i < as.size(); ++i) {
    const bool aligned = as[i].key == bs[i].key;
    const Value* other = aligned ? &bs[i].value : others.find(as[i].key);
    if (other == nullptr || !(as[i].value == *other)) return false;
  }
  return true;
}

namespace {

/// The texts that this thread made most recently.
constexpr std::size_t kRecentTexts = 256, kSharedLength = 64;
thread_local std::array<Value, kRecentTexts> recent_texts;

/// The interned names: an open hash table with up to kTries probes. A slot is written once.
constexpr std::size_t kStaying = 4096, kTries = 4;
constinit std::array<std::atomic<TextNode*>, kStaying> staying{};

/// The interned node of that name; nullptr if there is no room for it.
TextNode* staying_text(const Name& name) {
  if (name.text.size() > kSharedLength) return nullptr;
  for (std::size_t i = 0; i < kTries; ++i) {
    auto& slot = staying[((name.hash ^ (name.hash >> 16)) + i) % kStaying];
    TextNode* found = slot.load(std::memory_order_acquire);
    if (found == nullptr) {
      TextNode* const made = make_text(Kind::string, name.text, {});
      if (slot.compare_exchange_strong(found, made, std::memory_order_acq_rel)) return made;
      destroy(made);  // another thread was faster
    }
    if (are_equal({found->data(), found->length}, name.text)) return found;
  }
  return nullptr;
}

}  // namespace

Key::Key(const Name& name) : text_(staying_text(name)), hash_(name.hash), stays_(text_ != nullptr) {
  if (!stays_) text_ = make_text(Kind::string, name.text, {});
}

Value shared_text(const Name& text) {
  if (text.text.size() > kSharedLength) return text.text;
  Value& slot = recent_texts[(text.hash ^ (text.hash >> 16)) % kRecentTexts];
  if (slot.text() != text.text || !slot.is_string()) slot = Value(text.text);
  return slot;
}

}  // namespace fixpoint::document
