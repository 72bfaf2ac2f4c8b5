#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/document/value.h"

namespace fixpoint::document {

/// Go's JSON Patch library tells three nulls apart. One that was in the document is no node at all and stays
/// null here. One that a patch gave as a value is a node without text. One that `copy` made of such a node
/// has the text "null", which decodes as an object without members. The last two stand in the tree as these
/// marks while a patch is applied; they are recognised by same().
extern const Value kAddedNull;
extern const Value kCopiedNull;

/// Levels of arrays and objects; 0 for a scalar.
std::size_t depth_of(const Value& value);

/// The tree after Go has encoded it and read it back, as `copy` does: marks are nulls, and `<`, `>`, `&`,
/// U+2028 and U+2029 in spelled strings are escaped. Shares what stays as it was.
Value as_copied(const Value& value);

/// Of members with one name only the last stays, as when Go decodes an object.
void drop_duplicates(Value& value);
/// The same in the whole tree.
void drop_all_duplicates(Value& value);

/// How a `test` compares the document's side with the patch's: scalars by their text as written, objects by
/// the last member of each name. Nulls in lists crash the library.
class Comparison {
 public:
  enum class Verdict : std::uint8_t { equal, different, panic };
  /// Neither side is null; the document's may be one of the marks.
  Verdict compare(const Value& document, const Value& patch);
  /// Whether an object with duplicate members was seen on the document's side.
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
