#include <array>
#include <utility>

#include "harness/apiserver/cel/lexer.h"
#include "harness/apiserver/cel/macros.h"
#include "harness/apiserver/cel/syntax.h"
#include "harness/document/utf8.h"

namespace fixpoint::apiserver::cel {

namespace {

/// The limits of the server's parser.
constexpr int kRecursionMax = 250;
constexpr std::size_t kCodePointsMax = 100'000;

/// What the server's parser expects where an expression begins, where an index does, and an argument.
constexpr const char* kExpectedExpression =
    "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, "
    "IDENTIFIER}";
constexpr const char* kExpectedIndex =
    "{'[', '{', '(', '.', '-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, "
    "BYTES, "
    "IDENTIFIER}";
constexpr const char* kExpectedArgument =
    "{'[', '{', '(', ')', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, "
    "BYTES, "
    "IDENTIFIER}";

constexpr std::array kReserved = {"as",       "break", "const",  "continue", "else",     "for",
                                  "function", "if",    "import", "let",      "loop",     "package",
                                  "return",   "var",   "void",   "while",    "namespace"};

bool is_reserved(std::string_view name) {
  for (std::string_view word : kReserved) {
    if (word == name) return true;
  }
  return false;
}

bool is_keyword(std::string_view name) {
  return name == "in" || name == "true" || name == "false" || name == "null";
}

struct BinaryOperator {
  const char* symbol;
  int level;
  const char* name;
};
constexpr std::array kBinaryOperators = {
    BinaryOperator{"<", 1, "_<_"},  BinaryOperator{"<=", 1, "_<=_"}, BinaryOperator{">=", 1, "_>=_"},
    BinaryOperator{">", 1, "_>_"},  BinaryOperator{"==", 1, "_==_"}, BinaryOperator{"!=", 1, "_!=_"},
    BinaryOperator{"in", 1, "@in"}, BinaryOperator{"+", 2, "_+_"},   BinaryOperator{"-", 2, "_-_"},
    BinaryOperator{"*", 3, "_*_"},  BinaryOperator{"/", 3, "_/_"},   BinaryOperator{"%", 3, "_%_"},
};

/// A recursive descent over the grammar of the CEL specification. After the first syntax error nothing more
/// is read.
class ExpressionParser {
 public:
  ExpressionParser(std::vector<Token> tokens, const Dialect& dialect, bool expands, Parsed& into)
      : tokens_(std::move(tokens)), dialect_(dialect), expands_(expands), into_(into) {}

  void run() {
    NodePtr root = expression();
    if (!failed_ && !is_end()) unexpected("<EOF>");
    into_.next_id = maker_.next_id;
    if (into_.issues.empty()) into_.root = std::move(root);
  }

 private:
  const Token& token() const { return tokens_[next_]; }
  const Token& token_after(std::size_t count) const {
    return tokens_[std::min(next_ + count, tokens_.size() - 1)];
  }
  bool is_end() const { return token().kind == Token::Kind::end; }
  static bool is_symbol(const Token& token, std::string_view symbol) {
    if (token.kind == Token::Kind::identifier) return is_keyword(token.text) && token.text == symbol;
    return token.kind == Token::Kind::symbol && token.text == symbol;
  }
  bool at(std::string_view symbol) const { return is_symbol(token(), symbol); }
  bool accept(std::string_view symbol) {
    if (failed_ || !at(symbol)) return false;
    ++next_;
    return true;
  }
  static bool is_name(const Token& token) {
    return token.kind == Token::Kind::identifier && !is_keyword(token.text);
  }
  static bool begins_expression(const Token& token) {
    if (token.kind == Token::Kind::symbol) {
      return std::string_view("[{(.-!").find(token.text) != std::string_view::npos;
    }
    return token.kind != Token::Kind::end && !(token.kind == Token::Kind::identifier && token.text == "in") &&
           token.kind != Token::Kind::quoted_identifier;
  }

