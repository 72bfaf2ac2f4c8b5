#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "harness/document/limits.h"
#include "harness/document/value.h"

namespace fixpoint::document {

/// The reason why a patch failed.
struct PatchProblem {
  enum class Kind {
    syntax,  ///< not a list of objects: the API server cannot decode it
    apply,   ///< an operation does not apply
    panic,   ///< the API server's library crashes on it; the request ends with 500 whatever the failurePolicy
    limit,   ///< exceeds operations_max or patch_steps_max of Limits, which the API server lacks
  };
  Kind kind = Kind::apply;
  std::string message;        ///< what the library says, word for word; of a limit and a panic our own words
  std::size_t operation = 0;  ///< index of the operation, from 0
  std::string sketch = {};    ///< the same in our words, of which the identity of a finding is made
  bool is_failed_test = false;  ///< a `test` found another value
};

/// "syntax", "apply", "panic", "limit".
std::string_view name_of(PatchProblem::Kind kind);

/// The patched document, or the problem.
struct [[nodiscard]] Patched {
  Value document;
  std::optional<PatchProblem> problem;
  bool ok() const { return !problem.has_value(); }
};

/// Releases of the library that behave differently.
enum class PatchLibrary {
  newest,       ///< 4.13
  before_4_13,  ///< `replace` of the root by a scalar does nothing; `test` without `value` crashes on null or
                ///< absent
};

/// Returns true if the API server ignores the patch as empty: `[]` and `null`.
bool is_empty_patch(const Value& patch);

/// The problem of a patch that cannot be decoded, whatever the document: anything but a list (or null) of
/// objects and nulls, or too many of them.
std::optional<PatchProblem> decoding_problem(const Value& patch, const Limits& limits = {});

/// Applies a JSON Patch as the API server does: gopkg.in/evanphx/json-patch.v4 with negative indices, which
/// is more lenient than RFC 6902 in places and stricter in others. All operations apply or none. Parts that
/// are on no path of the patch are shared with `document`, which must not be deeper than
/// Limits::patched_depth_max. As in the library, duplicate members are lost in every object that an operation
/// enters or compares, and kept elsewhere.
///
/// Bounded by copy_bytes_max (the size of all `copy` values as Go writes them), patched_depth_max and
/// operations_max.
Patched apply_patch(const Value& document, const Value& patch, const Limits& limits = {},
                    PatchLibrary library = PatchLibrary::newest);

}  // namespace fixpoint::document
