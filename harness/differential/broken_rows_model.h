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

/// Every field of a Pod and of what it holds, once each, that the newest minor knows.
std::vector<FieldRow> rows_of_a_pod();

/// Changes a row of a table where it stands, as a slip of the pen in the sources would have, for as long as
/// it lives. The page it stands on is made writable for that. One at a time, on one thread; what values were
/// decoded meanwhile should not outlive it.
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
