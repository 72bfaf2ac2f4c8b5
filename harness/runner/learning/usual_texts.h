#pragma once

#include <span>
#include <string_view>

namespace fixpoint::runner {

struct UsualTexts {
  std::span<const char* const> texts = {};
  /// A Go program has a type for it: a client that cannot decode one object of a list takes none of it.
  bool are_typed = false;
};

/// Returns the texts that a member with that name usually has where its schema says nothing of their form,
/// such as durations for `renewBefore`. `said` is what somebody says of it: the schema's description, or the
/// webhook that refuses another text. Empty for any other member.
UsualTexts usual_texts(std::string_view name, std::string_view said);

}  // namespace fixpoint::runner
