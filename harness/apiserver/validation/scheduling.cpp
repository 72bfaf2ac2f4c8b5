#include <limits>
#include <string>

#include "harness/apiserver/text/cron_schedules.h"
#include "harness/apiserver/validation/checks.h"
#include "harness/apiserver/validation/gates.h"

namespace fixpoint::apiserver::validation {

namespace {

/// A whole number as Go's ParseInt reads it, without the sign `+` and leading zeros.
bool is_decimal(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) return false;
  return digits == "0" ? text == "0" : digits.front() != '0';
}

void check_number(std::string_view text, const Path& path, Errors& errors) {
  if (text.empty())
    errors.invalid(path, text, Text("must be non-empty"));
  else if (!is_decimal(text))
    errors.invalid(path, text, Text("must be a valid decimal integer in canonical form"));
  const std::string_view number = text.starts_with('+') ? text.substr(1) : text;
  if (Value::number(number).integer()) return;
  errors.invalid(path, text, parse_int_problem(text));
}

void check_operator(const Value& toleration, const Path& path, Errors& errors, const Options& options) {
  const std::string_view op = toleration["operator"].text(), value = toleration["value"].text();
  const Path op_path = path.child("operator");
  if (op.empty() || op == "Equal") {
    std::string problems;
    for (const Text& problem : check_label_value(value))
      problems.append(problems.empty() ? "" : ";").append(problem.words());
    if (!problems.empty()) errors.invalid(op_path, value, problems);
  } else if (op == "Exists") {
    if (!value.empty())
      errors.invalid(op_path, value, Text("value must be empty when `operator` is 'Exists'"));
  } else if (is_one_of(op, {"Gt", "Lt"}) && options.allows_comparing_tolerations) {
    check_number(value, path.child("value"), errors);
  } else {
    const bool is_comparison = is_one_of(op, {"Gt", "Lt"});
    constexpr std::string_view kOperators[] = {"Equal", "Exists"}, kAll[] = {"Equal", "Exists", "Lt", "Gt"};
    errors.not_supported(
        op_path, op,
        is_comparison && options.minor >= gate::kComparingTolerations ? Choices(kAll) : Choices(kOperators));
  }
}

void check_positive(const Value& number, const Path& path, Errors& errors) {
  if (number.integer().value_or(0) <= 0) errors.invalid(path, number, Text("must be greater than zero"));
}

void check_constraint(const Value& constraint, const Path& path, Context& context) {
  Errors& errors = context.errors;
  constexpr std::string_view kActions[] = {"DoNotSchedule", "ScheduleAnyway"},
                             kPolicies[] = {"Honor", "Ignore"};
  check_positive(constraint["maxSkew"], path.child("maxSkew"), errors);
  if (constraint["topologyKey"].text().empty())
    errors.required(path.child("topologyKey"), Text("can not be empty"));
  const std::string_view action = constraint["whenUnsatisfiable"].text();
  if (!is_one_of(action, kActions)) errors.not_supported(path.child("whenUnsatisfiable"), action, kActions);
  if (const Value& domains = constraint["minDomains"]; !domains.is_null()) {
    check_positive(domains, path.child("minDomains"), errors);
    if (action != "DoNotSchedule") {
      errors.invalid(
          path.child("minDomains"), domains,
          Text("can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {}").with({action}));
    }
  }
  static constexpr Name kNames[] = {"nodeAffinityPolicy", "nodeTaintsPolicy"};
  for (const Name& name : kNames) {
    const Value& policy = constraint[name];
    if (!policy.is_null() && !is_one_of(policy.text(), kPolicies)) {
      errors.not_supported(path.child(name.text), policy.text(), kPolicies);
    }
  }
  const Value& selector = constraint["labelSelector"];
  if (context.options.uses_legacy_match_label_keys) {
    check_legacy_match_label_keys(constraint["matchLabelKeys"], selector, path.child("matchLabelKeys"),
                                  errors);
  } else {
    check_match_label_keys(constraint["matchLabelKeys"], {}, selector, path, errors);
  }
  if (!context.options.allows_spread_selector) {
    check_label_selector(selector, false, path.child("labelSelector"), errors);
  }
}

}  // namespace

void check_tolerations(const Value& tolerations, const Path& path, Errors& errors, const Options& options) {
  constexpr std::string_view kEffects[] = {"NoSchedule", "PreferNoSchedule", "NoExecute"};
  for (std::size_t i = 0; i < tolerations.size(); ++i) {
    const Path item = path.at(i);
    const Value& toleration = tolerations.at(i);
    const std::string_view key = toleration["key"].text(), effect = toleration["effect"].text();
    if (!key.empty()) {
      errors.invalid(item.child("key"), key, check_qualified_name(key));
    } else if (toleration["operator"].text() != "Exists") {
      errors.invalid_typed(
          item.child("operator"), toleration["operator"].text(),
          Text("operator must be Exists when `key` is empty, which means \"match all values and all keys\""));
    }
    if (!toleration["tolerationSeconds"].is_null() && effect != "NoExecute") {
      errors.invalid_typed(item.child("effect"), effect,
                           Text("effect must be 'NoExecute' when `tolerationSeconds` is set"));
    }
    check_operator(toleration, item, errors, options);
    if (!effect.empty() && !is_one_of(effect, kEffects))
      errors.not_supported(item.child("effect"), effect, kEffects);
  }
}

void check_spread_constraints(Context& context, const Path& path) {
  const Value& constraints = context.spec["topologySpreadConstraints"];
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const Path item = path.at(i);
    const Value& constraint = constraints.at(i);
    check_constraint(constraint, item, context);
    for (std::size_t j = i + 1; j < constraints.size(); ++j) {
      const Value& later = constraints.at(j);
      const bool is_same = constraint["topologyKey"] == later["topologyKey"] &&
                           constraint["whenUnsatisfiable"] == later["whenUnsatisfiable"];
      if (!is_same) continue;
      context.errors.duplicate(item.child("{topologyKey, whenUnsatisfiable}"),
                               std::string("{")
                                   .append(constraint["topologyKey"].text())
                                   .append(", ")
                                   .append(constraint["whenUnsatisfiable"].text())
                                   .append("}"));
      break;
    }
  }
}

void check_scheduling_gates(const Value& gates, const Path& path, Errors& errors) {
  Names names;
  for (std::size_t i = 0; i < gates.size(); ++i) {
    const std::string_view name = gates.at(i)["name"].text();
    errors.invalid(path.at(i), name, check_qualified_name(name));
    if (!names.insert(name)) errors.duplicate(path.at(i), name);
  }
}

}  // namespace fixpoint::apiserver::validation
