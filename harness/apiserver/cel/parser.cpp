#include <array>
#include <utility>

#include "harness/apiserver/cel/macros.h"
#include "harness/apiserver/cel/syntax.h"
#include "harness/apiserver/cel/token_reader.h"
#include "harness/document/utf8.h"

namespace fixpoint::apiserver::cel {

namespace {

/// The limits of the server's parser.
constexpr int kRecursionMax = 250;
constexpr std::size_t kCodePointsMax = 100'000;

/// The tokens that the server's parser expects where an expression begins, where an index does, and an
/// argument.
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

/// Counts the nesting of a rule of the grammar, as the server's parser limits it.
class Depth {
 public:
  Depth(TokenReader& tokens, int& count) : tokens_(tokens), count_(count) { more(); }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;
  ~Depth() { count_ -= added_; }
  void more() {
    ++added_;
    if (++count_ > kRecursionMax)
      tokens_.give_up("expression recursion limit exceeded: " + std::to_string(kRecursionMax));
  }

 private:
  TokenReader& tokens_;
  int& count_;
  int added_ = 0;
};

/// A recursive descent over the grammar of the CEL specification. After the first syntax error nothing more
/// is read.
class ExpressionParser {
 public:
  ExpressionParser(std::vector<Token> tokens, const Dialect& dialect, bool expands, Parsed& into)
      : tokens_(std::move(tokens), into.issues), dialect_(dialect), expands_(expands), into_(into) {}

  void run();

 private:
  NodePtr nothing() { return maker_.make(Node::Kind::literal, kNowhere); }

  NodePtr call(const std::string& function, std::vector<NodePtr> arguments, int place);
  NodePtr expression();
  NodePtr logical(bool is_or);
  NodePtr balanced(const std::vector<NodePtr>& terms, const std::vector<int>& places, std::size_t low,
                   std::size_t high, const char* name);
  const BinaryOperator* operator_here(int level) const;
  NodePtr binary(int level);
  NodePtr unary();
  NodePtr member();
  bool optional_syntax(const char* what, int place);
  NodePtr selection(NodePtr operand, int place);
  NodePtr member_call(const std::string& name, NodePtr receiver, int place);
  std::vector<NodePtr> arguments_until(const char* end);
  NodePtr primary();
  NodePtr named();
  std::size_t message_name_length() const;
  template <class Begin>
  NodePtr elements_until(const char* end, NodePtr node, const Begin& begin);
  NodePtr message(std::size_t length, bool is_rooted);
  NodePtr list(int place);
  NodePtr map(int place);
  NodePtr number_literal(const Token& number, bool is_negative, int place);
  NodePtr literal();

