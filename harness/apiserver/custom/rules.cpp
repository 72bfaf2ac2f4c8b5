#include "harness/apiserver/custom/rules.h"

#include <algorithm>
#include <utility>

#include "harness/apiserver/custom/compiled_rules.h"
#include "harness/apiserver/custom/correlation.h"
#include "harness/apiserver/custom/rule_types.h"
#include "harness/apiserver/text/formats.h"

namespace fixpoint::apiserver::custom {

namespace {

using cel::Datum;
using cel::Variable;
using document::Error;
using document::Member;
using document::Name;
using document::Value;
using validation::Errors;
using validation::Path;

/// The cost that all rules of an object may have together (apiserver/pkg/apis/cel/config.go
/// RuntimeCELCostBudget).
constexpr std::uint64_t kObjectCostMax = 10'000'000;
/// The first minor whose errors show the value that a rule refuses, not the name of its type.
constexpr int kShowsValues = 35;
constexpr std::size_t kMessageBytesMax = 5 << 10;

/// The members of a path as `.a['b-c']` has them: `a.b-c`.
std::string without_brackets(std::string_view field_path) {
  std::string path;
  for (std::size_t i = 0; i < field_path.size(); ++i) {
    const char c = field_path[i];
    if (c == '[')
      path += '.';
    else if (c != '\'' && c != ']')
      path += c;
  }
  return path.empty() ? path : path.substr(1);
}

/// The name of the rule in messages: its message, or its text.
std::string text_of(const Value& row) {
  const std::string_view message = row["message"].text();
  return std::string(validation::trimmed(message.empty() ? row["rule"].text() : message));
}

std::string default_message(const Value& row) {
  return (row["message"].text().empty() ? "failed rule: " : "") + text_of(row);
}

/// The old value of an update: the value's own correlation, and that of the nearest value around it which has
/// one. What is in an unchanged value counts as unchanged.
struct Before {
  std::optional<Correlation> own = {}, nearest = {};

  Before member(std::string_view name) const { return below(own ? own->member(name) : std::nullopt); }
  Before element(std::size_t index) const { return below(own ? own->element(index) : std::nullopt); }
  bool is_unchanged() const { return nearest && nearest->is_unchanged(); }

 private:
  Before below(std::optional<Correlation> part) const { return {part, part ? part : nearest}; }
};

class RuleChecker {
 public:
  RuleChecker(int minor, Errors& errors, std::vector<std::string>& warnings)
      : minor_(minor), errors_(errors), warnings_(warnings) {}

  void check(const Value& value, const RuleNode& node, const Before& old,
             const Path& path) {
    if (value.is_null() || is_over_) return;
    if (!node.rules.empty()) check_own(value, node, old, &path);
    for (const auto& [name, rules] : node.properties) {
      const Value* part = value.find(Name(name));
      if (part != nullptr) check(*part, *rules, old.member(name), path.child(name));
    }
    if (node.others) {
      for (const Member& member : value.members())
        check(member.value, *node.others, old.member(member.key.text()), path.key(member.key.text()));
    }
    for (std::size_t i = 0; node.items && value.is_array() && i < value.size(); ++i)
      check(value.at(i), *node.items, old.element(i), path.at(i));
  }

  /// The root has no path: its members begin one.
  void check_root(const Value& object, const RuleNode& node, const Before& old) {
    if (!node.rules.empty()) check_own(object, node, old, nullptr);
    for (const auto& [name, rules] : node.properties) {
      const Value* part = object.find(Name(name));
      if (part != nullptr) check(*part, *rules, old.member(name), Path(name));
    }
  }

 private:
  void check_own(const Value& value, const RuleNode& node, const Before& old,
                 const Path* path) {
    cel::Activation activation;
    activation[Variable::self] = rule_value(value, node.schema, node.is_resource);
    const Datum before =
        old.own ? rule_value(old.own->old(), node.schema, node.is_resource) : Datum();
    for (const CompiledRule& rule : node.rules) {
      if (is_over_) return;
      const bool has_old = !before.is(cel::Kind::null), uses_old = rule.rule.program->reads_old_self();
      if (uses_old && !has_old && !rule.has_optional_old) continue;
      activation[Variable::old_self] = !rule.has_optional_old ? before
                                       : has_old              ? Datum::some(before)
                                                              : Datum::none();
      Errors found(minor_);
      ask(value, node, rule, activation, path, found);
      if (found.empty()) continue;
      const bool is_forgiven = is_refusal_ && !uses_old && minor_ >= kForgivesUnchanged && old.is_unchanged();
      if (!is_forgiven) {
        errors_.append(std::move(found));
        continue;
      }
      for (const cases::FieldError& one : std::move(found).take_sorted())
        warnings_.push_back(one.field + ": " + one.message);
    }
  }

