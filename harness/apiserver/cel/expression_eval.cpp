#include <algorithm>
#include <optional>
#include <utility>

#include "harness/apiserver/cel/expression.h"
#include "harness/document/utf8.h"

namespace fixpoint::apiserver {

namespace {

using document::Value;
using Op = Expression::Op;

/// A value; empty for an error.
using Evaluated = std::optional<Value>;

class Evaluator {
 public:
  Evaluator(const ExpressionInput& input, long& budget) : input_(input), budget_(budget) {}

  Evaluated run(const Expression& node) {
    if (budget_ <= 0) return std::nullopt;
    --budget_;
    switch (node.op) {
      case Op::literal:
        return node.literal;
      case Op::name:
        return variable(node.name);
      case Op::select:
      case Op::has:
        return member(node);
      case Op::index:
        return index(node);
      case Op::list:
        return list(node);
      case Op::negate:
        return negate(run(*node.parts[0]));
      case Op::logical_or:
        return absorb(node, true);
      case Op::logical_and:
        return absorb(node, false);
      case Op::exists:
      case Op::all:
        return quantify(node, node.op == Op::exists);
      case Op::exists_one:
        return count_one(node);
      case Op::size:
        return size(run(*node.parts[0]));
      default:
        return binary(node);
    }
  }

