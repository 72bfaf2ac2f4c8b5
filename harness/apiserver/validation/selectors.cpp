#include "harness/apiserver/validation/checks.h"

namespace fixpoint::apiserver::validation {

namespace {

void check_requirement(const Value& requirement, bool allows_any_value, const Path& path, Errors& errors) {
  const Value& values = requirement["values"];
  const std::string_view op = requirement["operator"].text();
  if (is_one_of(op, {"In", "NotIn"})) {
    if (values.empty())
      errors.required(path.child("values"), Text("must be specified when `operator` is 'In' or 'NotIn'"));
  } else if (is_one_of(op, {"Exists", "DoesNotExist"})) {
    if (!values.empty())
      errors.forbidden(path.child("values"),
                       Text("may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
  } else {
    errors.invalid_typed(path.child("operator"), op, Text("not a valid selector operator"));
  }
  const std::string_view key = requirement["key"].text();
  errors.invalid(path.child("key"), key, check_qualified_name(key));
  if (allows_any_value) return;
  const Path values_path = path.child("values");
  for (std::size_t i = 0; i < values.size(); ++i) {
    errors.invalid(values_path.at(i), values.at(i).text(), check_label_value(values.at(i).text()));
  }
}

void check_label_keys(const Value& keys, const Value& selector, const Path& path, Errors& errors) {
  if (keys.empty()) return;
  if (selector.is_null())
    return errors.forbidden(path, Text("must not be specified when labelSelector is not set"));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    errors.invalid(path.at(i), keys.at(i).text(), check_qualified_name(keys.at(i).text()));
  }
}

/// The index of the last element that is `text`.
std::optional<std::size_t> last_index(const Value& list, std::string_view text) {
  for (std::size_t i = list.size(); i-- > 0;) {
    if (list.at(i).text() == text) return i;
  }
  return std::nullopt;
}

}  // namespace

void check_labels(const Value& labels, const Path& path, Errors& errors) {
  for (const Member& member : labels.members()) {
    errors.invalid(path, member.key.text(), check_qualified_name(member.key.text()));
    errors.invalid(path, member.value.text(), check_label_value(member.value.text()));
  }
}

void check_label_selector(const Value& selector, bool allows_any_value, const Path& path, Errors& errors) {
  if (selector.is_null()) return;
  check_labels(selector["matchLabels"], path.child("matchLabels"), errors);
  const Value& expressions = selector["matchExpressions"];
  const Path expressions_path = path.child("matchExpressions");
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    check_requirement(expressions.at(i), allows_any_value, expressions_path.at(i), errors);
  }
}

void check_match_label_keys(const Value& match, const Value& mismatch, const Value& selector,
                            const Path& path, Errors& errors) {
  if (match.empty() && mismatch.empty()) return;
  const Path match_path = path.child("matchLabelKeys");
  check_label_keys(match, selector, match_path, errors);
  check_label_keys(mismatch, selector, path.child("mismatchLabelKeys"), errors);
  if (!selector.is_null()) {
    // The registry has already merged one expression per key into the selector: a duplicate key was present
    // before.
    Names keys;
    for (const Member& label : selector["matchLabels"].members()) keys.insert(label.key.text());
    for (const Value& expression : selector["matchExpressions"].elements()) {
      const std::string_view key = expression["key"].text();
      const auto index = last_index(match, key);
      if (index && keys.contains(key))
        errors.invalid(path.at(*index), key, Text("exists in both matchLabelKeys and labelSelector"));
      keys.insert(key);
    }
  }
  for (std::size_t i = 0; i < match.size(); ++i) {
    const std::string_view key = match.at(i).text();
    if (last_index(mismatch, key))
      errors.invalid(match_path.at(i), key, Text("exists in both matchLabelKeys and mismatchLabelKeys"));
  }
}

void check_legacy_match_label_keys(const Value& match, const Value& selector, const Path& path,
                                   Errors& errors) {
  if (match.empty()) return;
  Names keys;
  for (const Member& label : selector["matchLabels"].members()) keys.insert(label.key.text());
  for (const Value& expression : selector["matchExpressions"].elements())
    keys.insert(expression["key"].text());
  if (selector.is_null()) errors.forbidden(path, Text("must not be specified when labelSelector is not set"));
  for (std::size_t i = 0; i < match.size(); ++i) {
    const std::string_view key = match.at(i).text();
    errors.invalid(path.at(i), key, check_qualified_name(key));
    if (keys.contains(key))
      errors.invalid(path.at(i), key, Text("exists in both matchLabelKeys and labelSelector"));
  }
}

}  // namespace fixpoint::apiserver::validation
