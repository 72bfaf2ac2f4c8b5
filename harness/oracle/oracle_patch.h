#pragma once

#include <string>

#include "harness/oracle/oracle_json.h"

namespace fixpoint::oracle {

/// Thrown for a patch that the server refuses; `kind` says in which way. `test` is an operation of that name
/// whose value differs.
struct PatchRefused : std::runtime_error {
  enum class Kind { syntax, apply, test, panic };
  PatchRefused(Kind which, const char* why) : std::runtime_error(why), kind(which) {}
  Kind kind;
};

/// Reads the bytes of a patch, a list of objects or null. Throws PatchRefused (syntax). Throws Unsupported
/// for a patch with a `test` operation and escaped characters: `test` compares spellings, which nlohmann's
/// texts do not keep.
Json read_patch(const std::string& bytes);

/// Applies a patch in the API server's dialect (docs/simulator.md#4-1); the minor decides the release of the
/// patch library. Texts written by the server, as `document` is with `from_server`, escape `<`, `>` and `&`;
/// the patch does not, except one of a policy: the server writes that, too, and its null is a value. Throws
/// PatchRefused.
Json apply_patch(const Json& document, const Json& patch, int minor, bool from_server = true,
                 bool of_policy = false);

}  // namespace fixpoint::oracle
