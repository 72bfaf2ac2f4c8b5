#include <cstddef>
#include <cstdint>
#include <string_view>

#include "corpus/audit_log.h"
#include "harness/document/check.h"

/// The input is a line of an audit log. Reading it must not crash, and the seed of a valid line is a Case
/// that reads back unchanged.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fixpoint;
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  const Limits limits{
      .depth_max = 64, .document_bytes_max = 1u << 16, .aliases_max = 100, .values_max = 10'000};
  corpus::AuditLog log(false, limits);
  const auto problem = log.take(line);
  document::check(!problem || log.seeds().empty(), "a bad line leaves no seed");
  for (const cases::Case& seed : log.seeds()) {
    const auto again = cases::read_case(cases::write_case(seed));
    document::check(again.ok() && cases::canonical_text(*again) == cases::canonical_text(seed),
                    "a seed reads as it was written");
  }
  return 0;
}