  void issue(int place, std::string message) { into_.issues.push_back({place, std::move(message)}); }
  void syntax_error(const Token& where, const std::string& message) {
    if (!failed_) issue(where.at, "Syntax error: " + message);
    failed_ = true;
  }
  /// The token does not fit where `expected` does.
  void unexpected(const std::string& expected) {
    const bool is_extra = !is_end() && next_ + 1 < tokens_.size() &&
                          (expected == "<EOF>" ? token_after(1).kind == Token::Kind::end
                                               : expected != "<EOF>" && begins_expression(token_after(1)));
    if (is_extra && !failed_) {
      issue(token().at, "Syntax error: extraneous input '" + token().text + "' expecting " + expected);
      ++next_;
      if (expected == "<EOF>") failed_ = true;
      return;
    }
    syntax_error(token(), "mismatched input '" + token().text + "' expecting " + expected);
  }
  /// The end of a list, a map or a message, behind an element.
  void expect_end(std::string_view symbol) {
    if (accept(symbol) || failed_) return;
    syntax_error(token(),
                 "mismatched input '" + token().text + "' expecting {'" + std::string(symbol) + "', ','}");
  }
  void expect_colon() {
    if (accept(":") || failed_) return;
    if (begins_expression(token())) return expect(":");
    syntax_error(token(), "mismatched input '" + token().text + "' expecting ':'");
  }
  void expect(std::string_view symbol) {
    if (accept(symbol) || failed_) return;
    syntax_error(token(), "missing '" + std::string(symbol) + "' at '" + token().text + "'");
  }

  /// Counts the nesting of a rule of the grammar, as the server's parser limits it.
  class Depth {
   public:
    Depth(ExpressionParser& parser, int& count) : parser_(parser), count_(count) { more(); }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    ~Depth() { count_ -= added_; }
    void more() {
      ++added_;
      if (++count_ <= kRecursionMax || parser_.failed_) return;
      parser_.issue(kNowhere, "expression recursion limit exceeded: " + std::to_string(kRecursionMax));
      parser_.failed_ = true;
    }

   private:
    ExpressionParser& parser_;
    int& count_;
    int added_ = 0;
  };

  NodePtr nothing() { return maker_.make(Node::Kind::literal, kNowhere); }

  NodePtr call(const std::string& function, std::vector<NodePtr> arguments, int place) {
    if (expands_) {
      if (NodePtr expansion =
              expand_macro(maker_, dialect_, function, nullptr, arguments, place, into_.issues)) {
        return expansion;
      }
    }
    return maker_.call(function, std::move(arguments), place);
  }

  NodePtr expression() {
    Depth depth(*this, expression_depth_);
    if (failed_) return nothing();
    NodePtr condition = logical(true);
    const int place = token().at;
    if (!accept("?")) return condition;
    NodePtr yes = logical(true);
    expect_colon();
    NodePtr no = expression();
    return maker_.call(operators::kConditional, {condition, yes, no}, place);
  }

  /// Chains of `||` and `&&` become balanced trees, which decides what is evaluated first.
  NodePtr logical(bool is_or) {
    std::vector<NodePtr> terms = {is_or ? logical(false) : binary(1)};
    std::vector<int> places;
    const char* symbol = is_or ? "||" : "&&";
    while (!failed_ && at(symbol)) {
      places.push_back(token().at);
      ++next_;
      terms.push_back(is_or ? logical(false) : binary(1));
    }
    if (places.empty()) return terms[0];
    return balanced(terms, places, 0, places.size() - 1, is_or ? operators::kOr : operators::kAnd);
  }
  NodePtr balanced(const std::vector<NodePtr>& terms, const std::vector<int>& places, std::size_t low,
                   std::size_t high, const char* name) {
    const std::size_t middle = (low + high + 1) / 2;
    NodePtr left = middle == low ? terms[middle] : balanced(terms, places, low, middle - 1, name);
    NodePtr right = middle == high ? terms[middle + 1] : balanced(terms, places, middle + 1, high, name);
    return maker_.call(name, {left, right}, places[middle]);
  }

  const BinaryOperator* operator_here(int level) const {
    for (const BinaryOperator& row : kBinaryOperators) {
      if (row.level == level && at(row.symbol)) return &row;
    }
    return nullptr;
  }

  NodePtr binary(int level) {
    if (level == 4) return unary();
    Depth depth(*this, level == 1 ? relation_depth_ : calculation_depth_);
    NodePtr left = binary(level + 1);
    while (!failed_) {
      const BinaryOperator* found = operator_here(level);
      if (found == nullptr) break;
      depth.more();
      const int place = token().at;
      ++next_;
      NodePtr right = binary(level + 1);
      left = maker_.call(found->name, {left, right}, place);
    }
    return left;
  }

  NodePtr unary() {
    for (const char* symbol : {"!", "-"}) {
      if (!at(symbol)) continue;
      const bool is_negative_literal = *symbol == '-' && (token_after(1).kind == Token::Kind::integer ||
                                                          token_after(1).kind == Token::Kind::real);
      if (is_negative_literal) return member();
      const int place = token().at;
      bool is_odd = false;
      while (accept(symbol)) is_odd = !is_odd;
      NodePtr operand = member();
      return is_odd ? maker_.call(*symbol == '!' ? operators::kNot : operators::kNegate, {operand}, place)
                    : operand;
    }
    return member();
  }

