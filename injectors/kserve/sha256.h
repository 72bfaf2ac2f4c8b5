#pragma once

#include <string>
#include <string_view>

namespace fixpoint::injectors::kserve {

/// Returns the SHA-256 of the text (FIPS 180-4) as 64 hexadecimal digits.
std::string sha256(std::string_view text);

}  // namespace fixpoint::injectors::kserve
