#include "generators/reduce.h"

#include <array>
#include <map>

#include "generators/case_reduction.h"
#include "generators/reduce_webhooks.h"
#include "generators/simple_neighbours.h"
#include "harness/cases/plain_namespace.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/texts.h"
#include "harness/properties/drawn_objects.h"
#include "harness/runner/shrink_finding.h"

namespace fixpoint::generators {

namespace {

using cases::Case;
using document::Value;

/// Returns true for what stays as it is: the configurations of webhooks, which are reduced otherwise, and the
/// definitions of custom resources. A webhook's client waits for a resource that is gone.
bool belongs_to_subject(const Value& object) {
  return cases::is_of_webhooks(object) || cases::is_of_policies(object) ||
         object["kind"].text() == "CustomResourceDefinition";
}

bool is_fixed(const CaseReduction& reduction, const Value& object) {
  return belongs_to_subject(object) || reduction.kept_object(object) != nullptr;
}

void drop_objects(CaseReduction& reduction) {
  reduction.drop_all_or_each([](Case& value) -> auto& { return value.cluster.objects; },
                             [&](const Value& object) { return !is_fixed(reduction, object); });
}

void simplify_request(CaseReduction& reduction) {
  static constexpr std::array<void (*)(Case&), 7> kPlainer{
      [](Case& value) { value.name = value.note = ""; },
      [](Case& value) { value.request.user_info.reset(); },
      [](Case& value) { value.request.dry_run = false; },
      [](Case& value) { value.request.managed_fields = true; },
      [](Case& value) {
        if (!cases::is_plain_namespace(value.request.namespace_name))
          value.request.namespace_name = "default";
      },
      [](Case& value) { value.cluster.version = cases::kNewestVersion; },
      [](Case& value) {
        value.request.operation = "CREATE";
        value.request.sub_resource.clear();
        value.request.old_object = Value();
      }};
  for (const auto plainer : kPlainer) reduction.try_change(plainer);
  if (!reduction.value().request.sub_resource.empty())
    reduction.try_change([](Case& value) { value.request.sub_resource.clear(); });
  if (reduction.value().request.is_update()) {
    reduction.try_change([](Case& value) { value.request.object = value.request.old_object; });
    reduction.try_change([](Case& value) { value.request.old_object = value.request.object; });
  }
}

/// Replaces generateName with a name, which is simpler.
void name_pods(CaseReduction& reduction) {
  reduction.try_change([](Case& value) {
    for (Value* pod : {&value.request.object, &value.request.old_object}) {
      if (!(*pod)["metadata"]["generateName"].is_string()) continue;
      Value& metadata = pod->edit("metadata");
      metadata.remove("generateName");
      if (metadata["name"].is_null()) metadata.set("name", "a");
    }
  });
}

void count_texts(const Value& value, std::map<std::string, int>& counts) {
  if (value.is_string()) ++counts[std::string(value.text())];
  for (const Value& element : value.elements()) count_texts(element, counts);
  for (const auto& member : value.members()) count_texts(member.value, counts);
}

/// Renames a name that occurs in several places (a volume and its mounts) in all of them at once.
void rename_all(CaseReduction& reduction) {
  std::map<std::string, int> counts;
  count_texts(reduction.value().request.object, counts);
  for (const auto& [text, count] : counts) {
    if (count < 2 || text.size() < 2 || reduction.kept().values.contains(text)) continue;
    for (const char* plain : {"a", "b", "c"}) {
      const bool is_taken = counts.contains(plain);
      if (!is_taken && reduction.try_change([&, &from = text](Case& value) {
            document::replace_text(value.request.object, from, plain);
            if (value.request.is_update()) document::replace_text(value.request.old_object, from, plain);
          }))
        break;
    }
  }
}

void reduce_pods(CaseReduction& reduction) {
  name_pods(reduction);
  if (reduction.value().request.is_update()) {
    reduction.reduce_documents({reduction.value().request.object, reduction.value().request.old_object},
                               [](Case& value, const std::vector<Value>& pods) {
                                 value.request.object = pods[0], value.request.old_object = pods[1];
                               });
    reduction.reduce_documents(
        {reduction.value().request.old_object},
        [](Case& value, const std::vector<Value>& pods) { value.request.old_object = pods[0]; });
  }
  reduction.reduce_documents(
      {reduction.value().request.object},
      [](Case& value, const std::vector<Value>& pods) { value.request.object = pods[0]; });
  rename_all(reduction);
}

void reduce_scripts(CaseReduction& reduction) {
  std::vector<std::string> keys;
  for (const auto& [key, backend] : reduction.value().webhooks) {
    const auto* script = std::get_if<cases::Script>(&backend);
    if (script != nullptr && !simplicity_rank(*script)) keys.push_back(key);
  }
  for (const std::string& key : keys) {
    DocumentReduction({std::get<cases::Script>(reduction.value().webhooks.at(key)).source},
                      [&](const std::vector<Value>& changed) {
                        auto script = cases::read_script(changed.front());
                        return script.ok() && reduction.try_change([&](Case& value) {
                          value.webhooks.at(key) = *std::move(script);
                        });
                      })
        .reduce();
  }
}

/// Reduces the contents of objects, except for their names.
void reduce_objects(CaseReduction& reduction) {
  for (std::size_t i = 0; i < reduction.value().cluster.objects.size(); ++i) {
    if (is_fixed(reduction, reduction.value().cluster.objects[i])) continue;
    const auto put = [i](Case& value, const std::vector<Value>& changed) {
      value.cluster.objects[i] = changed[0];
    };
    reduction.reduce_documents({reduction.value().cluster.objects[i]}, put, {},
                               {"apiVersion", "kind", "metadata"});
    // The finding's severity depends on the object that refuses the Pod: a user's, or a drawn one.
    const bool is_drawn = properties::is_drawn(reduction.value().cluster.objects[i]);
    reduction.reduce_documents({reduction.value().cluster.objects[i]}, put, {"metadata"},
                               is_drawn ? std::vector<std::string_view>{"name", "namespace", "annotations"}
                                        : std::vector<std::string_view>{"name", "namespace"});
    if (is_drawn)
      reduction.reduce_documents({reduction.value().cluster.objects[i]}, put, {"metadata", "annotations"},
                                 {properties::kDrawnAnnotation});
  }
}

void simplify_faults(CaseReduction& reduction) {
  for (std::size_t i = 0; i < reduction.value().faults.size(); ++i) {
    reduction.try_change([&](Case& value) { value.faults[i].call.reset(); });
    reduction.try_change([&](Case& value) { value.faults[i].fault = "deny"; });
  }
}

/// One pass over a Case.
void run(CaseReduction reduction) {
  drop_webhooks(reduction);
  drop_validators(reduction);
  simplify_neighbours(reduction);
  reduction.drop_all_or_each([](Case& value) -> auto& { return value.faults; },
                             [](const cases::Fault&) { return true; });
  // A client with a cache needs time to take in another cluster.
  const bool changes_cluster_last = is_answered_outside(reduction.value());
  if (!changes_cluster_last) drop_objects(reduction);
  reduction.drop_all_or_each([](Case& value) -> auto& { return value.cluster.admission_plugins; },
                             [](const std::string&) { return true; });
  reduction.try_change([](Case& value) { value.cluster.plugin_settings.clear(); });
  simplify_request(reduction);
  reduce_pods(reduction);
  reduce_scripts(reduction);
  if (changes_cluster_last) drop_objects(reduction);
  reduction.restore_objects();
  reduce_objects(reduction);
  for (std::size_t i = 0; i < reduction.value().cluster.objects.size(); ++i) {
    if (cases::is_webhook_configuration(reduction.value().cluster.objects[i]))
      reduce_configuration(reduction, i);
  }
  simplify_faults(reduction);
}

}  // namespace

void reduce(Case value, const std::function<bool(const Case&)>& take) {
  const Kept nothing;
  run({std::move(value), take, nothing});
}

std::function<void(Case, const std::function<bool(const Case&)>& take)> reduction_keeping(Kept kept) {
  return [kept = std::move(kept)](Case value, const std::function<bool(const Case&)>& take) {
    run({std::move(value), take, kept});
  };
}

}  // namespace fixpoint::generators