  NodePtr member() {
    Depth depth(*this, member_depth_);
    NodePtr node = primary();
    while (!failed_) {
      const int place = token().at;
      if (accept(".")) {
        depth.more();
        node = selection(std::move(node), place);
      } else if (accept("[")) {
        depth.more();
        const bool is_optional = at("?") && optional_syntax("[?", place);
        if (is_optional) ++next_;
        expected_ = kExpectedIndex;
        NodePtr index = expression();
        expect("]");
        node = maker_.call(is_optional ? operators::kOptionalIndex : operators::kIndex, {node, index}, place);
      } else {
        break;
      }
    }
    return node;
  }

  bool optional_syntax(const char* what, int place) {
    if (dialect_.optionals) return true;
    issue(place, std::string("unsupported syntax '") + what + "'");
    return true;
  }

  NodePtr selection(NodePtr operand, int place) {
    const bool is_optional = at("?");
    if (is_optional) optional_syntax(".?", place), ++next_;
    const Token name = token();
    const bool is_quoted = name.kind == Token::Kind::quoted_identifier;
    if (is_quoted) issue(name.at, "unsupported syntax: '`'");
    if (!is_quoted && !is_name(name)) {
      syntax_error(name, is_end() ? "no viable alternative at input '.'"
                                  : "no viable alternative at input '." + name.text + "'");
      return operand;
    }
    ++next_;
    const int open = token().at;
    if (!is_optional && accept("(")) return member_call(name.text, std::move(operand), open);
    if (is_optional) {
      return maker_.call(operators::kOptionalSelect,
                         {std::move(operand), maker_.literal(Datum::of(name.text), name.at)}, place);
    }
    NodePtr node = maker_.make(Node::Kind::select, place);
    node->name = name.text;
    node->parts = {std::move(operand)};
    return node;
  }

  NodePtr member_call(const std::string& name, NodePtr receiver, int place) {
    std::vector<NodePtr> arguments = arguments_until(")");
    if (failed_) return nothing();
    if (expands_) {
      NodePtr expansion = expand_macro(maker_, dialect_, name, receiver, arguments, place, into_.issues);
      if (expansion) return expansion;
    }
    return maker_.member_call(name, std::move(receiver), std::move(arguments), place);
  }

  std::vector<NodePtr> arguments_until(const char* end) {
    std::vector<NodePtr> arguments;
    if (accept(end)) return arguments;
    expected_ = kExpectedArgument;
    do {
      arguments.push_back(expression());
    } while (accept(","));
    expect(end);
    return arguments;
  }

  NodePtr primary() {
    if (failed_) return nothing();
    const char* expected = std::exchange(expected_, kExpectedExpression);
    const Token first = token();
    if (accept("(")) {
      NodePtr inner = expression();
      expect(")");
      return inner;
    }
    if (accept("[")) return list(first.at);
    if (accept("{")) return map(first.at);
    if (at(".") || is_name(first)) return named();
    if (NodePtr node = literal()) return node;
    const std::size_t before = next_;
    unexpected(expected);
    return failed_ || next_ == before ? nothing() : primary();
  }

  /// Names and what may follow them: a call, or a message's fields.
  NodePtr named() {
    const bool is_rooted = accept(".");
    const Token name = token();
    if (!is_name(name)) {
      syntax_error(name, "mismatched input '" + name.text + "' expecting IDENTIFIER");
      return nothing();
    }
    if (const std::size_t length = message_name_length()) return message(length, is_rooted);
    ++next_;
    if (is_reserved(name.text)) issue(name.at, "reserved identifier: " + name.text);
    const std::string full = (is_rooted ? "." : "") + name.text;
    const int open = token().at;
    if (!accept("(")) return maker_.identifier(full, name.at);
    std::vector<NodePtr> arguments = arguments_until(")");
    if (failed_) return nothing();
    return call(full, std::move(arguments), open);
  }

  /// Number of tokens of `a.b.c` if a `{` follows, else 0.
  std::size_t message_name_length() const {
    std::size_t length = 1;
    while (is_symbol(token_after(length), ".") && is_name(token_after(length + 1))) length += 2;
    return is_symbol(token_after(length), "{") ? length : 0;
  }

