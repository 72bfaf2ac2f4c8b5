#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/apiserver/cel/cel.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::custom {

/// A rule of x-kubernetes-validations.
struct CompiledRule {
  document::Value row = {};  ///< as the schema has it
  cel::Compiled rule = {}, message = {};
  bool has_optional_old = false;  ///< asked without an old value, too
};

/// The rules of a value and of what it holds; parts without rules are left out.
struct RuleNode {
  document::Value schema = {};  ///< of the value
  bool is_resource = false;
  std::vector<CompiledRule> rules = {};
  std::vector<std::pair<std::string, std::unique_ptr<RuleNode>>> properties = {};
  std::unique_ptr<RuleNode> others = {};  ///< of additionalProperties
  std::unique_ptr<RuleNode> items = {};

  bool is_empty() const { return rules.empty() && properties.empty() && !others && !items; }
};

/// Returns the rules of a resource's schema, which each thread compiles once; nullptr if there are none.
const RuleNode* rules_of(const document::Value& schema, int minor);

}  // namespace fixpoint::apiserver::custom
