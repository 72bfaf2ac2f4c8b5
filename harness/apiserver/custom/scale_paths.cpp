#include "harness/apiserver/custom/scale_paths.h"

#include <algorithm>
#include <vector>

#include "harness/document/go_number.h"
#include "harness/document/joined.h"

namespace fixpoint::apiserver::custom {

namespace {

using document::Text;

constexpr std::int64_t kReplicasMax = 2147483647;

std::vector<std::string_view> steps_of(std::string_view path) {
  std::vector<std::string_view> steps;
  if (path.starts_with('.')) path.remove_prefix(1);
  for (;; path.remove_prefix(path.find('.') + 1)) {
    steps.push_back(path.substr(0, path.find('.')));
    if (path.find('.') == std::string_view::npos) return steps;
  }
}

/// A value as Go's `%v` prints it.
std::string printed(const Value& value) {
  if (value.is_null()) return "<nil>";
  if (value.is_string()) return std::string(value.text());
  if (value.is_number())
    return value.integer() ? std::string(value.text()) : document::go_float_text(*value.real());
  if (!value.is_array() && !value.is_object()) return value.is_true() ? "true" : "false";
  std::vector<std::string> parts;
  for (const Value& element : value.elements()) parts.push_back(printed(element));
  for (const document::Member& member : value.members())
    parts.push_back(std::string(member.key.text()) + ":" + printed(member.value));
  if (value.is_object()) std::sort(parts.begin(), parts.end());
  return (value.is_object() ? "map[" : "[") + document::joined(parts, " ") + "]";
}

std::string_view go_type(const Value& value) {
  if (value.is_null()) return "<nil>";
  if (value.is_string()) return "string";
  if (value.is_number()) return value.integer() ? "int64" : "float64";
  if (value.is_array()) return "[]interface {}";
  return value.is_object() ? "map[string]interface {}" : "bool";
}

std::string accessor_error(const std::string& path, const Value& value, std::string_view expected) {
  return Text("{} accessor error: {} is of the type {}, expected {}")
      .with({path, printed(value), go_type(value), expected});
}

/// Finds the value; a problem with an object on the way to it is put into `nested`.
const Value* find(const Value& object, std::string_view path, Nested& nested) {
  const Value* at = &object;
  std::string walked;
  for (const std::string_view step : steps_of(path)) {
    walked.append(".").append(step);
    if (at->is_null()) return nullptr;
    if (!at->is_object()) {
      nested.problem = accessor_error(walked, *at, "map[string]interface{}");
      return nullptr;
    }
    const Value* below = at->find(step);
    if (below == nullptr) return nullptr;
    at = below;
  }
  return at;
}

std::string whole(std::string_view path) { return (path.starts_with('.') ? "" : ".") + std::string(path); }

void check_number(const Value& object, const Value& path, validation::Errors& errors) {
  const Nested replicas = nested_number(object, path.text());
  const validation::Path at(path.text());
  if (!replicas.problem.empty())
    errors.invalid(at, Value(0), replicas.problem);
  else if (replicas.number < 0)
    errors.invalid(at, Value(replicas.number), Text("should be a non-negative integer"));
  else if (replicas.number > kReplicasMax)
    errors.invalid(at, Value(replicas.number), Text("should be less than or equal to 2147483647"));
}

}  // namespace

const Value& scale_of(const cases::Kind& kind) {
  static const Value kNone;
  if (!kind.is_custom()) return kNone;
  for (const Value& version : (*kind.definition)["spec"]["versions"].elements())
    if (version["name"].text() == kind.version) return version["subresources"]["scale"];
  return kNone;
}

Nested nested_number(const Value& object, std::string_view path) {
  Nested nested;
  const Value* value = find(object, path, nested);
  if (value == nullptr) return nested;
  if (!value->integer()) return (nested.problem = accessor_error(whole(path), *value, "int64"), nested);
  return (nested.is_found = true, nested.number = *value->integer(), nested);
}

Nested nested_text(const Value& object, std::string_view path) {
  Nested nested;
  const Value* value = find(object, path, nested);
  if (value == nullptr) return nested;
  if (!value->is_string()) return (nested.problem = accessor_error(whole(path), *value, "string"), nested);
  return (nested.is_found = true, nested.text = std::string(value->text()), nested);
}

Value with_number(Value object, std::string_view path, std::int64_t number) {
  Value* at = &object;
  const auto steps = steps_of(path);
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    if (!(*at)[steps[i]].is_object()) at->set(steps[i], Value::empty_object());
    at = &at->edit(steps[i]);
  }
  at->set(steps.back(), number);
  return object;
}

void check_scale_paths(const Value& object, const cases::Kind& kind, bool is_status,
                       validation::Errors& errors) {
  const Value& scale = scale_of(kind);
  if (!scale.is_object()) return;
  if (!is_status) check_number(object, scale["specReplicasPath"], errors);
  check_number(object, scale["statusReplicasPath"], errors);
  const Value& selector = scale["labelSelectorPath"];
  if (selector.is_null()) return;
  const Nested text = nested_text(object, selector.text());
  if (!text.problem.empty())
    errors.invalid(validation::Path(selector.text()), std::string_view(text.text), text.problem);
}

}  // namespace fixpoint::apiserver::custom
