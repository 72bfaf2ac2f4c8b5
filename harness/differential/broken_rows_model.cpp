#include "harness/differential/broken_rows_model.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <type_traits>

#include "harness/apiserver/types/pod_types.h"
#include "harness/cases/minors.h"
#include "harness/document/check.h"

namespace fixpoint::apiserver {

namespace {

void collect(const Type& type, std::set<const Type*>& seen, std::vector<FieldRow>& rows) {
  if (!seen.insert(&type).second) return;
  for (const Field& field : type.fields) {
    if (!field.known_in(cases::kRecordedMinor)) continue;
    rows.push_back({&type, &field});
    if (field.type != nullptr) collect(*field.type, seen, rows);
  }
}

}  // namespace

std::vector<FieldRow> rows_of_a_pod() {
  std::set<const Type*> seen;
  std::vector<FieldRow> rows;
  collect(kPod, seen, rows);
  return rows;
}

BrokenRow::BrokenRow(const Field& row, const Field& broken) : row_(&row), right_(row) { write(broken); }
BrokenRow::~BrokenRow() { write(right_); }

void BrokenRow::write(const Field& content) const {
  static_assert(std::is_trivially_copyable_v<Field>);
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto place = reinterpret_cast<std::uintptr_t>(row_);
  const std::uintptr_t begin = place / page * page, end = place + sizeof(Field);
  void* const pages = reinterpret_cast<void*>(begin);
  document::check(mprotect(pages, end - begin, PROT_READ | PROT_WRITE) == 0, "a table can be made writable");
  std::memcpy(reinterpret_cast<void*>(place), &content, sizeof(Field));
  document::check(mprotect(pages, end - begin, PROT_READ) == 0, "a table can be made constant again");
}

}  // namespace fixpoint::apiserver
