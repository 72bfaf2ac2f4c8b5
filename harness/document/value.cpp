#include "harness/document/value.h"

#include <sys/single_threaded.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstring>
#include <new>
#include <string>
#include <unordered_set>
#include <utility>

#include "harness/document/check.h"

namespace fixpoint::document {

/// What all nodes begin with. Counting is atomic only once the process has a second thread.
struct Node {
  explicit Node(Kind k) : kind(k) {}
  std::atomic<std::uint32_t> references{1};
  std::atomic<std::uint32_t> stamp{0};
  Kind kind;
};

namespace {

/// A string or a number: the text stands behind the node, the spelling behind the text.
struct TextNode : Node {
  TextNode(Kind k, std::uint32_t h, std::uint32_t l, std::uint32_t s)
      : Node(k), hash(h), length(l), spelling(s) {}
  std::uint32_t hash;  ///< of a key; 0 in other texts
  std::uint32_t length;
  std::uint32_t spelling;
  char* data() { return reinterpret_cast<char*>(this + 1); }
};

struct ArrayNode : Node {
  explicit ArrayNode(std::vector<Value> e) : Node(Kind::array), elements(std::move(e)) {}
  std::vector<Value> elements;
};

/// What is known of the names in an object.
enum class Names : std::uint8_t { unknown, distinct, repeated };

struct ObjectNode : Node {
  explicit ObjectNode(std::vector<Member> m) : Node(Kind::object), members(std::move(m)) {}
  std::atomic<Names> names{Names::unknown};
  std::vector<Member> members;
};

void count_up(std::atomic<std::uint32_t>& count) noexcept {
  if (__libc_single_threaded != 0) {
    count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  } else {
    count.fetch_add(1, std::memory_order_relaxed);
  }
}

/// Whether that was the last one.
bool count_down(std::atomic<std::uint32_t>& count) noexcept {
  if (__libc_single_threaded != 0) {
    const std::uint32_t left = count.load(std::memory_order_relaxed) - 1;
    count.store(left, std::memory_order_relaxed);
    return left == 0;
  }
  return count.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

bool unique(const Node* node) noexcept { return node->references.load(std::memory_order_acquire) == 1; }

TextNode* make_text(Kind kind, std::string_view text, std::string_view spelling, std::uint32_t hash) {
  check(text.size() < UINT32_MAX && spelling.size() < UINT32_MAX, "a text is shorter than 4 GiB");
  void* memory = ::operator new(sizeof(TextNode) + text.size() + spelling.size());
  auto* node = new (memory) TextNode(kind, hash, static_cast<std::uint32_t>(text.size()),
                                     static_cast<std::uint32_t>(spelling.size()));
  if (!text.empty()) std::memcpy(node->data(), text.data(), text.size());
  if (!spelling.empty()) std::memcpy(node->data() + text.size(), spelling.data(), spelling.size());
  return node;
}

const Value kNull;

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

void release(Node* node) noexcept {
  if (!count_down(node->references)) return;
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

}  // namespace

Value::Value(std::string_view text) : Value(static_cast<Node*>(make_text(Kind::string, text, {}, 0))) {}
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
  return Value(static_cast<Node*>(make_text(Kind::number, text, {}, 0)));
}
Value Value::spelled(std::string_view text, std::string_view spelling) {
  return Value(static_cast<Node*>(make_text(Kind::string, text, spelling, 0)));
}
Value Value::list(std::initializer_list<Value> elements) { return {std::vector<Value>(elements)}; }
Value Value::empty_list() { return {std::vector<Value>()}; }
Value Value::empty_object() { return {std::vector<Member>()}; }

Value::Value(const Value& other) noexcept : bits_(other.bits_) {
  if (has_node()) count_up(node()->references);
}
Value& Value::operator=(const Value& other) noexcept {
  Value copy(other);
  std::swap(bits_, copy.bits_);
  return *this;
}
Value& Value::operator=(Value&& other) noexcept {
  if (this != &other) {
    Value old;
    old.bits_ = std::exchange(bits_, std::exchange(other.bits_, 0));
  }
  return *this;
}
Value::~Value() {
  if (has_node()) release(node());
}

Kind Value::kind() const noexcept {
  if (has_node()) return node()->kind;
  return bits_ == 0 ? Kind::null : Kind::boolean;
}

std::string_view Value::text() const noexcept {
  if (!is_string() && !is_number()) return {};
  auto* text = static_cast<TextNode*>(node());
  return {text->data(), text->length};
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

std::size_t Value::size() const noexcept {
  if (is_array()) return static_cast<ArrayNode*>(node())->elements.size();
  if (is_object()) return static_cast<ObjectNode*>(node())->members.size();
  return 0;
}

std::span<const Value> Value::elements() const noexcept {
  if (!is_array()) return {};
  return static_cast<ArrayNode*>(node())->elements;
}

std::span<const Member> Value::members() const noexcept {
  if (!is_object()) return {};
  return static_cast<ObjectNode*>(node())->members;
}

const Value& Value::at(std::size_t index) const noexcept {
  const auto all = elements();
  return index < all.size() ? all[index] : kNull;
}

const Value* Value::find(const Name& name) const noexcept {
  const auto all = members();
  for (std::size_t i = all.size(); i-- > 0;) {
    if (all[i].key.is(name)) return &all[i].value;
  }
  return nullptr;
}

const Value& Value::operator[](const Name& name) const noexcept {
  const Value* found = find(name);
  return found == nullptr ? kNull : *found;
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

}  // namespace

bool Value::distinct() const noexcept {
  if (!is_object()) return true;
  auto* object = static_cast<ObjectNode*>(node());
  Names names = object->names.load(std::memory_order_relaxed);
  if (names == Names::unknown) {
    names = are_distinct(object->members) ? Names::distinct : Names::repeated;
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
    *this = Value(std::vector<Member>(own->members));
    own = static_cast<ObjectNode*>(node());
    own->names.store(names, std::memory_order_relaxed);
  }
  if (own->names.load(std::memory_order_relaxed) == Names::repeated) own->names = Names::unknown;
  own->stamp.store(0, std::memory_order_relaxed);
  return own->members;
}

std::vector<Member>& Value::edit_members() {
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
  auto& all = own_members();  // what follows repeats no name
  for (std::size_t i = all.size(); i-- > 0;) {
    if (all[i].key.is(name)) return all[i].value;
  }
  all.push_back({Key(name), Value()});
  return all.back().value;
}

void Value::set(const Name& name, Value value) { edit(name) = std::move(value); }

bool Value::remove(const Name& name) {
  if (find(name) == nullptr) return false;
  return std::erase_if(own_members(), [&](const Member& member) { return member.key.is(name); }) > 0;
}

void Value::push_back(Value element) { edit_elements().push_back(std::move(element)); }

std::uint32_t Value::stamp() const noexcept {
  return is_array() || is_object() ? node()->stamp.load(std::memory_order_relaxed) : 0;
}

void Value::set_stamp(std::uint32_t stamp) const noexcept {
  if (is_array() || is_object()) node()->stamp.store(stamp, std::memory_order_relaxed);
}

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

Key::Key(const Name& name) {
  if (name.text.size() > kRecentLength) {
    text_ = Value(static_cast<Node*>(make_text(Kind::string, name.text, {}, name.hash)));
    return;
  }
  Value& slot = recent_keys[(name.hash ^ (name.hash >> 16)) % kRecentKeys];
  if (!slot.has_node() || slot.text() != name.text) {
    slot = Value(static_cast<Node*>(make_text(Kind::string, name.text, {}, name.hash)));
  }
  text_ = slot;
}

std::uint32_t Key::hash() const noexcept { return static_cast<TextNode*>(text_.node())->hash; }

Name Key::name() const noexcept {
  Name result("");
  result.text = text();
  result.hash = hash();
  return result;
}

}  // namespace fixpoint::document
