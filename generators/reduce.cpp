#include "generators/reduce.h"

#include <algorithm>
#include <array>

#include "generators/draw_context.h"
#include "generators/reduce_document.h"
#include "generators/simple_neighbours.h"
#include "generators/weight.h"
#include "harness/cases/object_name.h"
#include "harness/cases/plain_namespace.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/external/backends/external_webhooks.h"
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

/// Returns true if a URL or a command answers for one of the webhooks.
bool is_answered_outside(const Case& value) {
  return std::any_of(value.webhooks.begin(), value.webhooks.end(),
                     [](const auto& webhook) { return external::is_external(webhook.second); });
}

/// One pass over a Case. `value_` is always the last variant that was accepted. Only lighter variants are
/// offered, and those in which a chart's object is as the chart has it.
class Pass {
 public:
  Pass(Case value, const std::function<bool(const Case&)>& take, const Kept& kept)
      : value_(std::move(value)), weight_(weight_of(value_)), take_(take), kept_(kept) {}

  void run() {
    drop_webhooks();
    drop_validators();
    simplify_neighbours();
    drop_all_or_each([](Case& value) -> auto& { return value.faults; },
                     [](const cases::Fault&) { return true; });
    // A client with a cache needs time to take in another cluster.
    const bool changes_cluster_last = is_answered_outside(value_);
    if (!changes_cluster_last) drop_objects();
    drop_all_or_each([](Case& value) -> auto& { return value.cluster.admission_plugins; },
                     [](const std::string&) { return true; });
    try_change([](Case& value) { value.cluster.plugin_settings.clear(); });
    simplify_request();
    reduce_pods();
    reduce_scripts();
    if (changes_cluster_last) drop_objects();
    restore_objects();
    reduce_objects();
    for (std::size_t i = 0; i < value_.cluster.objects.size(); ++i) {
      if (cases::is_webhook_configuration(value_.cluster.objects[i])) reduce_configuration(i);
    }
    simplify_faults();
    if (!has_changed_) leave_plain_namespace();
  }

 private:
  bool offer(Case candidate) {
    const Weight weight = weight_of(candidate);
    if (!(weight < weight_) || loses_containers(candidate) || !take_(candidate)) return false;
    value_ = std::move(candidate);
    weight_ = weight;
    return has_changed_ = true;
  }

  /// Returns true if a Pod that had a container has none any more, and a webhook outside of the process gets
  /// it: one that dies of such a Pod would be restarted once for each try.
  bool loses_containers(const Case& candidate) const {
    const auto has_one = [](const Value& pod) { return !pod["spec"]["containers"].elements().empty(); };
    const bool loses = (has_one(value_.request.object) && !has_one(candidate.request.object)) ||
                       (has_one(value_.request.old_object) && candidate.request.is_update() &&
                        !has_one(candidate.request.old_object));
    return loses && std::any_of(value_.webhooks.begin(), value_.webhooks.end(),
                                [](const auto& webhook) { return external::is_external(webhook.second); });
  }

  template <class Change>
  bool try_change(const Change& change) {
    Case candidate = value_;
    change(candidate);
    return offer(std::move(candidate));
  }

  /// Returns the kept object of that kind and name; nullptr if there is none.
  const Value* kept_object(const Value& object) const {
    const auto kept = std::find_if(kept_.objects.begin(), kept_.objects.end(),
                                   [&](const Value& own) { return cases::have_same_name(own, object); });
    return kept == kept_.objects.end() ? nullptr : &*kept;
  }
  bool is_fixed(const Value& object) const {
    return belongs_to_subject(object) || kept_object(object) != nullptr;
  }
  /// Puts a chart's object in the place of its variant with changed settings: the Case is simpler, though not
  /// always lighter. What is restored never changes again.
  void restore_objects() {
    for (std::size_t i = 0; i < value_.cluster.objects.size(); ++i) {
      const Value* kept = kept_object(value_.cluster.objects[i]);
      if (kept == nullptr || *kept == value_.cluster.objects[i]) continue;
      Case candidate = value_;
      candidate.cluster.objects[i] = *kept;
      if (!take_(candidate)) continue;
      value_ = std::move(candidate);
      weight_ = weight_of(value_);
    }
  }
  void drop_objects() {
    drop_all_or_each([](Case& value) -> auto& { return value.cluster.objects; },
                     [this](const Value& object) { return !is_fixed(object); });
  }

