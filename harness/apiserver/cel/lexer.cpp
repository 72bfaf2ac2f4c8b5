#include "harness/apiserver/cel/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "harness/document/utf8.h"

namespace fixpoint::apiserver::cel {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

std::uint32_t hex_value(char c) {
  if (is_digit(c)) return static_cast<std::uint32_t>(c - '0');
  return static_cast<std::uint32_t>((c | 0x20) - 'a' + 10);
}

constexpr std::array<std::string_view, 27> kSymbols = {"==", "!=", "<=", ">=", "&&", "||", "<", ">", "[",
                                                       "]",  "{",  "}",  "(",  ")",  ".",  ",", "-", "!",
                                                       "?",  ":",  "+",  "*",  "/",  "%",  "",  "",  ""};

/// Length of an escape after the backslash, or 0 if it is none.
std::size_t escape_length(std::string_view rest) {
  if (rest.size() < 2) return 0;
  const char c = rest[1];
  if (std::string_view("abfnrtv\"'\\?`").find(c) != std::string_view::npos) return 2;
  const auto has_hex = [&](std::size_t count) {
    if (rest.size() < 2 + count) return false;
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_hex(rest[2 + i])) return false;
    }
    return true;
  };
  if ((c == 'x' || c == 'X') && has_hex(2)) return 4;
  if (c == 'u' && has_hex(4)) return 6;
  if (c == 'U' && has_hex(8)) return 10;
  if (c >= '0' && c <= '3' && rest.size() >= 4 && rest[2] >= '0' && rest[2] <= '7' && rest[3] >= '0' &&
      rest[3] <= '7') {
    return 4;
  }
  return 0;
}

/// How much behind a backslash could begin an escape; what follows it is what the lexer stumbles over.
std::size_t escape_prefix(std::string_view rest) {
  if (rest.empty()) return 0;
  const char c = rest[0];
  const bool is_octal = c >= '0' && c <= '3';
  const std::size_t most = c == 'x' || c == 'X' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : is_octal ? 2 : 0;
  if (most == 0) return 0;
  std::size_t length = 1;
  while (length < rest.size() && length <= most &&
         (is_octal ? rest[length] >= '0' && rest[length] <= '7' : is_hex(rest[length]))) {
    ++length;
  }
  return length;
}

/// Length of a string literal at the start of the text, or 0.
std::size_t string_length(std::string_view rest) {
  std::size_t at = 0;
  bool is_raw = false;
  if (!rest.empty() && (rest[0] == 'r' || rest[0] == 'R')) is_raw = true, at = 1;
  if (at >= rest.size() || (rest[at] != '"' && rest[at] != '\'')) return 0;
  const char quote = rest[at];
  const std::string triple(3, quote);
  const bool is_triple = rest.substr(at, 3) == triple;
  const auto ends = [&](bool three) -> std::size_t {
    std::size_t i = at + (three ? 3 : 1);
    while (i < rest.size()) {
      if (three ? rest.substr(i, 3) == triple : rest[i] == quote) return i + (three ? 3 : 1);
      if (!three && (rest[i] == '\n' || rest[i] == '\r')) return 0;
      if (rest[i] == '\\' && !is_raw) {
        const std::size_t length = escape_length(rest.substr(i));
        if (length == 0) return 0;
        i += length;
      } else {
        ++i;
      }
    }
    return 0;
  };
  if (is_triple) {
    if (const std::size_t length = ends(true)) return length;
    return at + 2;  // an empty string, before another one
  }
  return ends(false);
}

std::size_t digits_from(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

/// Length of an exponent at a place, or 0.
std::size_t exponent_length(std::string_view text, std::size_t at) {
  if (at >= text.size() || (text[at] != 'e' && text[at] != 'E')) return 0;
  std::size_t i = at + 1;
  if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
  const std::size_t end = digits_from(text, i);
  return end == i ? 0 : end - at;
}

std::size_t number_length(std::string_view rest, Token::Kind& kind) {
  if (rest.substr(0, 2) == "0x" && rest.size() > 2 && is_hex(rest[2])) {
    std::size_t end = 2;
    while (end < rest.size() && is_hex(rest[end])) ++end;
    kind = Token::Kind::integer;
    if (end < rest.size() && (rest[end] == 'u' || rest[end] == 'U'))
      kind = Token::Kind::unsigned_integer, ++end;
    return end;
  }
  std::size_t end = digits_from(rest, 0);
  if (end == 0 && !(rest.size() > 1 && rest[0] == '.' && is_digit(rest[1]))) return 0;
  const bool has_fraction = end + 1 < rest.size() && rest[end] == '.' && is_digit(rest[end + 1]);
  if (has_fraction) end = digits_from(rest, end + 1);
  const std::size_t exponent = exponent_length(rest, end);
  if (has_fraction || exponent > 0) {
    kind = Token::Kind::real;
    return end + exponent;
  }
  kind = Token::Kind::integer;
  if (end < rest.size() && (rest[end] == 'u' || rest[end] == 'U'))
    kind = Token::Kind::unsigned_integer, ++end;
  return end;
}

std::size_t token_length(std::string_view rest, Token::Kind& kind) {
  if (const std::size_t length = string_length(rest)) return kind = Token::Kind::text, length;
  if (rest[0] == 'b' || rest[0] == 'B') {
    if (const std::size_t length = string_length(rest.substr(1)))
      return kind = Token::Kind::bytes, length + 1;
  }
  if (is_letter(rest[0])) {
    std::size_t end = 1;
    while (end < rest.size() && (is_letter(rest[end]) || is_digit(rest[end]))) ++end;
    return kind = Token::Kind::identifier, end;
  }
  if (rest[0] == '`') {
    std::size_t end = 1;
    while (end < rest.size() && (is_letter(rest[end]) || is_digit(rest[end]) ||
                                 std::string_view(".-/ ").find(rest[end]) != std::string_view::npos)) {
      ++end;
    }
    if (end > 1 && end < rest.size() && rest[end] == '`')
      return kind = Token::Kind::quoted_identifier, end + 1;
  }
  if (const std::size_t length = number_length(rest, kind)) return length;
  kind = Token::Kind::symbol;
  for (std::string_view symbol : kSymbols) {
    if (!symbol.empty() && rest.substr(0, symbol.size()) == symbol) return symbol.size();
  }
  return 0;
}

std::size_t code_point_length(std::string_view text, std::size_t at) {
  const std::size_t length = document::utf8_length(text, at);
  return length == 0 ? 1 : length;
}

}  // namespace

