#include "harness/oracle/oracle_cel_syntax.h"

#include <cctype>
#include <charconv>
#include <cstdlib>
#include <set>

namespace fixpoint::oracle {

namespace {

using Is = CelNode::Is;

struct Token {
  enum class Is { end, name, sign, literal } is = Is::end;
  std::string text = {};
  CelValue value = {};
};

void append_utf8(std::string& out, unsigned long code) {
  if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) throw CelFailed("no code point");
  if (code < 0x80) {
    out += static_cast<char>(code);
    return;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr unsigned kLead[] = {0, 0xC0, 0xE0, 0xF0};
  out += static_cast<char>(kLead[more] | (code >> (6 * more)));
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3F));
}

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {}

  std::vector<Token> all() {
    std::vector<Token> tokens;
    do {
      skip_space();
      tokens.push_back(next());
    } while (tokens.back().is != Token::Is::end);
    return tokens;
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void skip_space() {
    while (at_ < text_.size()) {
      if (std::string_view(" \t\n\r\f").find(peek()) != std::string_view::npos) {
        ++at_;
      } else if (text_.substr(at_).starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        return;
      }
    }
  }

  Token next() {
    if (at_ >= text_.size()) return {};
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number();
    if (begins_name(peek())) {
      std::size_t prefix = 0;
      while (prefix < 2 && std::string_view("rRbB").find(peek(prefix)) != std::string_view::npos) ++prefix;
      if (peek(prefix) == '"' || peek(prefix) == '\'') return text(prefix);
      const std::size_t begin = at_;
      while (begins_name(peek()) || is_digit(peek())) ++at_;
      return {Token::Is::name, std::string(text_.substr(begin, at_ - begin)), {}};
    }
    if (peek() == '"' || peek() == '\'') return text(0);
    for (const std::string_view sign : {"&&", "||", "==", "!=", "<=", ">="}) {
      if (text_.substr(at_).starts_with(sign)) return taken(sign.size());
    }
    if (std::string_view("+-*/%<>!?:.,()[]{}").find(peek()) == std::string_view::npos)
      throw CelFailed("a character that no expression has");
    return taken(1);
  }

  Token taken(std::size_t length) {
    at_ += length;
    return {Token::Is::sign, std::string(text_.substr(at_ - length, length)), {}};
  }

  Token number() {
    const std::size_t begin = at_;
    const bool is_hexadecimal = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
    bool is_real = false;
    if (is_hexadecimal) at_ += 2;
    while (std::isxdigit(static_cast<unsigned char>(peek())) != 0 && (is_hexadecimal || is_digit(peek())))
      ++at_;
    if (!is_hexadecimal) {
      if (peek() == '.' && is_digit(peek(1))) {
        is_real = true;
        for (++at_; is_digit(peek());) ++at_;
      }
      const std::size_t sign = peek(1) == '-' || peek(1) == '+' ? 2 : 1;
      if ((peek() == 'e' || peek() == 'E') && is_digit(peek(sign))) {
        is_real = true;
        for (at_ += sign; is_digit(peek());) ++at_;
      }
    }
    const std::string digits(text_.substr(begin, at_ - begin));
    if (is_real) return {Token::Is::literal, "", cel_real(std::strtod(digits.c_str(), nullptr))};
    const bool is_natural = peek() == 'u' || peek() == 'U';
    std::uint64_t number = 0;
    const char* first = digits.c_str() + (is_hexadecimal ? 2 : 0);
    const auto read =
        std::from_chars(first, digits.c_str() + digits.size(), number, is_hexadecimal ? 16 : 10);
    if (read.ec != std::errc()) throw CelFailed("a number out of range");
    if (is_natural) {
      ++at_;
      return {Token::Is::literal, "", cel_natural(number)};
    }
    // The sign of the least integer is read before its digits are judged.
    return {Token::Is::literal, "int", cel_natural(number)};
  }

  Token text(std::size_t prefix) {
    bool is_raw = false, is_bytes = false;
    for (; prefix > 0; --prefix, ++at_) {
      const bool says_raw = peek() == 'r' || peek() == 'R';
      (says_raw ? is_raw : is_bytes) = true;
    }
    std::string quote(1, peek());
    if (text_.substr(at_).starts_with(std::string(3, quote[0]))) quote.assign(3, quote[0]);
    at_ += quote.size();
    std::string out;
    while (!text_.substr(at_).starts_with(quote)) {
      if (at_ >= text_.size() || (quote.size() == 1 && peek() == '\n'))
        throw CelFailed("a text without an end");
      if (peek() == '\\' && !is_raw) {
        ++at_;
        escape(out, is_bytes);
      } else {
        out += text_[at_++];
      }
    }
    at_ += quote.size();
    return {Token::Is::literal, "", is_bytes ? cel_bytes(std::move(out)) : cel_text(std::move(out))};
  }

  unsigned long digits(std::size_t length, int base) {
    const std::string_view some = text_.substr(at_, length);
    unsigned long code = 0;
    const auto read = std::from_chars(some.data(), some.data() + some.size(), code, base);
    if (some.size() < length || read.ptr != some.data() + length) throw CelFailed("no escape");
    at_ += length;
    return code;
  }

  void escape(std::string& out, bool is_bytes) {
    constexpr std::string_view kLetters = "abfnrtv\\'\"`?", kMeant = "\a\b\f\n\r\t\v\\'\"`?";
    const char c = peek();
    if (const auto known = kLetters.find(c); c != '\0' && known != std::string_view::npos) {
      out += kMeant[known];
      ++at_;
      return;
    }
    unsigned long code = 0;
    if (c >= '0' && c <= '3') {
      code = digits(3, 8);
    } else {
      ++at_;
      if (c != 'x' && c != 'X' && c != 'u' && c != 'U') throw CelFailed("no escape");
      code = digits(c == 'u' ? 4 : c == 'U' ? 8 : 2, 16);
      if (is_bytes && (c == 'u' || c == 'U')) throw CelFailed("no escape of bytes");
    }
    if (is_bytes) {
      out += static_cast<char>(code);
    } else {
      append_utf8(out, code);
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

const std::set<std::string, std::less<>> kReserved{
    "as",  "break", "const",   "continue",  "else",   "for", "function", "if",    "import",
    "let", "loop",  "package", "namespace", "return", "var", "void",     "while", "in"};

CelNode call(std::string name, std::vector<CelNode> parts, bool has_target = false) {
  return {.is = Is::call, .text = std::move(name), .parts = std::move(parts), .has_target = has_target};
}

class Grammar {
 public:
  explicit Grammar(std::string_view text) : tokens_(Tokens(text).all()) {}

  CelNode whole() {
    CelNode node = expression();
    if (peek().is != Token::Is::end) throw CelFailed("more than one expression");
    return node;
  }

 private:
  const Token& peek() const { return tokens_[at_]; }
  bool is_sign(std::string_view sign) const { return peek().is == Token::Is::sign && peek().text == sign; }
  bool take(std::string_view sign) {
    const bool is_there = is_sign(sign);
    if (is_there) ++at_;
    return is_there;
  }
  void expect(std::string_view sign) {
    if (!take(sign)) throw CelFailed("expected " + std::string(sign));
  }
  std::string name() {
    if (peek().is != Token::Is::name) throw CelFailed("expected a name");
    return tokens_[at_++].text;
  }

  CelNode expression() {
    CelNode condition = binary(0);
    if (!take("?")) return condition;
    CelNode yes = binary(0);
    expect(":");
    CelNode no = expression();
    return call("?:", {std::move(condition), std::move(yes), std::move(no)});
  }

  /// The operators of a level of precedence, from the weakest to the strongest.
  static const std::vector<std::vector<std::string_view>>& levels() {
    static const std::vector<std::vector<std::string_view>> all{
        {"||"}, {"&&"}, {"<", "<=", ">=", ">", "==", "!=", "in"}, {"+", "-"}, {"*", "/", "%"}};
    return all;
  }

  CelNode binary(std::size_t level) {
    if (level == levels().size()) return unary();
    CelNode left = binary(level + 1);
    for (bool found = true; found;) {
      found = false;
      for (const std::string_view sign : levels()[level]) {
        const bool is_word = sign == "in" && peek().is == Token::Is::name && peek().text == "in";
        if (!is_word && !is_sign(sign)) continue;
        ++at_;
        CelNode right = binary(level + 1);
        left = call(std::string(sign), {std::move(left), std::move(right)});
        found = true;
        break;
      }
    }
    return left;
  }

  CelNode unary() {
    if (take("!")) return call("!", {unary()});
    if (!is_sign("-")) return member();
    ++at_;
    if (peek().is == Token::Is::literal && peek().text == "int") {
      const std::uint64_t size = tokens_[at_].value.natural;
      if (size > std::uint64_t{1} << 63) throw CelFailed("a number out of range");
      tokens_[at_].value = cel_integer(static_cast<std::int64_t>(-size));
      tokens_[at_].text.clear();
      return member();
    }
    if (peek().is == Token::Is::literal && peek().value.is == CelValue::Is::real) {
      tokens_[at_].value.real = -tokens_[at_].value.real;
      return member();
    }
    return call("-", {unary()});
  }

  CelNode member() {
    CelNode node = primary();
    for (;;) {
      if (take(".")) {
        const bool is_optional = take("?");
        const std::string field = name();
        if (is_sign("(") && !is_optional) {
          std::vector<CelNode> parts = list_until("(", ")");
          parts.insert(parts.begin(), std::move(node));
          node = call(field, std::move(parts), true);
        } else {
          node = {.is = Is::select, .text = field, .parts = {std::move(node)}, .is_optional = is_optional};
        }
      } else if (take("[")) {
        const bool is_optional = take("?");
        CelNode key = expression();
        expect("]");
        node = {.is = Is::index, .parts = {std::move(node), std::move(key)}, .is_optional = is_optional};
      } else if (is_sign("{") && !type_name(node).empty()) {
        node = object(type_name(node));
      } else {
        return node;
      }
    }
  }

  /// `a.b.c`, if the node is that.
  static std::string type_name(const CelNode& node) {
    if (node.is == Is::name) return node.text;
    if (node.is != Is::select || node.is_optional) return "";
    const std::string before = type_name(node.parts[0]);
    return before.empty() ? "" : before + "." + node.text;
  }

  std::vector<CelNode> list_until(std::string_view open, std::string_view close) {
    std::vector<CelNode> parts;
    expect(open);
    if (open == "[") take(",");  // a comma alone is no element
    while (!take(close)) {
      const bool is_optional = open == "[" && take("?");
      parts.push_back(expression());
      if (is_optional) parts.back() = call("?element", {std::move(parts.back())});
      if (!take(",") && !is_sign(close)) throw CelFailed("expected a comma");
    }
    return parts;
  }

  CelNode object(const std::string& of) {
    CelNode node{.is = Is::object, .text = of};
    for (expect("{"); !take("}");) {
      const bool is_optional = take("?");
      node.fields.push_back(name());
      expect(":");
      node.parts.push_back(expression());
      if (is_optional) node.parts.back() = call("?element", {std::move(node.parts.back())});
      if (!take(",") && !is_sign("}")) throw CelFailed("expected a comma");
    }
    return node;
  }

  CelNode map() {
    CelNode node{.is = Is::map};
    for (expect("{"); !take("}");) {
      const bool is_optional = take("?");
      node.parts.push_back(expression());
      expect(":");
      node.parts.push_back(expression());
      if (is_optional) node.parts.back() = call("?element", {std::move(node.parts.back())});
      if (!take(",") && !is_sign("}")) throw CelFailed("expected a comma");
    }
    return node;
  }

  CelNode primary() {
    if (take("(")) {
      CelNode node = expression();
      expect(")");
      // What stands in parentheses names no type.
      if (node.is == Is::name || node.is == Is::select) return call("()", {std::move(node)});
      return node;
    }
    if (is_sign("[")) return {.is = Is::list, .parts = list_until("[", "]")};
    if (is_sign("{")) return map();
    if (peek().is == Token::Is::literal) {
      Token token = tokens_[at_++];
      if (token.text == "int") {
        if (token.value.natural >> 63 != 0) throw CelFailed("a number out of range");
        token.value = cel_integer(static_cast<std::int64_t>(token.value.natural));
      }
      return {.is = Is::literal, .value = std::move(token.value)};
    }
    take(".");
    const std::string word = name();
    if (word == "true" || word == "false") return {.is = Is::literal, .value = cel_boolean(word == "true")};
    if (word == "null") return {.is = Is::literal};
    if (kReserved.contains(word)) throw CelFailed("a reserved word");
    if (is_sign("(")) return call(word, list_until("(", ")"));
    return {.is = Is::name, .text = word};
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace

CelNode read_cel(std::string_view text) { return Grammar(text).whole(); }

}  // namespace fixpoint::oracle
