#pragma once

#include <string>

#include "harness/oracle/oracle_json.h"

namespace fixpoint::oracle {

/// A patch that the server refuses: how.
struct PatchRefused : std::runtime_error {
  enum class Kind { syntax, apply, panic };
  PatchRefused(Kind which, const char* why) : std::runtime_error(why), kind(which) {}
  Kind kind;
};

/// Reads the bytes of a patch: a list of objects, or null; throws PatchRefused (syntax). Unsupported is one
/// that tests texts and spells characters as escapes: it compares spellings, which nlohmann's texts do not
/// keep.
Json read_patch(const std::string& bytes);

/// Applies a patch in the API server's dialect (docs/simulator.md#4-1); the minor says which release of the
/// patch library. `<`, `>` and `&` are escaped in texts that the server wrote, which `document` is unless
/// said otherwise, and raw in the patch. Throws PatchRefused.
Json apply_patch(const Json& document, const Json& patch, int minor, bool from_server = true);

}  // namespace fixpoint::oracle
