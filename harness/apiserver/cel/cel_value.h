#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/apiserver/cel/opaque_box.h"
#include "harness/apiserver/decoding/timestamp.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::cel {

/// The kind of a value (CEL specification, "Values"). An error is a value, too: `&&` and `||` absorb it. An
/// opaque value is one of Kubernetes' own, such as a quantity.
enum class Kind : std::uint8_t {
  error,
  null,
  boolean,
  integer,
  unsigned_integer,
  real,
  text,
  bytes,
  list,
  map,
  duration,
  timestamp,
  type,
  optional,
  opaque
};

struct ListBox;
struct MapBox;
struct OptionalBox;

using Time = Timestamp;

/// A value of CEL, of two words; copies are cheap. A list or a map may be a view of a document, whose numbers
/// are read as the server reads unstructured objects: integers as int, others as double.
class Datum {
 public:
  Datum() noexcept : kind_(Kind::null) {}
  Datum(const Datum& other) noexcept : kind_(other.kind_), form_(other.form_) { copy_from(other); }
  Datum(Datum&& other) noexcept : kind_(other.kind_), form_(other.form_) { steal(other); }
  Datum& operator=(const Datum& other) noexcept {
    Datum copy(other);
    return *this = std::move(copy);
  }
  Datum& operator=(Datum&& other) noexcept {
    if (this != &other) {
      release();
      kind_ = other.kind_, form_ = other.form_;
      steal(other);
    }
    return *this;
  }
  ~Datum() { release(); }

  static Datum of(bool value) { return {Kind::boolean, value ? 1 : 0}; }
  static Datum of(std::int64_t value) { return {Kind::integer, value}; }
  static Datum of(std::uint64_t value) { return {Kind::unsigned_integer, static_cast<std::int64_t>(value)}; }
  static Datum of(double value);
  static Datum of(std::string_view value);
  static Datum of(const std::string& value) { return of(std::string_view(value)); }
  static Datum of(const char* value) { return of(std::string_view(value)); }
  static Datum of(const Time& value);
  static Datum of(std::vector<Datum> elements);
  static Datum of(std::vector<std::pair<Datum, Datum>> entries);
  /// The concatenation of two lists that have elements, which the server converts otherwise than other lists.
  static Datum joined(const Datum& a, const Datum& b);
  /// A list of a custom resource with `x-kubernetes-list-type: set`: its order does not count for `==`, and
  /// `+` adds the elements that it lacks (apiserver/pkg/cel/common unstructuredSetList).
  static Datum set_of(std::vector<Datum> elements);
  /// The same for `x-kubernetes-list-type: map`: elements are compared by these members, and `+` replaces
  /// those with equal ones (unstructuredMapList). An empty name stands for a key that every element lacks.
  static Datum list_by_key(std::vector<Datum> elements, std::vector<std::string> keys);
  /// `box` is taken over.
  static Datum of(const OpaqueBox* box) { return {Kind::opaque, box}; }
  static Datum bytes(std::string_view value);
  static Datum duration(std::int64_t nanoseconds) { return {Kind::duration, nanoseconds}; }
  static Datum type(std::string_view name);
  static Datum some(Datum value);
  static Datum none();
  static Datum error(std::string_view message);
  /// A view of a document; scalars are converted.
  static Datum of(const document::Value& value);

  Kind kind() const noexcept { return kind_; }
  bool is_joined() const noexcept;                                   ///< a list made by joined()
  bool is_view() const noexcept { return form_ == Form::document; }  ///< of a document
  /// How many values this one holds in one another, those of documents left out.
  std::uint32_t depth() const noexcept { return form_ == Form::box ? box_->depth : 0; }
  bool is(Kind kind) const noexcept { return kind_ == kind; }
  bool is_error() const noexcept { return kind_ == Kind::error; }
  bool is_true() const noexcept { return kind_ == Kind::boolean && word_ != 0; }
  bool is_false() const noexcept { return kind_ == Kind::boolean && word_ == 0; }
  std::int64_t integer() const noexcept { return word_; }  ///< of an int, a bool, a duration in nanoseconds
  std::uint64_t unsigned_integer() const noexcept { return static_cast<std::uint64_t>(word_); }
  double real() const noexcept;
  std::string_view text() const noexcept;  ///< of a string, bytes, a type's name, an error's message
  const Time& time() const;
  const OpaqueBox& opaque() const noexcept { return *static_cast<const OpaqueBox*>(box_); }
  const Datum* held() const;  ///< in an optional, or nullptr
  const ListBox* unordered_list() const noexcept;  ///< of set_of() or list_by_key(); nullptr for others
  /// Number of elements or entries.
  std::size_t size() const;
  Datum element(std::size_t index) const;
  std::pair<Datum, Datum> entry(std::size_t index) const;
  /// The value of a key in a map; numbers that are equal are one key.
  bool find(const Datum& key, Datum& into) const;
  bool find(std::string_view key, Datum& into) const;
  /// The list or map that a fold builds, which grows in place; nullptr for others.
  ListBox* growing_list() const;
  MapBox* growing_map() const;
  static Datum growing(Kind kind);
  /// The same value for general use once it has grown.
  void settle() const;

 private:
  enum class Form : std::uint8_t { word, box, document };
  Datum(Kind kind, std::int64_t word) noexcept : kind_(kind), word_(word) {}
  Datum(Kind kind, const Box* box) noexcept : kind_(kind), form_(Form::box), box_(box) {}
  void copy_from(const Datum& other) noexcept;
  void steal(Datum& other) noexcept;
  void release() noexcept;

  Kind kind_;
  Form form_ = Form::word;
  union {
    std::int64_t word_ = 0;
    const Box* box_;
    document::Value document_;
  };
};

/// The name of a value's type, as `type(x)` and messages print it.
std::string_view type_name(const Datum& value);

/// Returns true if two values are equal: numbers by value, whatever their type; values of different types are
/// not (CEL specification, "Equality").
bool equal(const Datum& a, const Datum& b);

/// Returns `a + b` for a list without order.
Datum add_to_unordered(const ListBox& a, const Datum& b);

}  // namespace fixpoint::apiserver::cel
