#include <algorithm>

#include "harness/apiserver/kinds/workload_checks.h"
#include "harness/apiserver/text/cron_schedules.h"
#include "harness/apiserver/types/equality.h"
#include "harness/apiserver/types/metadata_types.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/apiserver/types/workload_types.h"

// DaemonSets (pkg/apis/apps, pkg/registry/apps/daemonset).
namespace fixpoint::apiserver::kinds {

namespace {

/// The annotation stands for a field of the internal type.
constexpr Name kGeneration("deprecated.daemonset.template.generation");
constexpr Name kGenerationSteps[] = {"metadata", "annotations"};

std::int64_t generation_of(const Value& set) {
  return go_atoi(set["metadata"]["annotations"][kGeneration].text()).value_or(0);
}

void set_generation(Value& set, std::int64_t generation) {
  const Value annotations = set["metadata"]["annotations"];
  const std::string text = std::to_string(generation);
  if (annotations[kGeneration].text() == text) return;
  std::vector<document::Member> members(annotations.members().begin(), annotations.members().end());
  std::erase_if(members, [](const auto& member) { return member.key.is(kGeneration); });
  const auto at = std::find_if(members.begin(), members.end(),
                               [](const auto& member) { return member.key.text() > kGeneration.text; });
  members.insert(at, {document::Key(kGeneration), Value(text)});
  put_at(set, kDaemonSet, kGenerationSteps, Value(std::move(members)));
}

void default_daemon_set(Value& set, int) {
  put_default(set, kDaemonSet, {"spec", "updateStrategy", "type"}, "RollingUpdate");
  if (set["spec"]["updateStrategy"]["type"].text() != "RollingUpdate") return;
  put_default(set, kDaemonSet, {"spec", "updateStrategy", "rollingUpdate", "maxUnavailable"}, 1);
  put_default(set, kDaemonSet, {"spec", "updateStrategy", "rollingUpdate", "maxSurge"}, 0);
}

std::string convert_daemon_set(Value& set) {
  const Value* generation = set["metadata"]["annotations"].find(kGeneration);
  if (generation != nullptr && !go_atoi(generation->text())) return parse_int_problem(generation->text());
  set_generation(set, generation_of(set));
  if (!set["spec"]["updateStrategy"]["rollingUpdate"].is_object()) return {};
  for (const Name& member : {Name("maxUnavailable"), Name("maxSurge")})  // the internal type has both
    put_default(set, kDaemonSet, {"spec", "updateStrategy", "rollingUpdate", member}, 0);
  return {};
}

void prepare_daemon_set(Value& set, const Value& old, int) {
  if (old.is_null()) return set_generation(set, std::max<std::int64_t>(generation_of(set), 1));
  const bool has_same_template =
      semantically_equal_as(kPodTemplateSpec, set["spec"]["template"], old["spec"]["template"]);
  set_generation(set, generation_of(old) + (has_same_template ? 0 : 1));
}

/// It is part of the spec, which a change of the status leaves alone.
void keep_generation(Value& set, const Value& old, int) { set_generation(set, generation_of(old)); }

void check_daemon_set_rolling(const Value& update, const Path& path, Errors& errors) {
  const Value &unavailable = update["maxUnavailable"], &surge = update["maxSurge"];
  const Path unavailable_path = path.child("maxUnavailable"), surge_path = path.child("maxSurge");
  check_amount(unavailable, unavailable_path, errors);
  check_amount(surge, surge_path, errors);
  check_at_most_all(unavailable, unavailable_path, errors);
  check_at_most_all(surge, surge_path, errors);
  const bool has_unavailable = number_of(unavailable) != 0, has_surge = number_of(surge) != 0;
  if (has_unavailable && has_surge) {
    const Text text("may not be set when maxUnavailable is non-zero");
    surge.is_string() ? errors.invalid_typed(surge_path, surge.text(), text)
                      : errors.invalid(surge_path, surge, text);
  } else if (!has_unavailable && !has_surge) {
    errors.required(unavailable_path, Text("cannot be 0 when maxSurge is 0"));
  }
}

void check_daemon_set_strategy(const Value& strategy, const Path& path, Errors& errors) {
  const std::string_view type = strategy["type"].text();
  if (type == "RollingUpdate")
    return check_daemon_set_rolling(strategy["rollingUpdate"], path.child("rollingUpdate"), errors);
  if (type != "OnDelete")
    errors.not_supported_struct(path, strategy, kSurgeStrategyMembers, {"RollingUpdate", "OnDelete"});
}

void check_daemon_set_spec(const Change& change, Errors& errors) {
  const Value& spec = change.spec();
  const Value& selector = spec["selector"];
  const Path path("spec"), template_path = path.child("template");
  const bool allows_any_value =
      change.of_template.allows_selector_values || has_bad_value(change.old_spec()["selector"]);
  validation::check_label_selector(selector, allows_any_value, path.child("selector"), errors);
  check_selected(spec, path, errors);
  if (!selector.is_null() && selector["matchLabels"].empty() && selector["matchExpressions"].empty())
    errors.invalid(path.child("selector"), selector,
                   Text("empty selector is invalid for {}").with({"daemonset"}));
  validation::check_pod_template(spec["template"], change.of_template, template_path, errors);
  check_lasting_pods(spec["template"]["spec"], "DaemonSet", template_path.child("spec"), errors);
  check_not_negative(spec, {"minReadySeconds", "revisionHistoryLimit"}, path, errors);
  check_daemon_set_strategy(spec["updateStrategy"], path.child("updateStrategy"), errors);
  if (const auto generation = generation_of(change.object); generation < 0)
    errors.invalid(path.child("templateGeneration"), Value(generation),
                   Text("must be greater than or equal to 0"));
}

void check_new_daemon_set(const Change& change, Errors& errors) {
  validation::check_metadata(change.object["metadata"], Path("metadata"), validation::MetadataRules::of_pods,
                             errors);
  check_daemon_set_spec(change, errors);
}

void check_updated_daemon_set(const Change& change, Errors& errors) {
  const Path path("spec");
  if (change.minor <= kLastCheckedTwice) check_new_daemon_set(change, errors);
  check_daemon_set_spec(change, errors);
  check_fixed(change.spec()["selector"], change.old_spec()["selector"], kLabelSelector,
              path.child("selector"), errors);
}

constexpr Name kDaemonSetNumbers[] = {
    "currentNumberScheduled", "numberMisscheduled",     "desiredNumberScheduled", "numberReady",
    "observedGeneration",     "updatedNumberScheduled", "numberAvailable",        "numberUnavailable",
    "collisionCount"};

void check_daemon_set_status(const Change& change, Errors& errors) {
  check_status_numbers(change, {kDaemonSetNumbers, {}}, errors);
}

}  // namespace

const TypedKind kDaemonSets{.type = kDaemonSet,
                            .template_steps = kInSpec,
                            .template_path = "spec.template",
                            .set_defaults = default_daemon_set,
                            .convert = convert_daemon_set,
                            .prepare = prepare_daemon_set,
                            .prepare_status = keep_generation,
                            .check_create = check_new_daemon_set,
                            .check_update = check_updated_daemon_set,
                            .check_status = check_daemon_set_status,
                            .warns_of_new_templates_alone = true};

}  // namespace fixpoint::apiserver::kinds
