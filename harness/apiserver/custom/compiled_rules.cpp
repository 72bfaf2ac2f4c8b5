#include "harness/apiserver/custom/compiled_rules.h"

#include "harness/apiserver/cel/compiled_once.h"
#include "harness/apiserver/custom/rule_types.h"

namespace fixpoint::apiserver::custom {

namespace {

using document::Member;
using document::Value;

class Compiler {
 public:
  explicit Compiler(int minor) { environment_.minor = minor, environment_.is_stored = true; }

  /// Returns the rules that `rules` has for values of the schema `of`; nullptr if there are none. Both are
  /// one but within allOf, which adds rules and no types.
  std::unique_ptr<RuleNode> compiled(const Value& rules, const Value& of, bool is_resource) {
    auto node = std::make_unique<RuleNode>();
    node->schema = of;
    node->is_resource = is_resource;
    add(*node, rules);
    for (const Value& more : rules["allOf"].elements()) add(*node, more);
    return node->is_empty() ? nullptr : std::move(node);
  }

 private:
  void add(RuleNode& node, const Value& rules) {
    const auto rows = rules["x-kubernetes-validations"].elements();
    if (!rows.empty()) {
      cel::SelfTypes types = self_types(node.schema, node.is_resource);
      environment_.rule = &types;
      for (const Value& row : rows) node.rules.push_back(rule_of(row, types));
      environment_.rule = nullptr;
    }
    for (const Member& property : rules["properties"].members()) {
      auto part = below(property.value, node.schema["properties"][property.key.name()]);
      if (part) node.properties.emplace_back(property.key.text(), std::move(part));
    }
    if (auto part = below(rules["additionalProperties"], node.schema["additionalProperties"]))
      node.others = std::move(part);
    if (auto part = below(rules["items"], node.schema["items"])) node.items = std::move(part);
  }

  std::unique_ptr<RuleNode> below(const Value& rules, const Value& of) {
    if (!rules.is_object()) return nullptr;
    return compiled(rules, of, of["x-kubernetes-embedded-resource"].is_true());
  }

  CompiledRule rule_of(const Value& row, cel::SelfTypes& types) {
    CompiledRule rule{.row = row, .has_optional_old = row["optionalOldSelf"].is_true()};
    types.is_old_optional = rule.has_optional_old;
    rule.rule = cel::compile(row["rule"].text(), environment_, cel::read_type("bool"));
    if (const std::string_view message = row["messageExpression"].text(); !message.empty())
      rule.message = cel::compile(message, environment_, cel::read_type("string"));
    return rule;
  }

  cel::Environment environment_ = {};
};

}  // namespace

const RuleNode* rules_of(const Value& schema, int minor) {
  static thread_local std::vector<cel::KnownCompilation<RuleNode>> known;
  return cel::compiled_once(known, schema, minor, [&] {
           return std::shared_ptr<const RuleNode>(Compiler(minor).compiled(schema, schema, true));
         }).get();
}

}  // namespace fixpoint::apiserver::custom
