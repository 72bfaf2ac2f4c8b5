#include "harness/apiserver/kinds/workload_checks.h"

#include <algorithm>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/matching/selector.h"
#include "harness/apiserver/text/cron_schedules.h"
#include "harness/apiserver/types/equality.h"
#include "harness/apiserver/types/metadata_types.h"

namespace fixpoint::apiserver::kinds {

namespace {

constexpr int kTerminatingReplicasSince = 35;
constexpr Text kNotNegative("must be greater than or equal to 0");

bool is_percentage(std::string_view text) {
  if (!text.ends_with('%') || text.size() < 2) return false;
  text.remove_suffix(1);
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_negative(const Value& number) { return number.text().starts_with('-'); }

void report_fixed(const Value& now, const Path& path, Errors& errors) {
  constexpr Text kFixed("field is immutable");
  if (now.is_string()) return errors.invalid_typed(path, now.text(), kFixed);
  errors.invalid(path, now, kFixed);
}

}  // namespace

const Value& template_of(const Value& object, std::span<const Name> steps) {
  const Value* at = &object;
  for (const Name& step : steps) at = &(*at)[step];
  return *at;
}

Value& edit_template(Value& object, std::span<const Name> steps) {
  Value* at = &object;
  for (const Name& step : steps) at = &at->edit(step);
  return *at;
}

void put_at(Value& object, const Type& type, std::span<const Name> path, Value value) {
  if (path.size() == 1) return put_member(object, type, path[0], std::move(value));
  const Field* field = find_field(type, path[0], kNewestMinor);
  if (object[path[0]].is_null()) put_member(object, type, path[0], Value::empty_object());
  put_at(object.edit(path[0]), *field->type, path.subspan(1), std::move(value));
}

void put_default(Value& object, const Type& type, std::initializer_list<Name> path, const Value& value) {
  const std::span<const Name> steps(path.begin(), path.size());
  const Type* owner = &type;
  for (const Name& step : steps.first(steps.size() - 1)) owner = find_field(*owner, step, kNewestMinor)->type;
  const bool is_pointer = find_field(*owner, steps.back(), kNewestMinor)->is_pointer;
  const Value& now = template_of(object, steps);
  if (now.is_null() || (!is_pointer && now.is_string() && now.text().empty()))
    put_at(object, type, steps, value);
}

validation::Problems check_subdomain(std::string_view name, int) {
  return validation::check_dns_subdomain(name);
}

void check_not_negative(const Value& object, std::initializer_list<Name> members, const Path& path,
                        Errors& errors) {
  for (const Name& member : members)
    if (is_negative(object[member])) errors.invalid(path.child(member.text), object[member], kNotNegative);
}

void check_fixed(const Value& now, const Value& old, const Type& type, const Path& path, Errors& errors) {
  if (!semantically_equal_as(type, now, old)) report_fixed(now, path, errors);
}

void check_fixed(const Value& now, const Value& old, const Path& path, Errors& errors) {
  if (!(now == old)) report_fixed(now, path, errors);
}

Selected selected(const Value& selector, const Value& labels) {
  if (selector.is_null()) return Selected::no;
  const auto selects_them = selects(selector, labels);
  if (!selects_them) return Selected::cannot_tell;
  return *selects_them ? Selected::yes : Selected::no;
}

void check_selector(const Value& selector, std::string_view kind, const Path& path, Errors& errors) {
  if (selector.is_null()) return errors.required(path);
  validation::check_label_selector(selector, false, path, errors);
  if (selector["matchLabels"].empty() && selector["matchExpressions"].empty())
    errors.invalid(path, selector, Text("empty selector is invalid for {}").with({kind}));
}

bool has_bad_value(const Value& selector) {
  for (const Value& expression : selector["matchExpressions"].elements()) {
    for (const Value& value : expression["values"].elements())
      if (!validation::check_label_value(value.text()).empty()) return true;
  }
  return false;
}

void check_selected(const Value& spec, const Path& spec_path, Errors& errors) {
  const Value& labels = spec["template"]["metadata"]["labels"];
  if (selected(spec["selector"], labels) != Selected::no) return;
  errors.invalid(spec_path.child("template.metadata.labels"), labels,
                 Text("`selector` does not match template `labels`"));
}

void check_lasting_pods(const Value& spec, std::string_view kind, const Path& path, Errors& errors) {
  const std::string_view policy = spec["restartPolicy"].text();
  if (policy != "Always") errors.not_supported(path.child("restartPolicy"), policy, {"Always"});
  if (!spec["activeDeadlineSeconds"].is_null())
    errors.forbidden(path.child("activeDeadlineSeconds"),
                     Text("activeDeadlineSeconds in {} is not Supported").with({kind}));
}

void check_amount(const Value& amount, const Path& path, Errors& errors) {
  if (is_negative(amount) && amount.is_number()) return errors.invalid(path, amount, kNotNegative);
  if (amount.is_string() && !is_percentage(amount.text()))
    errors.invalid_typed(
        path, amount.text(),
        Text("a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or "
             "'93%', regex used for validation is '[0-9]+%')"));
}

std::int64_t number_of(const Value& amount) {
  std::string_view text = amount.text();
  if (amount.is_string() && is_percentage(text)) text.remove_suffix(1);
  return go_atoi(text).value_or(0);
}

void check_at_most_all(const Value& amount, const Path& path, Errors& errors) {
  if (amount.is_string() && is_percentage(amount.text()) && number_of(amount) > 100)
    errors.invalid_typed(path, amount.text(), Text("must not be greater than 100%"));
}

void check_status_numbers(const Change& change, const StatusRules& rules, Errors& errors) {
  const Path path("status");
  const Value &status = change.object["status"], &old = change.old["status"];
  const auto number = [&](const Name& member) { return status[member].integer().value_or(0); };
  for (const Name& member : rules.not_negative) check_not_negative(status, {member}, path, errors);
  for (const StatusRules::Limit& row : rules.limits)
    if (number(row.member) > number(row.limit))
      errors.invalid(path.child(row.member.text), Value(number(row.member)), row.text);
  const Value &now = status["collisionCount"], &before = old["collisionCount"];
  if (before.is_null()) return;
  if (now.is_null() || now.integer().value_or(0) < before.integer().value_or(0))
    errors.invalid(path.child("collisionCount"), Value(now.integer().value_or(0)),
                   Text("cannot be decremented"));
}

void drop_terminating_replicas(Value& object, const Value& old, int minor) {
  const Name member("terminatingReplicas");
  if (minor >= kTerminatingReplicasSince || !old["status"][member].is_null()) return;
  if (!object["status"][member].is_null()) object.edit("status").remove(member);
}

}  // namespace fixpoint::apiserver::kinds