 private:
  Evaluated variable(const std::string& name) {
    for (std::size_t i = bound_.size(); i-- > 0;) {
      if (bound_[i].first == name) return bound_[i].second;
    }
    if (name == "object") return input_.object;
    if (name == "oldObject") return input_.old_object;
    return input_.request;
  }
  Evaluated member(const Expression& node) {
    const Evaluated target = run(*node.parts[0]);
    // A scalar has no members: `has` is false instead of an error (refQualify of cel-go's attributes.go).
    if (node.op == Op::has && target && !target->is_object() && !target->is_array()) return Value(false);
    if (!target || !target->is_object()) return std::nullopt;
    const Value* found = target->find(node.name);
    if (node.op == Op::has) return Value(found != nullptr);
    if (found == nullptr) return std::nullopt;
    return *found;
  }
  Evaluated index(const Expression& node) {
    const Evaluated target = run(*node.parts[0]), key = run(*node.parts[1]);
    if (!target || !key) return std::nullopt;
    if (target->is_object() && key->is_string()) {
      const Value* found = target->find(key->text());
      return found == nullptr ? std::nullopt : Evaluated(*found);
    }
    const auto position = key->integer();
    if (!target->is_array() || !position || *position < 0 ||
        static_cast<std::size_t>(*position) >= target->size()) {
      return std::nullopt;
    }
    return target->at(static_cast<std::size_t>(*position));
  }
  Evaluated list(const Expression& node) {
    std::vector<Value> elements;
    for (const auto& part : node.parts) {
      Evaluated element = run(*part);
      if (!element) return std::nullopt;
      elements.push_back(*std::move(element));
    }
    return Value(std::move(elements));
  }
  static Evaluated negate(const Evaluated& value) {
    if (!value || !value->is_boolean()) return std::nullopt;
    return Value(!value->is_true());
  }
  static bool is(const Evaluated& value, bool wanted) {
    return value && value->is_boolean() && value->is_true() == wanted;
  }
  /// `||` is true if either side is, whatever the other does; `&&` likewise for false.
  Evaluated absorb(const Expression& node, bool decisive) {
    const Evaluated left = run(*node.parts[0]);
    if (is(left, decisive)) return Value(decisive);
    const Evaluated right = run(*node.parts[1]);
    if (is(right, decisive)) return Value(decisive);
    return is(left, !decisive) && is(right, !decisive) ? Evaluated(Value(!decisive)) : std::nullopt;
  }
  template <class Visit>
  bool each(const Expression& node, const Visit& visit) {
    const Evaluated range = run(*node.parts[0]);
    if (!range || !(range->is_array() || range->is_object())) return false;
    const auto with = [&](Value value) {
      bound_.emplace_back(node.name, std::move(value));
      visit(run(*node.parts[1]));
      bound_.pop_back();
    };
    for (const Value& element : range->elements()) with(element);
    for (const auto& entry : range->members()) with(entry.key.text());
    return true;
  }
  Evaluated quantify(const Expression& node, bool decisive) {
    bool decided = false, failed = false;
    const bool ranged = each(node, [&](const Evaluated& one) {
      decided = decided || is(one, decisive);
      failed = failed || !(one && one->is_boolean());
    });
    if (!ranged) return std::nullopt;
    if (decided) return Value(decisive);
    return failed ? std::nullopt : Evaluated(Value(!decisive));
  }
  Evaluated count_one(const Expression& node) {
    int count = 0;
    bool failed = false;
    const bool ranged = each(node, [&](const Evaluated& one) {
      count += is(one, true) ? 1 : 0;
      failed = failed || !(one && one->is_boolean());
    });
    return ranged && !failed ? Evaluated(Value(count == 1)) : std::nullopt;
  }
  static Evaluated size(const Evaluated& value) {
    if (!value) return std::nullopt;
    if (value->is_string()) return Value(static_cast<std::int64_t>(document::rune_count(value->text())));
    if (!value->is_array() && !value->is_object()) return std::nullopt;
    return Value(static_cast<std::int64_t>(value->size()));
  }
  static Evaluated in(const Value& needle, const Value& range) {
    if (range.is_object()) {
      if (!needle.is_string()) return Value(false);
      return Value(range.find(needle.text()) != nullptr);
    }
    if (!range.is_array()) return std::nullopt;
    const auto elements = range.elements();
    return Value(std::find(elements.begin(), elements.end(), needle) != elements.end());
  }
  static Evaluated order(Op op, const Value& left, const Value& right) {
    int sign = 0;
    if (left.is_string() && right.is_string()) {
      sign = left.text().compare(right.text());
    } else if (left.is_boolean() && right.is_boolean()) {
      sign = int{left.is_true()} - int{right.is_true()};
    } else if (left.integer() && right.integer()) {
      sign = *left.integer() < *right.integer() ? -1 : *left.integer() > *right.integer() ? 1 : 0;
    } else {
      return std::nullopt;
    }
    if (op == Op::less) return Value(sign < 0);
    if (op == Op::less_or_equal) return Value(sign <= 0);
    if (op == Op::greater) return Value(sign > 0);
    return Value(sign >= 0);
  }
  static Evaluated text_test(Op op, const Value& text, const Value& part) {
    if (!text.is_string() || !part.is_string()) return std::nullopt;
    if (op == Op::starts_with) return Value(text.text().starts_with(part.text()));
    if (op == Op::ends_with) return Value(text.text().ends_with(part.text()));
    return Value(text.text().find(part.text()) != std::string_view::npos);
  }
  Evaluated binary(const Expression& node) {
    // `in` an empty list is false without evaluating the left operand (maybeOptimizeSetMembership of cel-go's
    // decorators.go).
    if (node.op == Op::in && node.parts[1]->op == Op::list && node.parts[1]->parts.empty())
      return Value(false);
    const Evaluated left = run(*node.parts[0]), right = run(*node.parts[1]);
    if (!left || !right) return std::nullopt;
    switch (node.op) {
      case Op::equal:
        return Value(*left == *right);
      case Op::unequal:
        return Value(!(*left == *right));
      case Op::in:
        return in(*left, *right);
      case Op::starts_with:
      case Op::ends_with:
      case Op::contains:
        return text_test(node.op, *left, *right);
      default:
        return order(node.op, *left, *right);
    }
  }

  const ExpressionInput& input_;
  long& budget_;
  std::vector<std::pair<std::string, Value>> bound_;
};

}  // namespace

Truth evaluate(const Expression& expression, const ExpressionInput& input, long& budget) {
  if (expression.is_refused) return Truth::error;
  const Evaluated result = Evaluator(input, budget).run(expression);
  if (budget <= 0) return Truth::exhausted;
  if (!result || !result->is_boolean()) return Truth::error;
  return result->is_true() ? Truth::yes : Truth::no;
}

}  // namespace fixpoint::apiserver
