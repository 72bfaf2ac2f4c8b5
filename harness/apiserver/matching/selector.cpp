#include "harness/apiserver/matching/selector.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/apiserver/validation/errors.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver {

namespace {

using document::Error;
using document::Result;
using document::Text;
using document::Value;

/// The problems in one text, as NewRequirement joins them.
std::string joined(const validation::Problems& problems) {
  std::string text;
  for (const Text& problem : problems) text.append(text.empty() ? "" : "; ").append(problem.words());
  return text;
}

/// The errors in one, as Go's aggregate prints them.
Error together(validation::Errors&& errors) {
  std::string text;
  const auto all = std::move(errors).take_sorted();
  for (const cases::FieldError& error : all)
    text.append(text.empty() ? "" : ", ").append(error.field).append(": ").append(error.message);
  return Error{all.size() > 1 ? "[" + text + "]" : text};
}

/// The reason why a requirement is invalid (NewRequirement in k8s.io/apimachinery/pkg/labels/selector.go). A
/// member of matchLabels has no operator and one value.
std::optional<Error> problem_of(std::string_view key, std::string_view op, std::span<const Value> values) {
  validation::Errors errors;
  const validation::Path key_path("key"), values_path("values");
  if (const std::string problems = joined(validation::check_qualified_name(key)); !problems.empty()) {
    errors.invalid(key_path, key, problems);
  }
  if ((op == "In" || op == "NotIn") && values.empty()) {
    errors.invalid(values_path, Value(), Text("for 'in', 'notin' operators, values set can't be empty"));
  }
  if ((op == "Exists" || op == "DoesNotExist") && !values.empty()) {
    const Value list(std::vector<Value>(values.begin(), values.end()));
    errors.invalid(values_path, list, Text("values set must be empty for exists and does not exist"));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string problems = joined(validation::check_label_value(values[i].text()));
    const validation::Path item = values_path.at(i);
    if (!problems.empty()) errors.invalid(item.key(key), values[i].text(), problems);
  }
  if (errors.empty()) return std::nullopt;
  return together(std::move(errors));
}

Result<bool> meets(const Value& requirement, const Value& labels) {
  const auto key = requirement["key"].text();
  const auto op = requirement["operator"].text();
  const auto values = requirement["values"].elements();
  constexpr std::array<std::string_view, 4> kOperators{"In", "NotIn", "Exists", "DoesNotExist"};
  if (std::find(kOperators.begin(), kOperators.end(), op) == kOperators.end()) {
    return Error{Text("{} is not a valid label selector operator").with({document::go_quoted(op)})};
  }
  if (auto problem = problem_of(key, op, values)) return *std::move(problem);
  const Value* label = labels.find(key);
  if (op == "Exists" || op == "DoesNotExist") return (label != nullptr) == (op == "Exists");
  const bool listed = label != nullptr && std::any_of(values.begin(), values.end(), [&](const Value& value) {
                        return value.text() == label->text();
                      });
  return listed == (op == "In");
}

}  // namespace

Result<bool> selects(const Value& selector, const Value& labels) {
  bool all = true;
  for (const auto& [key, value] : selector["matchLabels"].members()) {
    if (auto problem = problem_of(key.text(), {}, {&value, 1})) return *std::move(problem);
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
