#include "harness/apiserver/admission/selector.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include "harness/apiserver/validation/formats.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver {

namespace {

using document::Error;
using document::Result;
using document::Value;

/// The reason why a requirement is invalid whatever its operator: an invalid label key or value
/// (NewRequirement in k8s.io/apimachinery/pkg/labels/selector.go).
std::optional<Error> problem_of(std::string_view key, std::span<const Value> values) {
  if (!validation::check_qualified_name(key).empty()) return Error{"no label's key: " + std::string(key)};
  for (const Value& value : values) {
    if (!validation::check_label_value(value.text()).empty())
      return Error{"no label's value: " + std::string(value.text())};
  }
  return std::nullopt;
}

Result<bool> meets(const Value& requirement, const Value& labels) {
  const auto key = requirement["key"].text();
  const auto op = requirement["operator"].text();
  const auto values = requirement["values"].elements();
  if (auto problem = problem_of(key, values)) return *std::move(problem);
  const Value* label = labels.find(key);
  if (op == "Exists" || op == "DoesNotExist") {
    if (!values.empty()) return Error{"values set must be empty for exists and does not exist"};
    return (label != nullptr) == (op == "Exists");
  }
  if (op != "In" && op != "NotIn")
    return Error{document::Text("{} is not a valid label selector operator").with({document::go_quoted(op)})};
  if (values.empty()) return Error{"for 'in', 'notin' operators, values set can't be empty"};
  const bool listed = label != nullptr && std::any_of(values.begin(), values.end(), [&](const Value& value) {
                        return value.text() == label->text();
                      });
  return listed == (op == "In");
}

}  // namespace

Result<bool> selects(const Value& selector, const Value& labels) {
  bool all = true;
  for (const auto& [key, value] : selector["matchLabels"].members()) {
    if (auto problem = problem_of(key.text(), {&value, 1})) return *std::move(problem);
    const Value* label = labels.find(key.name());
    all = all && label != nullptr && label->text() == value.text();
  }
  for (const Value& requirement : selector["matchExpressions"].elements()) {
    const auto met = meets(requirement, labels);
    if (!met) return met;
    all = all && *met;
  }
  return all;
}

}  // namespace fixpoint::apiserver
