#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fixpoint::document {

/// Decodes standard base64 with padding and optional line breaks, as Go's encoding/base64 accepts it; empty
/// for any other text.
std::optional<std::string> decode_base64(std::string_view text);
std::string encode_base64(std::string_view bytes);

}  // namespace fixpoint::document