  /// Drops webhooks, first all but one: most findings need a single webhook.
  void drop_webhooks() {
    const auto names = cases::configured_webhooks(value_.cluster);
    if (names.size() > 2) {
      for (const std::string& kept : names) {
        const bool alone = try_change([&](Case& value) {
          for (const std::string& name : names) {
            if (name != kept) value = cases::without_webhook(value, name);
          }
        });
        if (alone) return;
      }
    }
    const auto policies = cases::bound_policies(value_.cluster);
    for (const std::string& name : policies) {
      if (value_.webhooks.size() + cases::bound_policies(value_.cluster).size() < 2) return;
      try_change([&](Case& value) { value = cases::without_webhook(value, name); });
    }
    for (const std::string& name : names) {
      if (value_.webhooks.size() + cases::bound_policies(value_.cluster).size() < 2) return;
      try_change([&](Case& value) { value = cases::without_webhook(value, name); });
    }
  }

  /// Drops validating webhooks, all at once or each.
  void drop_validators() {
    std::vector<std::string> names;
    for (const Value* configuration : cases::called_validators(value_)) {
      for (std::string& name : cases::webhooks_of(*configuration)) names.push_back(std::move(name));
    }
    const auto drop = [&](Case& value, const std::string& name) {
      value = cases::without_webhook(value, name);
    };
    if (names.empty() || try_change([&](Case& value) {
          for (const std::string& name : names) drop(value, name);
        }))
      return;
    for (const std::string& name : names) try_change([&](Case& value) { drop(value, name); });
  }

  /// Replaces neighbours with simpler means: a finding that needs another webhook seldom needs that
  /// particular one, and an admission plugin that acts on the added part, or a plain neighbour, suffices.
  void simplify_neighbours() {
    for (const std::string& key : cases::configured_webhooks(value_.cluster)) {
      if (value_.webhooks.size() < 2) return;
      const bool gone = try_change([&](Case& value) {
        value = cases::without_webhook(value, key);
        value.cluster.admission_plugins = cases::Cluster().admission_plugins;
      });
      if (!gone) put_plain_neighbour(key);
    }
  }

  void put_plain_neighbour(const std::string& key) {
    const std::string name = key.substr(0, key.find('/'));
    const Value* configuration = cases::find_configuration(value_.cluster, name);
    if (configuration == nullptr || (*configuration)["webhooks"].size() != 1) return;
    for (const SimpleNeighbour& plain : simple_neighbours()) {
      const auto* script = std::get_if<cases::Script>(&value_.webhooks.at(key));
      if (script != nullptr && script->source == plain.script.source) return;
      if (try_change([&](Case& value) { put_in_its_place(value, key, plain); })) return;
    }
  }

  /// Puts the plain neighbour before all other webhooks if the replaced one came first, else behind all
  /// others.
  static void put_in_its_place(Case& value, const std::string& key, const SimpleNeighbour& plain) {
    const std::string before = key.substr(0, key.find('/'));
    value = cases::without_webhook(value, key);
    bool is_first = true, would_be_first = true, would_be_last = true;
    for (const Value& object : value.cluster.objects) {
      if (!cases::is_webhook_configuration(object)) continue;
      const std::string_view other = object["metadata"]["name"].text();
      is_first = is_first && before < other;
      would_be_first = would_be_first && plain.name < other;
      would_be_last = would_be_last && plain.name > other;
    }
    const bool is_right = is_first ? would_be_first : would_be_last;
    const std::string name = (is_right ? "" : is_first ? kFront : kBehind) + plain.name;
    if (cases::find_configuration(value.cluster, name) != nullptr) return;
    Value configuration = plain.configuration;
    configuration.edit("metadata").set("name", name);
    value.cluster.objects.push_back(std::move(configuration));
    value.webhooks.insert_or_assign(name + plain.key.substr(plain.name.size()), plain.script);
    if (value.neighbours) value.neighbours->push_back(name);
  }

  template <class List, class Droppable>
  void drop_all_or_each(const List& list, const Droppable& droppable) {
    if (std::none_of(list(value_).begin(), list(value_).end(), droppable)) return;
    if (try_change([&](Case& value) { std::erase_if(list(value), droppable); })) return;
    for (std::size_t i = list(value_).size(); i-- > 0;) {
      if (!droppable(list(value_)[i])) continue;
      try_change(
          [&](Case& value) { list(value).erase(list(value).begin() + static_cast<std::ptrdiff_t>(i)); });
    }
  }

  void simplify_request() {
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
    for (const auto plainer : kPlainer) try_change(plainer);
    if (!value_.request.sub_resource.empty())
      try_change([](Case& value) { value.request.sub_resource.clear(); });
    if (value_.request.is_update()) {
      try_change([](Case& value) { value.request.object = value.request.old_object; });
      try_change([](Case& value) { value.request.old_object = value.request.object; });
    }
  }

