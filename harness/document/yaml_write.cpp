#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "harness/document/utf8.h"
#include "harness/document/yaml.h"
#include "harness/document/yaml_scalar.h"

namespace fixpoint::document {

namespace {

constexpr std::size_t kSimpleKeyMax = 1000;  ///< YAML looks for the colon within 1024 characters

bool is_plain_character(char c) {
  constexpr std::string_view kOthers = " _./@$()+=,;:-";
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         kOthers.find(c) != std::string_view::npos;
}

/// Returns true if the text needs no quotes. Stricter than YAML, so that all readers agree.
bool is_plain(std::string_view text) {
  constexpr std::string_view kNoBeginning = " +=,;:@-?", kNoEnd = " :";
  if (text.empty() || kNoBeginning.find(text.front()) != std::string_view::npos) return false;
  if (kNoEnd.find(text.back()) != std::string_view::npos || text.find(": ") != std::string_view::npos)
    return false;
  if (text.starts_with("...") || !std::all_of(text.begin(), text.end(), is_plain_character)) return false;
  return resolve_plain_scalar(text).type == YamlScalar::Type::string && !text.starts_with("0b");
}

/// Returns true if the text can be a literal block (`|`): printable lines, the first not indented, and at
/// most one line end at the end.
bool is_block(std::string_view text) {
  if (text.find('\n') == std::string_view::npos || text.front() == ' ' || text.front() == '\n') return false;
  if (text.ends_with("\n\n") || text.ends_with(" \n") || text.ends_with(' ')) return false;
  if (text.find(" \n") != std::string_view::npos) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); });
}

void append_hex(std::string& out, std::uint32_t code_point) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const int digits = code_point < 0x100 ? 2 : 4;
  out += code_point < 0x100 ? "\\x" : "\\u";
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += kHex[(code_point >> shift) & 15];
}

/// The code point of a sequence of two or three bytes; some of these YAML treats as line ends or forbids.
std::uint32_t decode(std::string_view sequence) {
  std::uint32_t code_point = static_cast<unsigned char>(sequence[0]) & (sequence.size() == 2 ? 0x1Fu : 0x0Fu);
  for (const char c : sequence.substr(1))
    code_point = (code_point << 6) | (static_cast<unsigned char>(c) & 0x3Fu);
  return code_point;
}
bool needs_escape(std::uint32_t code_point) {
  return code_point < 0xA0 || code_point == 0x2028 || code_point == 0x2029 || code_point == 0xFEFF ||
         code_point >= 0xFFFE;
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x80) {
      static constexpr std::string_view kFrom = "\"\\\n\t\r", kTo = "\"\\ntr";
      const auto escape = kFrom.find(text[i]);
      if (escape != std::string_view::npos) {
        out.append("\\").append(1, kTo[escape]);
      } else if (c < 0x20 || c == 0x7F) {
        append_hex(out, c);
      } else {
        out += text[i];
      }
      ++i;
      continue;
    }
    const std::size_t length = utf8_length(text, i);
    const std::uint32_t code_point = length == 0  ? kReplacement
                                     : length < 4 ? decode(text.substr(i, length))
                                                  : 0x10000;
    if (length < 4 && needs_escape(code_point)) {
      append_hex(out, code_point);
    } else if (length == 0) {
      append_utf8(out, kReplacement);
    } else {
      out.append(text, i, length);
    }
    i += std::max<std::size_t>(length, 1);
  }
  out += '"';
}

void append_text(std::string& out, std::string_view text) {
  is_plain(text) ? void(out += text) : append_quoted(out, text);
}

void append_block(std::string& out, std::string_view text, std::size_t indent) {
  out += text.ends_with('\n') ? "|" : "|-";
  if (text.ends_with('\n')) text.remove_suffix(1);
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += '\n';
    if (end > begin) out.append(indent, ' ').append(text, begin, end - begin);
    begin = end + 1;
  }
}

void append_number(std::string& out, std::string_view text) {
  const auto read = scalar_value(kPlainTag, text);
  const bool kept = read.ok() && read->is_number() && read->text() == text;
  out.append(kept ? "" : "!number ").append(text);
}

/// Writes the value after `key:` or `-`, starting in the current line.
class Writer {
 public:
  std::string out{};

  /// `indent` is the indentation of further lines; `nested` is true if the first line has already begun.
  void value(const Value& value, std::size_t indent, bool nested) {
    if (value.is_object() && !value.empty()) return map(value, indent, nested);
    if (value.is_array() && !value.empty()) return list(value, indent, nested);
    scalar(value, indent);
  }

 private:
  void scalar(const Value& value, std::size_t indent) {
    switch (value.kind()) {
      case Kind::null:
        out += "null";
        return;
      case Kind::boolean:
        out += value.is_true() ? "true" : "false";
        return;
      case Kind::number:
        return append_number(out, value.text());
      case Kind::string:
        return is_block(value.text()) ? append_block(out, value.text(), std::max<std::size_t>(indent, 2))
                                      : append_text(out, value.text());
      case Kind::array:
        out += "[]";
        return;
      case Kind::object:
        out += "{}";
    }
  }

  void begin_line(std::size_t indent, bool& nested) {
    if (!std::exchange(nested, false)) out.append("\n").append(indent, ' ');
  }

  void map(const Value& value, std::size_t indent, bool nested) {
    for (const Member& member : value.members()) {
      begin_line(indent, nested);
      const bool simple = member.key.text().size() <= kSimpleKeyMax / 4;
      if (!simple) out += "? ";
      append_text(out, member.key.text());
      if (!simple) out.append("\n").append(indent, ' ');
      out += ':';
      behind(member.value, indent, false);
    }
  }

  void list(const Value& value, std::size_t indent, bool nested) {
    for (const Value& element : value.elements()) {
      begin_line(indent, nested);
      out += '-';
      behind(element, indent, true);
    }
  }

  /// A non-empty array or object starts on the same line within a list, on the next line within a map.
  void behind(const Value& value, std::size_t indent, bool in_list) {
    const bool own_lines = !in_list && !value.empty();
    if (!own_lines) out += ' ';
    this->value(value, indent + 2, !own_lines);
  }
};

}  // namespace

namespace {

void append_line(std::string& out, const Value& value);

void append_text_in_line(std::string& out, std::string_view text) {
  is_plain(text) && text.find(',') == std::string_view::npos ? void(out += text) : append_quoted(out, text);
}

void append_member(std::string& out, const Member& member) {
  if (!out.ends_with('{')) out += ", ";
  append_text_in_line(out, member.key.text());
  out += ": ";
  append_line(out, member.value);
}

void append_line(std::string& out, const Value& value) {
  if (value.is_object()) {
    const auto is_name = [](const Member& member) { return member.key.text() == "name"; };
    out += '{';
    for (const Member& member : value.members())
      if (is_name(member)) append_member(out, member);
    for (const Member& member : value.members())
      if (!is_name(member)) append_member(out, member);
    out += '}';
  } else if (value.is_array()) {
    out += '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i > 0) out += ", ";
      append_line(out, value.at(i));
    }
    out += ']';
  } else if (value.is_string()) {
    append_text_in_line(out, value.text());
  } else if (value.is_number()) {
    append_number(out, value.text());
  } else {
    out += value.is_null() ? "null" : value.is_true() ? "true" : "false";
  }
}

}  // namespace

std::string write_yaml_line(const Value& value) {
  std::string out;
  append_line(out, value);
  return out;
}

std::string write_yaml(const Value& value) {
  Writer writer;
  writer.value(value, 0, true);
  return std::move(writer.out) + "\n";
}

}  // namespace fixpoint::document
