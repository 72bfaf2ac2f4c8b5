#include <cstddef>
#include <cstdint>
#include <string_view>

#include "harness/document/check.h"
#include "harness/document/diff.h"
#include "harness/document/json.h"
#include "harness/document/patch.h"
#include "harness/document/patch_model.h"

/// The input is a JSON document followed by a patch, as foreign text. Applying the patch must not crash, must
/// not change the document, and must agree with the reference model; the diff from the document to the result
/// must reproduce the result.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fixpoint;
  using namespace fixpoint::document;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Limits limits{.depth_max = 64, .document_bytes_max = 1u << 16, .copy_bytes_max = 1u << 12};
  const auto inputs = read_json_stream(text, limits, Strictness::foreign);
  if (!inputs || inputs->size() != 2) return 0;
  const Value &document = inputs->at(0), &patch = inputs->at(1);

  const std::string before = write_json(document);
  const Patched outcome = apply_patch(document, patch, limits);
  check(write_json(document) == before, "a patch leaves the document alone");
  check(same_outcome(outcome, apply_patch_plainly(document, patch, limits)),
        "a patch does what the model does");
  if (!outcome.ok() || !(outcome.document.is_object() || outcome.document.is_array())) return 0;

  const Patched led = apply_patch(document, diff(document, outcome.document));
  const bool was_container = document.is_object() || document.is_array();
  if (was_container)
    check(led.ok() && diff(led.document, outcome.document).empty(), "a difference leads to its end");
  return 0;
}