std::vector<Token> split(std::string_view source, std::vector<Issue>& issues) {
  std::vector<Token> tokens;
  int at = 0;
  std::size_t byte = 0;
  const auto advance = [&](std::size_t bytes) {
    at += static_cast<int>(document::rune_count(source.substr(byte, bytes)));
    byte += bytes;
  };
  while (byte < source.size()) {
    const std::string_view rest = source.substr(byte);
    if (std::string_view("\t \r\n\f").find(rest[0]) != std::string_view::npos) {
      advance(1);
      continue;
    }
    if (rest.substr(0, 2) == "//") {
      advance(std::min(rest.find('\n'), rest.size()));
      continue;
    }
    Token token;
    token.at = at;
    std::size_t length = token_length(rest, token.kind);
    if (length == 0) {
      // The text that the server's lexer had read until it gave up: a quote takes the rest of its line along.
      length = code_point_length(rest, 0);
      if (rest[0] == '"' || rest[0] == '\'') {
        while (length < rest.size() && rest[length] != '\n' && rest[length] != '\r') {
          length += code_point_length(rest, length);
          if (rest[length - 1] != '\\') continue;
          length += escape_prefix(rest.substr(length));
          break;
        }
        length = std::min(length + (length < rest.size() ? code_point_length(rest, length) : 0), rest.size());
      } else if ((rest[0] == '&' || rest[0] == '|' || rest[0] == '=') && rest.size() > 1) {
        length += code_point_length(rest, 1);
      }
      issues.push_back(
          {at, "Syntax error: token recognition error at: '" + std::string(rest.substr(0, length)) + "'"});
      advance(length);
      continue;
    }
    token.text = std::string(rest.substr(0, length));
    advance(length);
    tokens.push_back(std::move(token));
  }
  tokens.push_back({Token::Kind::end, "<EOF>", at});
  return tokens;
}

bool unescape(std::string_view literal, bool is_bytes, std::string& into, std::string& error) {
  std::string text;
  for (std::size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] == '\r') {
      text += '\n';
      if (i + 1 < literal.size() && literal[i + 1] == '\n') ++i;
    } else {
      text += literal[i];
    }
  }
  std::string_view rest = text;
  const bool is_raw = rest[0] == 'r' || rest[0] == 'R';
  if (is_raw) rest.remove_prefix(1);
  const std::size_t quotes = rest.size() >= 6 && rest.substr(0, 3) == std::string(3, rest[0]) ? 3 : 1;
  rest = rest.substr(quotes, rest.size() - 2 * quotes);
  into.clear();
  while (!rest.empty()) {
    if (rest[0] != '\\' || is_raw) {
      into += rest[0];
      rest.remove_prefix(1);
      continue;
    }
    const std::size_t length = escape_length(rest);
    const char c = rest[1];
    constexpr std::string_view kNames = "abfnrtv", kValues = "\a\b\f\n\r\t\v";
    if (const std::size_t named = kNames.find(c); named != std::string_view::npos) {
      into += kValues[named];
    } else if (length == 2) {
      into += c;
    } else {
      std::uint32_t value = 0;
      const bool is_octal = c >= '0' && c <= '3';
      for (std::size_t i = is_octal ? 1 : 2; i < length; ++i)
        value = value * (is_octal ? 8 : 16) + hex_value(rest[i]);
      if (is_bytes && (c == 'u' || c == 'U')) return error = "unable to unescape string", false;
      if (!is_bytes && (value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))) {
        return error = "invalid unicode code point", false;
      }
      if (is_bytes) {
        into += static_cast<char>(value);
      } else {
        document::append_utf8(into, value);
      }
    }
    rest.remove_prefix(length);
  }
  return true;
}

Datum read_number(const Token& token, bool is_negative, std::string& error) {
  std::string_view text = token.text;
  if (token.kind == Token::Kind::real) {
    const double value = std::strtod(((is_negative ? "-" : "") + token.text).c_str(), nullptr);
    if (std::isinf(value)) error = "invalid double literal";
    return Datum::of(value);
  }
  const bool is_unsigned = token.kind == Token::Kind::unsigned_integer;
  if (is_unsigned) text.remove_suffix(1);
  const int base = text.substr(0, 2) == "0x" ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  const std::uint64_t most = is_unsigned ? std::numeric_limits<std::uint64_t>::max()
                                         : (std::uint64_t{1} << 63) - (is_negative ? 0 : 1);
  if (code != std::errc() || value > most) {
    error = is_unsigned ? "invalid uint literal" : "invalid int literal";
    value = 0;
  }
  if (is_unsigned) return Datum::of(value);
  return Datum::of(static_cast<std::int64_t>(is_negative ? ~value + 1 : value));
}

}  // namespace fixpoint::apiserver::cel
