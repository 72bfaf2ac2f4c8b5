#include <array>
#include <optional>
#include <string>

#include "harness/apiserver/cel/expression.h"

namespace fixpoint::apiserver {

namespace {

using document::Error;
using document::Result;
using document::Value;
using Op = Expression::Op;
using Node = std::unique_ptr<Expression>;

constexpr int kDepthMax = 250;  // CEL's own limit on the recursion of a parse

struct BinaryRow {
  std::string_view token;
  Op op;
};
constexpr auto kRelations = std::to_array<BinaryRow>({{"==", Op::equal},
                                                      {"!=", Op::unequal},
                                                      {"<=", Op::less_or_equal},
                                                      {">=", Op::greater_or_equal},
                                                      {"<", Op::less},
                                                      {">", Op::greater},
                                                      {"in", Op::in}});
constexpr auto kMethods = std::to_array<BinaryRow>({{"size", Op::size},
                                                    {"exists", Op::exists},
                                                    {"all", Op::all},
                                                    {"exists_one", Op::exists_one},
                                                    {"startsWith", Op::starts_with},
                                                    {"endsWith", Op::ends_with},
                                                    {"contains", Op::contains}});

Node make(Op op, Node first = nullptr, Node second = nullptr) {
  auto node = std::make_unique<Expression>();
  node->op = op;
  if (first) node->parts.push_back(std::move(first));
  if (second) node->parts.push_back(std::move(second));
  return node;
}
Node make_literal(Value value) {
  Node node = make(Op::literal);
  node->literal = std::move(value);
  return node;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A recursive descent over CEL's grammar; every step returns nullptr after an error.
class Parser {
 public:
  /// `is_foreign`: also accepts constructs that the simulator cannot evaluate.
  explicit Parser(std::string_view text, bool is_foreign = false) : text_(text), is_foreign_(is_foreign) {}

  Node whole() {
    Node node = conditional();
    if (node && peek() != '\0') return fail("unsupported: \"" + std::string(text_.substr(at_)) + "\"");
    return node;
  }
  std::string problem() const { return problem_; }

 private:
  Node fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem) + " in the expression \"" + std::string(text_) + "\"";
    return nullptr;
  }
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(std::string_view token) {
    peek();
    if (!text_.substr(at_).starts_with(token)) return false;
    const std::size_t end = at_ + token.size();
    if (is_word(token.back()) && end < text_.size() && is_word(text_[end])) return false;
    at_ = end;
    return true;
  }
  std::string word() {
    peek();
    const std::size_t begin = at_;
    if (at_ < text_.size() && is_digit(text_[at_])) return "";
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  /// Reads `a ? b : c` as a node that holds the names of all three operands.
  Node conditional() {
    Node node = logical_or();
    if (!node || !is_foreign_ || !accept("?")) return node;
    Node yes = conditional();
    if (!yes || !accept(":")) return fail("expected \":\"");
    Node no = conditional();
    if (!no) return nullptr;
    return make(Op::logical_or, make(Op::logical_and, std::move(node), std::move(yes)), std::move(no));
  }
  Node logical_or() {
    if (++depth_ > kDepthMax) return fail("the expression is nested too deeply");
    Node left = logical_and();
    while (left && accept("||")) {
      Node right = logical_and();
      if (!right) return nullptr;
      left = make(Op::logical_or, std::move(left), std::move(right));
    }
    --depth_;
    return left;
  }
  Node logical_and() {
    Node left = relation();
    while (left && accept("&&")) {
      Node right = relation();
      if (!right) return nullptr;
      left = make(Op::logical_and, std::move(left), std::move(right));
    }
    return left;
  }
  Node relation() {
    Node left = unary();
    for (std::size_t i = 0; left && i < kRelations.size(); ++i) {
      if (!accept(kRelations[i].token)) continue;
      Node right = unary();
      if (!right) return nullptr;
      left = make(kRelations[i].op, std::move(left), std::move(right));
      i = static_cast<std::size_t>(-1);  // relations associate to the left: look for the next one
    }
    return left;
  }
  Node unary() {
    int negations = 0;
    while (peek() == '!' && !text_.substr(at_).starts_with("!=")) {
      ++at_;
      ++negations;
    }
    if (negations > kDepthMax) return fail("the expression is nested too deeply");
    Node node = member();
    for (; node && negations > 0; --negations) node = make(Op::negate, std::move(node));
    return node;
  }
  Node member() {
    Node node = primary();
    while (node) {
      if (accept("[")) {
        accept_optional();
        Node index = logical_or();
        if (!index || !accept("]")) return fail("expected \"]\"");
        node = make(Op::index, std::move(node), std::move(index));
      } else if (peek() == '.') {
        ++at_;
        accept_optional();
        node = selection(std::move(node));
      } else {
        break;
      }
    }
    return node;
  }
  /// `object.?spec`, `labels[?'x']`
  void accept_optional() {
    if (is_foreign_) accept("?");
  }
  Node selection(Node target) {
    std::string name = word();
    if (name.empty()) return fail("expected a member's name");
    if (peek() == '(') return method(std::move(target), name);
    Node node = make(Op::select, std::move(target));
    node->name = std::move(name);
    return node;
  }
  Node method(Node target, const std::string& name) {
    for (const BinaryRow& row : kMethods) {
      if (row.token != name) continue;
      accept("(");
      Node node = make(row.op, std::move(target));
      if (row.op == Op::size) return accept(")") ? std::move(node) : fail("expected \")\"");
      if (row.op == Op::exists || row.op == Op::all || row.op == Op::exists_one) {
        node->name = word();
        if (node->name.empty() || !accept(",")) return fail("expected a variable and an expression");
        bound_.push_back(node->name);
      }
      Node argument = logical_or();
      if (!node->name.empty()) bound_.pop_back();
      if (!argument || !accept(")")) return fail("expected \")\"");
      node->parts.push_back(std::move(argument));
      return node;
    }
    return is_foreign_ ? foreign_method(std::move(target), name)
                       : fail("unsupported: the function \"" + name + "\"");
  }
  /// A method that cannot be evaluated: `matches` becomes `contains`, `hasValue` becomes `has`, and any other
  /// method is replaced by its receiver.
  Node foreign_method(Node target, const std::string& name) {
    Node arguments = list_until("(", ")");
    if (!arguments) return nullptr;
    if (name == "matches" && arguments->parts.size() == 1)
      return make(Op::contains, std::move(target), std::move(arguments->parts.front()));
    if (name == "hasValue" && target->op == Op::select) target->op = Op::has;
    return target;
  }

  Node primary() {
    const char c = peek();
    if (c == '(') {
      ++at_;
      Node node = logical_or();
      return node && accept(")") ? std::move(node) : fail("expected \")\"");
    }
    if (c == '[') return list_until("[", "]");
    if (c == '"' || c == '\'') return string(c);
    if (is_digit(c) || c == '-') return number();
    if (accept("true")) return make_literal(true);
    if (accept("false")) return make_literal(false);
    if (accept("null")) return make_literal(Value());
    const std::string name = word();
    if (name.empty()) return fail("expected an expression");
    if (peek() == '(') return function(name);
    if (!is_foreign_ && name != "object" && name != "oldObject" && name != "request" && !is_bound(name)) {
      return fail(name == "authorizer" || name == "namespaceObject" || name == "variables"
                      ? "unsupported: the variable \"" + name + "\""
                      : "undeclared reference to \"" + name + "\"");
    }
    Node node = make(Op::name);
    node->name = name;
    return node;
  }
  bool is_bound(const std::string& name) const {
    for (const std::string& bound : bound_) {
      if (bound == name) return true;
    }
    return false;
  }
  Node function(const std::string& name) {
    if (name != "has" && name != "size") {
      return is_foreign_ ? list_until("(", ")") : fail("unsupported: the function \"" + name + "\"");
    }
    accept("(");
    Node argument = logical_or();
    if (!argument || !accept(")")) return fail("expected \")\"");
    if (name == "size") return make(Op::size, std::move(argument));
    if (argument->op != Op::select) return fail("expected a member selection in has()");
    argument->op = Op::has;
    return argument;
  }
  Node list_until(std::string_view open, std::string_view close) {
    accept(open);
    Node node = make(Op::list);
    if (accept(close)) return node;
    do {
      Node element = logical_or();
      if (!element) return nullptr;
      node->parts.push_back(std::move(element));
    } while (accept(","));
    return accept(close) ? std::move(node) : fail("expected \"" + std::string(close) + "\"");
  }
  Node number() {
    const std::size_t begin = at_;
    if (text_[at_] == '-') ++at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    const bool other = at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '.');
    const Value value = Value::number(text_.substr(begin, at_ - begin));
    if (other || !value.integer()) return fail("unsupported: a number that is not a decimal int");
    return make_literal(Value(*value.integer()));
  }
  Node string(char quote) {
    std::string content;
    if (text_.substr(at_).starts_with(std::string(3, quote)))
      return fail("unsupported: a triple-quoted string");
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
      if (text_[at_] != '\\') {
        content += text_[at_];
        continue;
      }
      static constexpr std::string_view kFrom = "\\'\"nrt`?", kTo = "\\'\"\n\r\t`?";
      const auto escape = at_ + 1 < text_.size() ? kFrom.find(text_[at_ + 1]) : std::string_view::npos;
      if (escape == std::string_view::npos) return fail("unsupported: an escape in a string");
      content += kTo[escape];
      ++at_;
    }
    if (at_ == text_.size()) return fail("expected the end of the string");
    ++at_;
    return make_literal(content);
  }

  std::string_view text_;
  bool is_foreign_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<std::string> bound_;
  std::string problem_;
};

}  // namespace

Result<std::shared_ptr<const Expression>> parse_expression(std::string_view text) {
  Parser parser(text, true);
  Node node = parser.whole();
  if (!node) return Error{parser.problem()};
  return std::shared_ptr<const Expression>(std::move(node));
}

Result<std::shared_ptr<const Expression>> compile_expression(std::string_view text) {
  Parser parser(text);
  Node node = parser.whole();
  if (!node) return Error{parser.problem()};
  node->is_refused = !is_condition(*node);
  return std::shared_ptr<const Expression>(std::move(node));
}

}  // namespace fixpoint::apiserver
