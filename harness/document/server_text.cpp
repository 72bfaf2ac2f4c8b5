#include "harness/document/server_text.h"

#include <array>
#include <cstdint>

#include "harness/document/json.h"
#include "harness/document/utf8.h"

namespace fixpoint::document {

namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

void append_hex(std::string& out, std::uint32_t code, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += kHexDigits[(code >> shift) & 0xF];
}

/// The escape of a control character that has a letter, else 0.
char letter_of(char c) {
  constexpr std::string_view kControls = "\a\b\f\n\r\t\v", kLetters = "abfnrtv";
  const auto place = kControls.find(c);
  return place == std::string_view::npos ? '\0' : kLetters[place];
}

void append_quoted(std::string& out, std::string_view sequence) {
  const std::uint32_t code = code_point(sequence);
  if (sequence == "\"" || sequence == "\\") {
    out.append("\\").append(sequence);
  } else if (is_printable_code(code)) {
    out += sequence;
  } else if (const char letter = sequence.size() == 1 ? letter_of(sequence[0]) : '\0'; letter != '\0') {
    (out += '\\') += letter;
  } else if (code < 0x80) {
    append_hex(out += "\\x", code, 2);
  } else if (code < 0x10000) {
    append_hex(out += "\\u", code, 4);
  } else {
    append_hex(out += "\\U", code, 8);
  }
}

/// Escapes what json.Marshal escapes for the sake of HTML and JavaScript.
std::string escaped(std::string_view json) {
  struct Row {
    std::string_view plain, escape;
  };
  constexpr Row kRows[] = {{"<", "\\u003c"},
                           {">", "\\u003e"},
                           {"&", "\\u0026"},
                           {"\xE2\x80\xA8", "\\u2028"},
                           {"\xE2\x80\xA9", "\\u2029"}};
  std::string out;
  for (std::size_t at = 0; at < json.size();) {
    std::string_view taken = json.substr(at, 1);
    std::string_view written = taken;
    for (const Row& row : kRows) {
      if (json.substr(at).starts_with(row.plain)) (taken = row.plain, written = row.escape);
    }
    out += written;
    at += taken.size();
  }
  return out;
}

void append_struct(std::string& out, const Value& value, std::span<const GoMember> members);

void append_member(std::string& out, const Value& value, std::span<const GoMember> members) {
  if (members.empty()) {
    out += go_json(value);
  } else if (!value.is_array()) {
    append_struct(out, value, members);
  } else {
    out += '[';
    for (const Value& element : value.elements()) {
      if (&element != value.elements().data()) out += ',';
      append_struct(out, element, members);
    }
    out += ']';
  }
}

void append_struct(std::string& out, const Value& value, std::span<const GoMember> members) {
  out += '{';
  bool is_first = true;
  for (const GoMember& member : members) {
    const Value& found = value[member.json];
    if (found.is_null() && member.absent.empty()) continue;
    out.append(is_first ? "\"" : ",\"").append(member.go).append("\":");
    is_first = false;
    if (found.is_null()) {
      out += member.absent;
    } else {
      append_member(out, found, member.members);
    }
  }
  out += '}';
}

}  // namespace

std::uint32_t code_point(std::string_view sequence) {
  if (sequence.size() == 1) return static_cast<unsigned char>(sequence[0]);
  std::uint32_t code = static_cast<unsigned char>(sequence[0]) & (0xFFu >> (sequence.size() + 1));
  for (std::size_t i = 1; i < sequence.size(); ++i)
    code = code << 6 | (static_cast<unsigned char>(sequence[i]) & 0x3Fu);
  return code;
}

bool is_printable_code(std::uint32_t code) {
  const auto within = [&](std::uint32_t low, std::uint32_t high) { return low <= code && code <= high; };
  if (code < 0x80) return within(' ', '~');
  return !(code <= 0xA0 || code == 0xAD || within(0x2000, 0x200F) || within(0x2028, 0x202F) ||
           within(0x205F, 0x206F) || code == 0x3000 || within(0xE000, 0xF8FF) || code == 0xFEFF ||
           within(0xFFF0, 0xFFFB) || code >= 0xE0000);
}

std::string Text::with(std::initializer_list<std::string_view> values) const {
  std::string out;
  std::string_view rest = words_;
  for (std::string_view value : values) {
    const auto place = rest.find("{}");
    if (place == std::string_view::npos) break;
    out.append(rest.substr(0, place)).append(value);
    rest.remove_prefix(place + 2);
  }
  return out.append(rest);
}

std::string go_quoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) {
      append_hex(out += "\\x", static_cast<unsigned char>(text[at]), 2);
      ++at;
      continue;
    }
    append_quoted(out, text.substr(at, length));
    at += length;
  }
  return out += '"';
}

std::string_view go_kind(const Value& value) {
  constexpr std::array<std::string_view, 6> kNames = {"null", "bool", "number", "string", "array", "object"};
  return kNames.at(static_cast<std::size_t>(value.kind()));
}

std::string go_json(const Value& value) { return escaped(write_json(value)); }

std::string go_json(const Value& value, std::span<const GoMember> members) {
  if (value.is_null()) return "null";
  std::string out;
  append_member(out, value, members);
  return out;
}

}  // namespace fixpoint::document
