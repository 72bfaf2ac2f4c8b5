#include <algorithm>

#include "injectors/kserve/autoscaler/autoscaler_properties.h"

namespace fixpoint::injectors::kserve::autoscaler {

namespace {

/// Returns the names of the resources by which the component asks to be scaled.
std::vector<std::string> asked_resources(const Value& component) {
  std::vector<std::string> names;
  for (const Value& metric : component["autoScaling"]["metrics"].elements())
    if (!metric["resource"]["name"].is_null()) names.emplace_back(metric["resource"]["name"].text());
  const std::string single(component["scaleMetric"].text());
  if (names.empty() && (single == "cpu" || single == "memory")) names.push_back(single);
  return names;
}

/// Returns true if KEDA takes the value of a trigger: a quantity above zero.
bool is_positive(std::string_view value) {
  return value.find_first_of("123456789") != std::string_view::npos && !value.starts_with('-');
}

/// Returns what KEDA's webhook says against a ScaledObject; empty if it takes it.
std::string refused_by_keda(const Value& spec) {
  if (spec["triggers"].empty()) return "has no trigger, which KEDA refuses";
  for (const Value& trigger : spec["triggers"].elements()) {
    const std::string name(trigger["type"].text());
    if ((name == "cpu" || name == "memory") && !is_positive(trigger["metadata"]["value"].text()))
      return "has a trigger on " + name + " with the value \"" +
             std::string(trigger["metadata"]["value"].text()) + "\", which KEDA refuses";
  }
  return {};
}

/// Returns the first error about the spec for which the API server refuses the request.
std::optional<cases::FieldError> refused_by_server(const StepResult& result,
                                                   const reconcile::Request& request) {
  if (result.reconciled.error.empty() || !result.server_defaults) return std::nullopt;
  const auto refusal = reconcile::refusal_of(result.before, request);
  if (!refusal) return std::nullopt;
  const auto about_spec = [](const cases::FieldError& error) { return error.field.starts_with("spec."); };
  const auto found = std::ranges::find_if(refusal->errors, about_spec);
  return found == refusal->errors.end() ? std::nullopt : std::optional(*found);
}

/// The path without its indices, as a word of a fingerprint.
std::string word_of(std::string_view path) {
  std::string word;
  bool is_index = false;
  for (const char c : path) {
    is_index = (is_index || c == '[') && c != ']';
    if (!is_index && c != ']') word += c;
  }
  return word;
}

/// Returns the resource that the component asks for and by which the autoscaler does not scale.
std::string left_out(const Value& object, const Value& component) {
  for (const std::string& name : asked_resources(component)) {
    const auto metrics = object["spec"]["metrics"].elements();
    const bool is_there = std::ranges::any_of(
        metrics, [&](const Value& one) { return one["resource"]["name"].text() == name; });
    if (!is_there && !(name == "cpu" && metrics.empty())) return name;
  }
  return {};
}

Violation not_taken(std::size_t index, const Value& object, const std::string& word,
                    const std::string& what) {
  Violation out{.severity = Severity::error, .path = step_path(index), .value = title(object)};
  out.shape = std::string(object["kind"].text()) + "." + word;
  out.reason = title(object) + " " + what;
  return out;
}

}  // namespace

Judgement written_objects_taken(const Examination& examination) {
  return judged_steps(
      examination, "no reconcile wrote an autoscaler",
      [](const StepResult& result, std::size_t i, auto& violations) {
        bool is_reached = false;
        for (const reconcile::Request& request : result.reconciled.requests) {
          if (request.dry_run || request.verb == reconcile::Request::Verb::remove) continue;
          is_reached = true;
          const Value& object = request.object;
          if (object["kind"].text() == "ScaledObject") {
            if (const std::string why = refused_by_keda(object["spec"]); !why.empty())
              violations.push_back(
                  not_taken(i, object, object["spec"]["triggers"].empty() ? "triggers" : "value", why));
          } else if (const auto refused = refused_by_server(result, request)) {
            violations.push_back(
                not_taken(i, object, word_of(refused->field),
                          "is refused by the API server: " + refused->field + ": " + refused->message));
          } else if (const std::string name = left_out(object, result.desired["spec"]); !name.empty()) {
            violations.push_back(not_taken(i, object, "metrics",
                                           "does not scale by " + name + ", which the component asks for"));
          }
        }
        return is_reached;
      });
}

}  // namespace fixpoint::injectors::kserve::autoscaler