  /// Evaluates the rule and adds its error.
  void ask(const Value& value, const RuleNode& node, const CompiledRule& rule,
           const cel::Activation& activation, const Path* place, Errors& found) {
    const Path path = place == nullptr ? Path("<nil>") : *place;
    const std::string_view type = node.schema["type"].text();
    const std::string text = text_of(rule.row);
    is_refusal_ = false;
    const cel::Evaluation answer = rule.rule.program->evaluate(activation);
    if (answer.cost > left_) {
      is_over_ = true;
      return found.invalid(path, type,
                           std::string("validation failed due to running out of cost budget, no further "
                                       "validation rules will be run"));
    }
    left_ -= answer.cost;
    if (answer.value.is_error()) return found.invalid(path, type,
                                                      evaluation_error(answer.value.text(), text));
    if (answer.value.is_true()) return;
    is_refusal_ = true;
    const std::string below = without_brackets(rule.row["fieldPath"].text());
    if (below.empty()) return refuse(value, type, rule, activation, path, found);
    refuse(value, type, rule, activation, place == nullptr ? Path(below) : path.child(below), found);
  }

  std::string evaluation_error(std::string_view error, const std::string& rule) {
    const std::string quoted = "'" + std::string(error) + "'";
    if (error.starts_with("no such overload"))
      return quoted + ": call arguments did not match a supported operator, function or macro signature for "
             "rule: " + rule;
    if (!error.starts_with("operation cancelled: actual cost limit exceeded"))
      return std::string(error) + " evaluating rule: " + rule;
    is_over_ = true;
    return quoted + ": no further validation rules will be run due to call cost exceeds limit for rule: " +
           rule;
  }

  void refuse(const Value& value, std::string_view type, const CompiledRule& rule,
              const cel::Activation& activation, const Path& path, Errors& found) {
    const std::string message = message_of(rule, activation);
    const std::string_view reason = rule.row["reason"].text();
    if (reason == "FieldValueForbidden") return found.forbidden(path, message);
    if (reason == "FieldValueRequired") return found.required(path, message);
    const bool is_compound = value.is_object() || value.is_array();
    const Value shown = minor_ < kShowsValues ? Value(type) : value;
    if (reason == "FieldValueDuplicate") {
      if (minor_ >= kShowsValues && is_compound) return found.duplicate_hidden(path);
      return found.duplicate_value(path, shown);
    }
    if (minor_ >= kShowsValues && is_compound) return found.invalid_hidden(path, message);
    found.invalid(path, shown, message);
  }

  /// The text of the rule's messageExpression if it gives a fit one, else of its message or of the rule.
  std::string message_of(const CompiledRule& rule, const cel::Activation& activation) {
    if (!rule.message.program) return default_message(rule.row);
    const cel::Evaluation answer = rule.message.program->evaluate(activation);
    left_ -= std::min(left_, answer.cost);
    if (!answer.value.is(cel::Kind::text)) return default_message(rule.row);
    const std::string_view text = answer.value.text();
    const bool is_fit = !validation::trimmed(text).empty() && text.find('\n') == std::string_view::npos &&
                        text.size() <= kMessageBytesMax;
    return is_fit ? std::string(text) : default_message(rule.row);
  }

  const int minor_;
  Errors& errors_;
  std::vector<std::string>& warnings_;
  std::uint64_t left_ = kObjectCostMax;
  bool is_over_ = false;     ///< a cost was exceeded: no rule is asked any more
  bool is_refusal_ = false;  ///< the last error is that of a rule that was false
};

std::optional<Error> problem_of(const RuleNode& node, const std::string& path) {
  for (const CompiledRule& rule : node.rules) {
    for (const cel::Compiled* one : {&rule.rule, &rule.message}) {
      if (!one->unsupported.empty()) return Error{"unsupported expression: " + one->unsupported, path};
      if (!one->error.empty()) return Error{one->error, path};
    }
  }
  for (const auto& [name, part] : node.properties)
    if (auto problem = problem_of(*part, path + "/properties/" + name)) return problem;
  if (node.others)
    if (auto problem = problem_of(*node.others, path + "/additionalProperties")) return problem;
  return node.items ? problem_of(*node.items, path + "/items") : std::nullopt;
}

}  // namespace

std::optional<Error> rule_problem(const Value& schema, int minor) {
  const RuleNode* rules = rules_of(schema, minor);
  return rules == nullptr ? std::nullopt : problem_of(*rules, "");
}

bool has_rules(const Value& schema, int minor) { return rules_of(schema, minor) != nullptr; }

void check_rules(const Value& object, const Value& old, const Value& schema, int minor, Errors& errors,
                 std::vector<std::string>& warnings) {
  const RuleNode* rules = rules_of(schema, minor);
  if (rules == nullptr) return;
  Before before;
  if (!old.is_null()) before.own = before.nearest = Correlation(object, old, schema);
  RuleChecker(minor, errors, warnings).check_root(object, *rules, before);
}

}  // namespace fixpoint::apiserver::custom
