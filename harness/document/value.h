#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/items.h"
#include "harness/document/key.h"

namespace fixpoint::document {

class Value;
struct Member;
/// The type of arrays and objects during edits: a vector with the operations that documents need.
using Elements = Items<Value>;
using Members = Items<Member>;

/// A JSON value: eight bytes that point to an immutable shared tree. Copies are cheap, and equal subtrees are
/// often the same node, which same() detects at once. Numbers keep their text; objects keep the order of
/// their members and duplicates. Editing copies shared nodes, one level at a time. Several threads may read a
/// value.
class Value {
 public:
  constexpr Value() noexcept = default;                            ///< null
  Value(bool value) noexcept : bits_(value ? kTrue : kFalse) {}    // NOLINT(google-explicit-constructor)
  Value(std::string_view text);                                    // NOLINT(google-explicit-constructor)
  Value(const char* text) : Value(std::string_view(text)) {}       // NOLINT(google-explicit-constructor)
  Value(const std::string& text);                                  // NOLINT(google-explicit-constructor)
  Value(int number) : Value(static_cast<std::int64_t>(number)) {}  // NOLINT(google-explicit-constructor)
  Value(std::int64_t number);                                      // NOLINT(google-explicit-constructor)
  Value(std::vector<Value> elements);                              // NOLINT(google-explicit-constructor)
  Value(std::vector<Member> members);                              // NOLINT(google-explicit-constructor)
  Value(std::initializer_list<Member> members);                    ///< an object
  static Value number(std::string_view text);                      ///< a number as it is written
  static Value list(std::initializer_list<Value> elements);
  /// An array or an object of these items, which are moved from.
  static Value taking(std::span<Value> elements);
  static Value taking(std::span<Member> members);
  /// Empty, with room for `room` items without a further allocation.
  static Value empty_list(std::size_t room = 0);
  static Value empty_object(std::size_t room = 0);
  /// A string whose JSON spelling differs from the one of Go's encoder; `test` of a JSON Patch distinguishes
  /// them.
  static Value spelled(std::string_view text, std::string_view spelling);

  Value(const Value& other) noexcept;
  Value(Value&& other) noexcept : bits_(other.bits_) { other.bits_ = 0; }
  Value& operator=(const Value& other) noexcept;
  Value& operator=(Value&& other) noexcept;
  ~Value();

  Kind kind() const noexcept;
  bool is_null() const noexcept { return bits_ == 0; }
  bool is_boolean() const noexcept { return bits_ == kTrue || bits_ == kFalse; }
  bool is_true() const noexcept { return bits_ == kTrue; }
  bool is_number() const noexcept { return kind() == Kind::number; }
  bool is_string() const noexcept { return kind() == Kind::string; }
  bool is_array() const noexcept { return kind() == Kind::array; }
  bool is_object() const noexcept { return kind() == Kind::object; }

  /// The content of a string, the digits of a number, else empty.
  std::string_view text() const noexcept;
  /// The spelling with its quotes if it differs from the one of Go's encoder; else empty.
  std::string_view spelling() const noexcept;
  /// The value of a number written as a plain decimal integer that fits.
  std::optional<std::int64_t> integer() const noexcept;
  /// The nearest double of a number; empty if it is out of range.
  std::optional<double> real() const noexcept;

  /// Elements or members; 0 for scalars.
  std::size_t size() const noexcept;
  bool empty() const noexcept { return size() == 0; }
  std::span<const Value> elements() const noexcept;  ///< empty unless an array
  std::span<const Member> members() const noexcept;  ///< empty unless an object
  /// The element, or null beyond the end.
  const Value& at(std::size_t index) const noexcept;
  /// The last member of that name (as Go's decoder sees it), or nullptr.
  const Value* find(const Name& name) const noexcept;
  /// The same, or null: `pod["spec"]["containers"]` never fails.
  const Value& operator[](const Name& name) const noexcept;
  /// Returns true if no two members have the same name, also for values that are no object. Computed once per
  /// object.
  bool distinct() const noexcept;

  /// For writing; the value must be an array, or null, which becomes one.
  Elements& edit_elements();
  /// For writing; the value must be an object, or null, which becomes one.
  Members& edit_members();
  /// The element, for writing; it must exist.
  Value& edit(std::size_t index);
  /// The member, for writing; added as null if missing.
  Value& edit(const Name& name);
  /// The member, for writing, or nullptr if there is none.
  Value* edit_known(const Name& name);
  void set(const Name& name, Value value);
  /// Removes every member of that name; returns true if there was one.
  bool remove(const Name& name);
  void push_back(Value element);

  /// Returns true if both are the same node or constant, and therefore equal.
  bool same(const Value& other) const noexcept { return bits_ == other.bits_; }
  /// A mark that a higher layer sets on an immutable array or object to remember that it was checked; editing
  /// clears it. 0 means none. Scalars have none.
  std::uint32_t stamp() const noexcept;
  void set_stamp(std::uint32_t stamp) const noexcept;

  /// Compares as JSON values: member order and string spelling do not count, numbers compare by their text.
  friend bool operator==(const Value& a, const Value& b) noexcept;

 private:
  static constexpr std::uintptr_t kFalse = 2, kTrue = 4, kLastConstant = 7;
  explicit Value(Node* node) noexcept : bits_(reinterpret_cast<std::uintptr_t>(node)) {}
  bool has_node() const noexcept { return bits_ > kLastConstant; }
  Members& own_members();
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  Node* node() const noexcept { return reinterpret_cast<Node*>(bits_); }

  std::uintptr_t bits_ = 0;
};

struct Member {
  Key key;
  Value value;
};

/// A string value for a common text, shared within the thread if it is short.
Value shared_text(const Name& text);

/// The nearest double if all of the text is a number and the double is finite.
std::optional<double> real_of(std::string_view digits) noexcept;

}  // namespace fixpoint::document

#include "harness/document/value_nodes.h"
