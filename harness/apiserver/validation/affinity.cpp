#include "harness/apiserver/validation/checks.h"
#include "harness/apiserver/validation/gates.h"

namespace fixpoint::apiserver::validation {

namespace {

constexpr const char* kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr const char* kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";

void check_expression(const Value& expression, bool allows_any_value, const Path& path, Errors& errors) {
  const std::string_view op = expression["operator"].text(), key = expression["key"].text();
  const Value& values = expression["values"];
  const Path values_path = path.child("values");
  if (is_one_of(op, {"In", "NotIn"})) {
    if (values.empty())
      errors.required(values_path, Text("must be specified when `operator` is 'In' or 'NotIn'"));
  } else if (is_one_of(op, {"Exists", "DoesNotExist"})) {
    if (!values.empty())
      errors.forbidden(values_path,
                       Text("may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
  } else if (is_one_of(op, {"Gt", "Lt"})) {
    if (values.size() != 1)
      errors.required(values_path, Text("must be specified single value when `operator` is 'Lt' or 'Gt'"));
  } else {
    errors.invalid_typed(path.child("operator"), op, Text("not a valid selector operator"));
  }
  errors.invalid(path.child("key"), key, check_qualified_name(key));
  if (allows_any_value) return;
  for (std::size_t i = 0; i < values.size(); ++i) {
    errors.invalid(values_path.at(i), values.at(i).text(), check_label_value(values.at(i).text()));
  }
}

void check_field(const Value& requirement, const Path& path, Errors& errors) {
  const Value& values = requirement["values"];
  const Path values_path = path.child("values");
  if (is_one_of(requirement["operator"].text(), {"In", "NotIn"})) {
    if (values.size() != 1)
      errors.required(
          values_path,
          Text("must be only one value when `operator` is 'In' or 'NotIn' for node field selector"));
  } else {
    errors.invalid_typed(path.child("operator"), requirement["operator"].text(),
                         Text("not a valid selector operator"));
  }
  if (requirement["key"].text() != "metadata.name") {
    return errors.invalid(path.child("key"), requirement["key"].text(),
                          Text("not a valid field selector key"));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    errors.invalid(values_path.at(i), values.at(i).text(), check_dns_subdomain(values.at(i).text()));
  }
}

void check_node_term(const Value& term, bool allows_any_value, const Path& path, Errors& errors) {
  const Path expressions_path = path.child("matchExpressions"), fields_path = path.child("matchFields");
  const Value& expressions = term["matchExpressions"];
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    check_expression(expressions.at(i), allows_any_value, expressions_path.at(i), errors);
  }
  const Value& fields = term["matchFields"];
  for (std::size_t i = 0; i < fields.size(); ++i) check_field(fields.at(i), fields_path.at(i), errors);
}

void check_weight(const Value& term, const Path& path, Errors& errors) {
  const std::int64_t weight = term["weight"].integer().value_or(0);
  if (weight < 1 || weight > 100)
    errors.invalid(path.child("weight"), term["weight"], Text("must be in the range 1-100"));
}

void check_node_affinity(const Value& affinity, const Path& path, Context& context) {
  if (const Value& required = affinity[kRequired]; !required.is_null()) {
    const Path required_path = path.child(kRequired), terms_path = required_path.child("nodeSelectorTerms");
    const Value& terms = required["nodeSelectorTerms"];
    const bool allows_any_value =
        context.options.minor < gate::kNodeAffinityValues || context.options.allows_node_affinity_values;
    if (terms.empty()) context.errors.required(terms_path, Text("must have at least one node selector term"));
    for (std::size_t i = 0; i < terms.size(); ++i) {
      check_node_term(terms.at(i), allows_any_value, terms_path.at(i), context.errors);
    }
  }
  const Value& preferred = affinity[kPreferred];
  const Path preferred_path = path.child(kPreferred);
  for (std::size_t i = 0; i < preferred.size(); ++i) {
    const Path item = preferred_path.at(i);
    check_weight(preferred.at(i), item, context.errors);
    check_node_term(preferred.at(i)["preference"], true, item.child("preference"), context.errors);
  }
}

void check_pod_term(const Value& term, const Path& path, Context& context) {
  Errors& errors = context.errors;
  const bool allows_any_value = context.options.allows_selector_values;
  check_label_selector(term["labelSelector"], allows_any_value, path.child("labelSelector"), errors);
  check_label_selector(term["namespaceSelector"], allows_any_value, path.child("namespaceSelector"), errors);
  for (const Value& space : term["namespaces"].elements()) {
    errors.invalid(path.child("namespace"), space.text(), check_dns_label(space.text()));
  }
  check_match_label_keys(term["matchLabelKeys"], term["mismatchLabelKeys"], term["labelSelector"], path,
                         errors);
  const std::string_view key = term["topologyKey"].text();
  if (key.empty()) errors.required(path.child("topologyKey"), Text("can not be empty"));
  errors.invalid(path.child("topologyKey"), key, check_qualified_name(key));
}

void check_pod_affinity(const Value& affinity, const Path& path, Context& context) {
  const Value& required = affinity[kRequired];
  const Path required_path = path.child(kRequired), preferred_path = path.child(kPreferred);
  for (std::size_t i = 0; i < required.size(); ++i)
    check_pod_term(required.at(i), required_path.at(i), context);
  const Value& preferred = affinity[kPreferred];
  for (std::size_t i = 0; i < preferred.size(); ++i) {
    const Path item = preferred_path.at(i);
    check_weight(preferred.at(i), item, context.errors);
    check_pod_term(preferred.at(i)["podAffinityTerm"], item.child("podAffinityTerm"), context);
  }
}

}  // namespace

void check_affinity(const Value& affinity, const Path& path, Context& context) {
  if (affinity.empty()) return;
  check_node_affinity(affinity["nodeAffinity"], path.child("nodeAffinity"), context);
  static constexpr Name kNames[] = {"podAffinity", "podAntiAffinity"};
  for (const Name& name : kNames) {
    if (!affinity[name].is_null()) check_pod_affinity(affinity[name], path.child(name.text), context);
  }
}

}  // namespace fixpoint::apiserver::validation
