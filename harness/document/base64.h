#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fixpoint::document {

/// The bytes of standard base64 with padding, line breaks allowed, as Go's encoding/base64 takes it; nothing
/// for anything else.
std::optional<std::string> decode_base64(std::string_view text);
std::string encode_base64(std::string_view bytes);

}  // namespace fixpoint::document