  TokenReader tokens_;
  const Dialect& dialect_;
  bool expands_;
  Parsed& into_;
  NodeMaker maker_ = {};
  const char* expected_ = kExpectedExpression;  ///< where the next operand is missing
  int expression_depth_ = 0, relation_depth_ = 0, calculation_depth_ = 0, member_depth_ = 0;
};

void ExpressionParser::run() {
  NodePtr root = expression();
  if (!tokens_.failed() && !tokens_.is_end()) tokens_.unexpected("<EOF>");
  into_.next_id = maker_.next_id;
  if (into_.issues.empty()) into_.root = std::move(root);
}

NodePtr ExpressionParser::call(const std::string& function, std::vector<NodePtr> arguments, int place) {
  if (expands_) {
    if (NodePtr expansion =
            expand_macro(maker_, dialect_, function, nullptr, arguments, place, into_.issues)) {
      return expansion;
    }
  }
  return maker_.call(function, std::move(arguments), place);
}

NodePtr ExpressionParser::expression() {
  Depth depth(tokens_, expression_depth_);
  if (tokens_.failed()) return nothing();
  NodePtr condition = logical(true);
  const int place = tokens_.token().at;
  if (!tokens_.accept("?")) return condition;
  NodePtr yes = logical(true);
  tokens_.expect_colon();
  NodePtr no = expression();
  return maker_.call(operators::kConditional, {condition, yes, no}, place);
}

/// Chains of `||` and `&&` become balanced trees, which decides what is evaluated first.
NodePtr ExpressionParser::logical(bool is_or) {
  std::vector<NodePtr> terms = {is_or ? logical(false) : binary(1)};
  std::vector<int> places;
  const char* symbol = is_or ? "||" : "&&";
  while (!tokens_.failed() && tokens_.at(symbol)) {
    places.push_back(tokens_.token().at);
    tokens_.skip();
    terms.push_back(is_or ? logical(false) : binary(1));
  }
  if (places.empty()) return terms[0];
  return balanced(terms, places, 0, places.size() - 1, is_or ? operators::kOr : operators::kAnd);
}

NodePtr ExpressionParser::balanced(const std::vector<NodePtr>& terms, const std::vector<int>& places,
                                   std::size_t low, std::size_t high, const char* name) {
  const std::size_t middle = (low + high + 1) / 2;
  NodePtr left = middle == low ? terms[middle] : balanced(terms, places, low, middle - 1, name);
  NodePtr right = middle == high ? terms[middle + 1] : balanced(terms, places, middle + 1, high, name);
  return maker_.call(name, {left, right}, places[middle]);
}

const BinaryOperator* ExpressionParser::operator_here(int level) const {
  for (const BinaryOperator& row : kBinaryOperators) {
    if (row.level == level && tokens_.at(row.symbol)) return &row;
  }
  return nullptr;
}

NodePtr ExpressionParser::binary(int level) {
  if (level == 4) return unary();
  Depth depth(tokens_, level == 1 ? relation_depth_ : calculation_depth_);
  NodePtr left = binary(level + 1);
  while (!tokens_.failed()) {
    const BinaryOperator* found = operator_here(level);
    if (found == nullptr) break;
    depth.more();
    const int place = tokens_.token().at;
    tokens_.skip();
    NodePtr right = binary(level + 1);
    left = maker_.call(found->name, {left, right}, place);
  }
  return left;
}

NodePtr ExpressionParser::unary() {
  for (const char* symbol : {"!", "-"}) {
    if (!tokens_.at(symbol)) continue;
    const bool is_negative_literal = *symbol == '-' && (tokens_.token_after(1).kind == Token::Kind::integer ||
                                                        tokens_.token_after(1).kind == Token::Kind::real);
    if (is_negative_literal) return member();
    const int place = tokens_.token().at;
    bool is_odd = false;
    while (tokens_.accept(symbol)) is_odd = !is_odd;
    NodePtr operand = member();
    return is_odd ? maker_.call(*symbol == '!' ? operators::kNot : operators::kNegate, {operand}, place)
                  : operand;
  }
  return member();
}

NodePtr ExpressionParser::member() {
  Depth depth(tokens_, member_depth_);
  NodePtr node = primary();
  while (!tokens_.failed()) {
    const int place = tokens_.token().at;
    if (tokens_.accept(".")) {
      depth.more();
      node = selection(std::move(node), place);
    } else if (tokens_.accept("[")) {
      depth.more();
      const bool is_optional = tokens_.at("?") && optional_syntax("[?", place);
      if (is_optional) tokens_.skip();
      expected_ = kExpectedIndex;
      NodePtr index = expression();
      tokens_.expect("]");
      node = maker_.call(is_optional ? operators::kOptionalIndex : operators::kIndex, {node, index}, place);
    } else {
      break;
    }
  }
  return node;
}

bool ExpressionParser::optional_syntax(const char* what, int place) {
  if (dialect_.optionals) return true;
  tokens_.issue(place, std::string("unsupported syntax '") + what + "'");
  return true;
}

NodePtr ExpressionParser::selection(NodePtr operand, int place) {
  const bool is_optional = tokens_.at("?");
  if (is_optional) optional_syntax(".?", place), tokens_.skip();
  const Token name = tokens_.token();
  const bool is_quoted = name.kind == Token::Kind::quoted_identifier;
  if (is_quoted) tokens_.issue(name.at, "unsupported syntax: '`'");
  if (!is_quoted && !TokenReader::is_name(name)) {
    tokens_.syntax_error(name, tokens_.is_end() ? "no viable alternative at input '.'"
                                                : "no viable alternative at input '." + name.text + "'");
    return operand;
  }
  tokens_.skip();
  const int open = tokens_.token().at;
  if (!is_optional && tokens_.accept("(")) return member_call(name.text, std::move(operand), open);
  if (is_optional) {
    return maker_.call(operators::kOptionalSelect,
                       {std::move(operand), maker_.literal(Datum::of(name.text), name.at)}, place);
  }
  NodePtr node = maker_.make(Node::Kind::select, place);
  node->name = name.text;
  node->parts = {std::move(operand)};
  return node;
}

NodePtr ExpressionParser::member_call(const std::string& name, NodePtr receiver, int place) {
  std::vector<NodePtr> arguments = arguments_until(")");
  if (tokens_.failed()) return nothing();
  if (expands_) {
    NodePtr expansion = expand_macro(maker_, dialect_, name, receiver, arguments, place, into_.issues);
    if (expansion) return expansion;
  }
  return maker_.member_call(name, std::move(receiver), std::move(arguments), place);
}

std::vector<NodePtr> ExpressionParser::arguments_until(const char* end) {
  std::vector<NodePtr> arguments;
  if (tokens_.accept(end)) return arguments;
  expected_ = kExpectedArgument;
  do {
    arguments.push_back(expression());
  } while (tokens_.accept(","));
  tokens_.expect(end);
  return arguments;
}

NodePtr ExpressionParser::primary() {
  if (tokens_.failed()) return nothing();
  const char* expected = std::exchange(expected_, kExpectedExpression);
  const Token first = tokens_.token();
  if (tokens_.accept("(")) {
    NodePtr inner = expression();
    tokens_.expect(")");
    return inner;
  }
  if (tokens_.accept("[")) return list(first.at);
  if (tokens_.accept("{")) return map(first.at);
  if (tokens_.at(".") || TokenReader::is_name(first)) return named();
  if (NodePtr node = literal()) return node;
  const std::size_t before = tokens_.place();
  tokens_.unexpected(expected);
  return tokens_.failed() || tokens_.place() == before ? nothing() : primary();
}

/// Names and what may follow them: a call, or a message's fields.
NodePtr ExpressionParser::named() {
  const bool is_rooted = tokens_.accept(".");
  const Token name = tokens_.token();
  if (!TokenReader::is_name(name)) {
    tokens_.syntax_error(name, "mismatched input '" + name.text + "' expecting IDENTIFIER");
    return nothing();
  }
  if (const std::size_t length = message_name_length()) return message(length, is_rooted);
  tokens_.skip();
  if (is_reserved(name.text)) tokens_.issue(name.at, "reserved identifier: " + name.text);
  const std::string full = (is_rooted ? "." : "") + name.text;
  const int open = tokens_.token().at;
  if (!tokens_.accept("(")) return maker_.identifier(full, name.at);
  std::vector<NodePtr> arguments = arguments_until(")");
  if (tokens_.failed()) return nothing();
  return call(full, std::move(arguments), open);
}

/// Number of tokens of `a.b.c` if a `{` follows, else 0.
std::size_t ExpressionParser::message_name_length() const {
  std::size_t length = 1;
  while (TokenReader::is_symbol(tokens_.token_after(length), ".") &&
         TokenReader::is_name(tokens_.token_after(length + 1)))
    length += 2;
  return TokenReader::is_symbol(tokens_.token_after(length), "{") ? length : 0;
}

/// Reads the elements of a message, a list or a map up to its end. `begin` reads what stands in front of an
/// element's last expression; it returns false if nothing more can be read.
template <class Begin>
NodePtr ExpressionParser::elements_until(const char* end, NodePtr node, const Begin& begin) {
  if (tokens_.at(",") && TokenReader::is_symbol(tokens_.token_after(1), end)) tokens_.skip();
  while (!tokens_.failed() && !tokens_.at(end)) {
    const bool is_optional = tokens_.at("?") && optional_syntax("?", tokens_.token().at);
    if (is_optional) tokens_.skip();
    if (!begin()) break;
    node->is_optional.push_back(is_optional);
    node->parts.push_back(expression());
    if (!tokens_.accept(",")) break;
  }
  tokens_.expect_end(end);
  return node;
}

NodePtr ExpressionParser::message(std::size_t length, bool is_rooted) {
  std::string name = is_rooted ? "." : "";
  for (std::size_t i = 0; i < length; ++i) name += tokens_.token_after(i).text;
  tokens_.skip(length);
  NodePtr node = maker_.make(Node::Kind::message, tokens_.token().at);
  tokens_.skip();
  node->name = std::move(name);
  return elements_until("}", node, [&] {
    const Token field = tokens_.token();
    if (field.kind == Token::Kind::quoted_identifier) {
      tokens_.issue(field.at, "unsupported syntax: '`'");
    } else if (!TokenReader::is_name(field)) {
      tokens_.syntax_error(field, "mismatched input '" + field.text +
                                      "' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}");
      return false;
    }
    tokens_.skip();
    node->field_places.push_back(tokens_.token().at);
    tokens_.expect_colon();
    node->fields.push_back(field.text);
    return true;
  });
}

NodePtr ExpressionParser::list(int place) {
  return elements_until("]", maker_.make(Node::Kind::list, place), [] { return true; });
}

NodePtr ExpressionParser::map(int place) {
  NodePtr node = maker_.make(Node::Kind::map, place);
  return elements_until("}", node, [&] {
    node->parts.push_back(expression());
    tokens_.expect_colon();
    return true;
  });
}

NodePtr ExpressionParser::number_literal(const Token& number, bool is_negative, int place) {
  std::string error;
  Datum value = read_number(number, is_negative, error);
  if (!error.empty()) tokens_.issue(place, error);
  return maker_.literal(std::move(value), place);
}

NodePtr ExpressionParser::literal() {
  const Token first = tokens_.token();
  const bool is_negative = tokens_.at("-");
  const Token number = is_negative ? tokens_.token_after(1) : first;
  switch (number.kind) {
    case Token::Kind::integer:
    case Token::Kind::real:
      tokens_.skip(is_negative ? 2 : 1);
      return number_literal(number, is_negative, first.at);
    case Token::Kind::unsigned_integer:
      if (is_negative) return nullptr;
      tokens_.skip();
      return number_literal(number, false, first.at);
    case Token::Kind::text:
    case Token::Kind::bytes: {
      if (is_negative) return nullptr;
      tokens_.skip();
      const bool is_bytes = first.kind == Token::Kind::bytes;
      std::string text, error;
      if (!unescape(std::string_view(first.text).substr(is_bytes ? 1 : 0), is_bytes, text, error)) {
        tokens_.issue(first.at, error);
      }
      return maker_.literal(is_bytes ? Datum::bytes(text) : Datum::of(text), first.at);
    }
    default:
      break;
  }
  if (tokens_.accept("true")) return maker_.literal(Datum::of(true), first.at);
  if (tokens_.accept("false")) return maker_.literal(Datum::of(false), first.at);
  if (tokens_.accept("null")) return maker_.literal({}, first.at);
  return nullptr;
}

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
  ExpressionParser(split(source, parsed.issues), dialect, expands, parsed).run();
  return parsed;
}

}  // namespace fixpoint::apiserver::cel
