#pragma once

#include <string>

#include "harness/apiserver/plain_json_model.h"

namespace fixpoint::apiserver::plain {

/// A patch that the server refuses: how.
struct PatchRefused : std::runtime_error {
  enum class Kind { syntax, apply, panic };
  PatchRefused(Kind which, const char* why) : std::runtime_error(why), kind(which) {}
  Kind kind;
};

/// Reads the bytes of a patch: a list of objects, or null; throws PatchRefused (syntax).
Json read_patch(const std::string& bytes);

/// Applies a patch in the API server's dialect (spec §4.1), `document` being what the server wrote. The minor
/// says which release of the patch library. Texts are compared decoded: a patch that spells a character of
/// the document as an escape cannot be told from one that does not; `<`, `>` and `&` count as written raw.
/// Throws PatchRefused.
Json apply_patch(const Json& document, const Json& patch, int minor);

}  // namespace fixpoint::apiserver::plain