  NodePtr message(std::size_t length, bool is_rooted) {
    std::string name = is_rooted ? "." : "";
    for (std::size_t i = 0; i < length; ++i) name += tokens_[next_ + i].text;
    next_ += length;
    NodePtr node = maker_.make(Node::Kind::message, token().at);
    ++next_;
    node->name = std::move(name);
    if (at(",") && is_symbol(token_after(1), "}")) ++next_;
    while (!failed_ && !at("}")) {
      const bool is_optional = at("?") && optional_syntax("?", token().at);
      if (is_optional) ++next_;
      const Token field = token();
      if (field.kind == Token::Kind::quoted_identifier) {
        issue(field.at, "unsupported syntax: '`'");
      } else if (!is_name(field)) {
        syntax_error(field, "mismatched input '" + field.text +
                                "' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}");
        break;
      }
      ++next_;
      node->field_places.push_back(token().at);
      expect_colon();
      node->fields.push_back(field.text);
      node->is_optional.push_back(is_optional);
      node->parts.push_back(expression());
      if (!accept(",")) break;
    }
    expect_end("}");
    return node;
  }

  NodePtr list(int place) {
    NodePtr node = maker_.make(Node::Kind::list, place);
    if (at(",") && is_symbol(token_after(1), "]")) ++next_;
    while (!failed_ && !at("]")) {
      const bool is_optional = at("?") && optional_syntax("?", token().at);
      if (is_optional) ++next_;
      node->is_optional.push_back(is_optional);
      node->parts.push_back(expression());
      if (!accept(",")) break;
    }
    expect_end("]");
    return node;
  }

  NodePtr map(int place) {
    NodePtr node = maker_.make(Node::Kind::map, place);
    if (at(",") && is_symbol(token_after(1), "}")) ++next_;
    while (!failed_ && !at("}")) {
      const bool is_optional = at("?") && optional_syntax("?", token().at);
      if (is_optional) ++next_;
      node->is_optional.push_back(is_optional);
      node->parts.push_back(expression());
      expect_colon();
      node->parts.push_back(expression());
      if (!accept(",")) break;
    }
    expect_end("}");
    return node;
  }

  NodePtr number_literal(const Token& number, bool is_negative, int place) {
    std::string error;
    Datum value = read_number(number, is_negative, error);
    if (!error.empty()) issue(place, error);
    return maker_.literal(std::move(value), place);
  }

  NodePtr literal() {
    const Token first = token();
    const bool is_negative = at("-");
    const Token number = is_negative ? token_after(1) : first;
    switch (number.kind) {
      case Token::Kind::integer:
      case Token::Kind::real:
        next_ += is_negative ? 2 : 1;
        return number_literal(number, is_negative, first.at);
      case Token::Kind::unsigned_integer:
        if (is_negative) return nullptr;
        ++next_;
        return number_literal(number, false, first.at);
      case Token::Kind::text:
      case Token::Kind::bytes: {
        if (is_negative) return nullptr;
        ++next_;
        const bool is_bytes = first.kind == Token::Kind::bytes;
        std::string text, error;
        if (!unescape(std::string_view(first.text).substr(is_bytes ? 1 : 0), is_bytes, text, error)) {
          issue(first.at, error);
        }
        return maker_.literal(is_bytes ? Datum::bytes(text) : Datum::of(text), first.at);
      }
      default:
        break;
    }
    if (accept("true")) return maker_.literal(Datum::of(true), first.at);
    if (accept("false")) return maker_.literal(Datum::of(false), first.at);
    if (accept("null")) return maker_.literal({}, first.at);
    return nullptr;
  }

  std::vector<Token> tokens_;
  const Dialect& dialect_;
  bool expands_;
  Parsed& into_;
  NodeMaker maker_ = {};
  std::size_t next_ = 0;
  const char* expected_ = kExpectedExpression;  ///< where the next operand is missing
  bool failed_ = false;
  int expression_depth_ = 0, relation_depth_ = 0, calculation_depth_ = 0, member_depth_ = 0;
};

}  // namespace

Parsed parse(std::string_view source, const Dialect& dialect, bool expands) {
  Parsed parsed;
  const std::size_t size = document::rune_count(source);
  if (size > kCodePointsMax) {
    parsed.issues.push_back(
        {kNowhere, "expression code point size exceeds limit: size: " + std::to_string(size) + ", limit " +
                       std::to_string(kCodePointsMax)});
    return parsed;
  }
  std::vector<Token> tokens = split(source, parsed.issues);
  ExpressionParser(std::move(tokens), dialect, expands, parsed).run();
  return parsed;
}

}  // namespace fixpoint::apiserver::cel
