#include "harness/document/pointer.h"

#include <charconv>
#include <optional>

namespace fixpoint::document {

namespace {

std::optional<std::size_t> parse_index(std::string_view token) {
  if (token.empty() || (token.size() > 1 && token[0] == '0')) return std::nullopt;
  std::size_t index = 0;
  const auto [end, problem] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (problem != std::errc() || end != token.data() + token.size()) return std::nullopt;
  return index;
}

}  // namespace

Result<Pointer> parse_pointer(std::string_view text) {
  Pointer pointer;
  if (text.empty()) return pointer;
  if (text[0] != '/') return Error{"a JSON pointer is empty or begins with \"/\""};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '/') {
      pointer.emplace_back();
    } else if (text[i] != '~') {
      pointer.back() += text[i];
    } else if (i + 1 < text.size() && (text[i + 1] == '0' || text[i + 1] == '1')) {
      pointer.back() += text[++i] == '0' ? '~' : '/';
    } else {
      return Error{"in a JSON pointer \"~\" is followed by 0 or 1"};
    }
  }
  return pointer;
}

std::string escape_token(std::string_view token) {
  std::string out;
  out.reserve(token.size());
  for (char c : token) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

const Value* resolve(const Value& root, const Pointer& pointer) {
  const Value* at = &root;
  for (const std::string& token : pointer) {
    if (at->is_object()) {
      at = at->find(token);
    } else if (at->is_array()) {
      const auto index = parse_index(token);
      at = index && *index < at->size() ? &at->at(*index) : nullptr;
    } else {
      return nullptr;
    }
    if (at == nullptr) return nullptr;
  }
  return at;
}

}  // namespace fixpoint::document
