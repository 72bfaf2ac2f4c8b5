#pragma once

#include <string>
#include <vector>

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

/// A row of the simulator's tables: a field of a type.
struct FieldRow {
  const Type* type;
  const Field* field;
  std::string name() const { return std::string(type->name) + "." + std::string(field->name.text); }
};

/// Returns every field of a Pod and of the types within it, once each, if the recorded minor has it.
std::vector<FieldRow> rows_of_a_pod();

/// Changes a row of a table in place, as a typing error in the sources would, until it is destroyed. The
/// memory page of the row is made writable for that. Use one at a time, on one thread, and drop all values
/// that were decoded meanwhile.
class BrokenRow {
 public:
  BrokenRow(const Field& row, const Field& broken);
  ~BrokenRow();
  BrokenRow(const BrokenRow&) = delete;
  BrokenRow& operator=(const BrokenRow&) = delete;

 private:
  void write(const Field& content) const;
  const Field* row_;
  Field right_;
};

}  // namespace fixpoint::apiserver
