#include "harness/apiserver/custom/scale_paths.h"

#include <vector>

#include "harness/document/go_print.h"
#include "harness/document/split.h"

namespace fixpoint::apiserver::custom {

namespace {

using document::Text;

constexpr std::int64_t kReplicasMax = 2147483647;

std::vector<std::string_view> steps_of(std::string_view path) {
  if (path.starts_with('.')) path.remove_prefix(1);
  return document::split(path, ".");
}

std::string accessor_error(const std::string& path, const Value& value, std::string_view expected) {
  return Text("{} accessor error: {} is of the type {}, expected {}")
      .with({path, document::go_plain(value), document::go_type_name(value), expected});
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

const Value& scale_paths_of(const cases::Kind& kind) {
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
  const Value& scale = scale_paths_of(kind);
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
