#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/document/value.h"

namespace fixpoint::document {

/// Go's JSON Patch library distinguishes three nulls. One from the document has no node at all and stays null
/// here. One that is a value in a patch is a node without text. One that `copy` made of such a node has the
/// text "null", which decodes as an empty object. The last two are represented by these marks while a patch
/// is applied; same() recognises them.
extern const Value kAddedNull;
extern const Value kCopiedNull;

/// Levels of arrays and objects; 0 for a scalar.
std::size_t depth_of(const Value& value);

/// The tree after Go has encoded and decoded it, as `copy` does: marks are nulls, and `<`, `>`, `&`, U+2028
/// and U+2029 in spelled strings are escaped. Shares unchanged parts.
Value as_copied(const Value& value);

/// Keeps only the last of several members with one name, as when Go decodes an object.
void drop_duplicates(Value& value);
/// The same in the whole tree.
void drop_all_duplicates(Value& value);

/// Compares the document's value with the patch's as `test` does: scalars by their text as written, objects
/// by the last member of each name. Nulls in lists crash the library.
class Comparison {
 public:
  enum class Verdict : std::uint8_t { equal, different, panic };
  /// Neither side may be null; the document's may be one of the marks.
  Verdict compare(const Value& document, const Value& patch);
  /// Returns true if the document's side contained an object with duplicate members.
  bool met_duplicates() const { return met_duplicates_; }
  /// The number of values compared so far.
  std::size_t steps() const { return steps_; }

 private:
  Verdict compare_objects(const Value& document, const Value& patch);
  Verdict compare_lists(const Value& document, const Value& patch);
  bool met_duplicates_ = false;
  std::size_t steps_ = 0;
};

}  // namespace fixpoint::document