  /// Takes the Case to where it cannot be asked beside others: last, when nothing else gets smaller.
  void leave_plain_namespace() {
    if (cases::is_plain_namespace(value_.request.namespace_name))
      try_change([](Case& value) { value = cases::in_namespace(std::move(value), "default"); });
  }

  /// Replaces generateName with a name, which is simpler.
  void name_pods() {
    try_change([](Case& value) {
      for (Value* pod : {&value.request.object, &value.request.old_object}) {
        if (!(*pod)["metadata"]["generateName"].is_string()) continue;
        Value& metadata = pod->edit("metadata");
        metadata.remove("generateName");
        if (metadata["name"].is_null()) metadata.set("name", "a");
      }
    });
  }

  void reduce_pods() {
    name_pods();
    if (value_.request.is_update()) {
      reduce_documents({value_.request.object, value_.request.old_object},
                       [](Case& value, const std::vector<Value>& pods) {
                         value.request.object = pods[0], value.request.old_object = pods[1];
                       });
      reduce_documents({value_.request.old_object}, [](Case& value, const std::vector<Value>& pods) {
        value.request.old_object = pods[0];
      });
    }
    reduce_documents({value_.request.object},
                     [](Case& value, const std::vector<Value>& pods) { value.request.object = pods[0]; });
    rename_all();
  }

  /// Renames a name that occurs in several places (a volume and its mounts) in all of them at once.
  void rename_all() {
    std::map<std::string, int> counts;
    count_texts(value_.request.object, counts);
    for (const auto& [text, count] : counts) {
      if (count < 2 || text.size() < 2 || kept_.values.contains(text)) continue;
      for (const char* plain : {"a", "b", "c"}) {
        const bool is_taken = counts.contains(plain);
        if (!is_taken && try_change([&, &from = text](Case& value) {
              replace_text(value.request.object, from, plain);
              if (value.request.is_update()) replace_text(value.request.old_object, from, plain);
            }))
          break;
      }
    }
  }

  static void count_texts(const Value& value, std::map<std::string, int>& counts) {
    if (value.is_string()) ++counts[std::string(value.text())];
    for (const Value& element : value.elements()) count_texts(element, counts);
    for (const auto& member : value.members()) count_texts(member.value, counts);
  }

  static void replace_text(Value& value, const std::string& from, const char* to) {
    if (value.is_string() && value.text() == from) value = Value(to);
    for (std::size_t i = 0; i < value.elements().size(); ++i) replace_text(value.edit(i), from, to);
    std::vector<std::string> names;
    for (const auto& member : value.members()) names.emplace_back(member.key.text());
    for (const std::string& name : names) replace_text(value.edit(name), from, to);
  }

  template <class Put>
  void reduce_documents(std::vector<Value> documents, const Put& put,
                        const DocumentReduction::Path& path = {},
                        const std::vector<std::string_view>& fixed = {}) {
    DocumentReduction(
        std::move(documents),
        [&](const std::vector<Value>& changed) {
          return try_change([&](Case& value) { put(value, changed); });
        },
        kept_.values)
        .reduce(path, fixed);
  }

  void reduce_scripts() {
    std::vector<std::string> keys;
    for (const auto& [key, backend] : value_.webhooks) {
      const auto* script = std::get_if<cases::Script>(&backend);
      if (script != nullptr && !simplicity_rank(*script)) keys.push_back(key);
    }
    for (const std::string& key : keys) {
      DocumentReduction({std::get<cases::Script>(value_.webhooks.at(key)).source},
                        [&](const std::vector<Value>& changed) {
                          auto script = cases::read_script(changed.front());
                          return script.ok() && try_change([&](Case& value) {
                                   value.webhooks.at(key) = *std::move(script);
                                 });
                        })
          .reduce();
    }
  }

  /// Reduces the contents of objects, except for their names.
  void reduce_objects() {
    for (std::size_t i = 0; i < value_.cluster.objects.size(); ++i) {
      if (is_fixed(value_.cluster.objects[i])) continue;
      const auto put = [i](Case& value, const std::vector<Value>& changed) {
        value.cluster.objects[i] = changed[0];
      };
      reduce_documents({value_.cluster.objects[i]}, put, {}, {"apiVersion", "kind", "metadata"});
      // Whether a user's object refuses the Pod or a drawn one is the severity of the finding.
      const bool is_drawn = properties::is_drawn(value_.cluster.objects[i]);
      reduce_documents({value_.cluster.objects[i]}, put, {"metadata"},
                       is_drawn ? std::vector<std::string_view>{"name", "namespace", "annotations"}
                                : std::vector<std::string_view>{"name", "namespace"});
      if (is_drawn)
        reduce_documents({value_.cluster.objects[i]}, put, {"metadata", "annotations"},
                         {properties::kDrawnAnnotation});
    }
  }

