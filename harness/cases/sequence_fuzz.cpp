#include <cstddef>
#include <cstdint>
#include <string_view>

#include "generators/reduce_sequence.h"
#include "harness/document/check.h"
#include "harness/document/json.h"
#include "harness/runner/sequences.h"
#include "injectors/bundled.h"

using namespace fixpoint;

/// Every document that is read as a Sequence reads back, runs with every property, and reduces to Sequences
/// that read back.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Limits limits;
  limits.document_bytes_max = 1u << 16;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto document = document::read_json(text, limits, document::Strictness::foreign);
  if (!document) return 0;
  const auto& bundled = injectors::bundled();
  const auto reader = bundled.sequence_reader();
  auto value = cases::read_sequence(*document, reader);
  if (!value || value->steps.size() > 64) return 0;
  const auto again = cases::read_sequence(cases::write_sequence(*value), reader);
  // Texts are compared, because foreign parts keep their duplicate members, in another order.
  document::check(again.ok() && cases::canonical_text(*again) == cases::canonical_text(*value),
                  "a Sequence reads back");
  const auto prepared = runner::prepare(*value, bundled.resolve_reconciler);
  document::check(prepared.ok(), "a Sequence that was read runs");
  for (const auto* property : bundled.catalog.of_sequences()) runner::ask(*prepared, *property, limits);
  runner::trace_of(prepared->value, prepared->results);
  const auto kinds = bundled.catalog.steps();
  std::size_t offers = 0;
  generators::reduce_sequence(*value, kinds, [&](const cases::Sequence& candidate) {
    if (++offers > 64) return false;
    document::check(cases::read_sequence(cases::write_sequence(candidate), reader).ok(),
                    "a reduction reads back");
    return offers % 3 == 0;
  });
  return 0;
}
