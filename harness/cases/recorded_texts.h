#pragma once

#include <span>
#include <string_view>

namespace fixpoint::cases {

/// A text of the API server that cannot be repeated word for word: what a recorded one has in it, and why.
struct ExcusedText {
  std::string_view part;
  std::string_view why;
  bool is_behind = false;  ///< only what stands behind the part is excused
};
/// At most ten; every one is recorded (harness/server_texts_test.cpp).
std::span<const ExcusedText> excused_texts();

/// Returns true if a recorded text of the server says what `found` says, or is excused. A text that was not
/// recorded, which is empty, agrees with any other.
bool agrees_with_recorded(std::string_view recorded, std::string_view found);

/// Returns true for the message of a status that was recorded without its end: `…: failed calling webhook
/// "NAME"`, as recordings up to 2026 have it.
bool is_cut_short(std::string_view message);

}  // namespace fixpoint::cases