  /// The configuration of a subject is what its owner wrote: it stays.
  void reduce_configuration(std::size_t i) {
    const std::string_view name = value_.cluster.objects[i]["metadata"]["name"].text();
    if (!cases::is_neighbour(value_, name)) return;
    rename_neighbour(i);
    const auto put = [i](Case& value, const std::vector<Value>& changed) {
      value.cluster.objects[i] = changed[0];
    };
    reduce_documents({value_.cluster.objects[i]}, put, {}, {"apiVersion", "kind", "metadata", "webhooks"});
    reduce_documents({value_.cluster.objects[i]}, put, {"metadata"}, {"name"});
    for (std::size_t j = 0; j < value_.cluster.objects[i]["webhooks"].size(); ++j) {
      reduce_documents({value_.cluster.objects[i]}, put, {"webhooks", j},
                       {"name", "rules", "sideEffects", "admissionReviewVersions"});
      keep_one_of_lists(i, j);
    }
  }

  /// Reduces the lists of the rules, and the review versions, to one element each.
  void keep_one_of_lists(std::size_t i, std::size_t j) {
    keep_one(i, {"webhooks", j, "admissionReviewVersions"});
    keep_one(i, {"webhooks", j, "rules"});
    const std::size_t rules = value_.cluster.objects[i]["webhooks"].at(j)["rules"].size();
    for (std::size_t k = 0; k < rules; ++k) {
      for (const char* list : {"operations", "resources", "apiGroups", "apiVersions"}) {
        keep_one(i, {"webhooks", j, "rules", k, list});
      }
    }
  }

  void keep_one(std::size_t i, const DocumentReduction::Path& path) {
    const Value* list = look(value_.cluster.objects[i], path);
    if (list == nullptr || !list->is_array() || list->size() < 2) return;
    const Value all = *list;
    for (const Value& kept : all.elements()) {
      if (try_change([&](Case& value) { open(value.cluster.objects[i], path) = Value::list({kept}); }))
        return;
    }
  }

  /// Renames a neighbour to its own name, with a prefix that sorts it before or behind all others only if the
  /// order matters.
  void rename_neighbour(std::size_t i) {
    const Value& configuration = value_.cluster.objects[i];
    const std::string before(configuration["metadata"]["name"].text());
    const std::string own = own_name(before, configuration);
    for (const char* place : {"", kFront, kBehind}) {
      const std::string after = place + own;
      if (after == before) return;
      if (cases::find_configuration(value_.cluster, after) != nullptr) continue;
      if (try_change([&](Case& value) { cases::rename_configurations(value, {{before, after}}); })) return;
    }
  }

  /// Returns the name of a plain neighbour, else that of the configuration's first webhook.
  std::string own_name(const std::string& name, const Value& configuration) const {
    const std::string webhook(cases::first_own_name(configuration));
    const auto backend = value_.webhooks.find(name + "/" + webhook);
    const auto* script =
        backend == value_.webhooks.end() ? nullptr : std::get_if<cases::Script>(&backend->second);
    const auto rank = script == nullptr ? std::nullopt : simplicity_rank(*script);
    return rank ? simple_neighbours()[*rank].name : webhook;
  }

  void simplify_faults() {
    for (std::size_t i = 0; i < value_.faults.size(); ++i) {
      try_change([&](Case& value) { value.faults[i].call.reset(); });
      try_change([&](Case& value) { value.faults[i].fault = "deny"; });
    }
  }

  static constexpr const char *kFront = "0-", *kBehind = "y-";

  Case value_;
  Weight weight_;
  bool has_changed_ = false;
  const std::function<bool(const Case&)>& take_;
  const Kept& kept_;
};

}  // namespace

void reduce(Case value, const std::function<bool(const Case&)>& take) {
  Pass(std::move(value), take, {}).run();
}

std::function<void(Case, const std::function<bool(const Case&)>& take)> reduction_keeping(Kept kept) {
  return [kept = std::move(kept)](Case value, const std::function<bool(const Case&)>& take) {
    Pass(std::move(value), take, kept).run();
  };
}

}  // namespace fixpoint::generators
