#pragma once

#include <string>
#include <vector>

/// The parts of a JSON text that a library of JSON values may not keep. This header needs the standard
/// library alone.
namespace fixpoint {

/// A number, or a member that its object has twice.
struct JsonDetail {
  std::string pointer = {};  ///< where it is, as a JSON pointer
  std::string number = {};   ///< the text of the number; empty for a member that occurs again
  bool operator==(const JsonDetail&) const = default;
};

/// Returns them in the order of the text. Throws std::invalid_argument if it is no JSON.
std::vector<JsonDetail> json_details(const std::string& text);

}  // namespace fixpoint
