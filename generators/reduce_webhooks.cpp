#include "generators/reduce_webhooks.h"

#include "generators/simple_neighbours.h"
#include "harness/cases/webhook_configuration.h"

namespace fixpoint::generators {

using cases::Case;

namespace {

constexpr const char *kFront = "0-", *kBehind = "y-";

/// Puts the plain neighbour before all other webhooks if the replaced one came first, else behind all
/// others.
void put_in_its_place(Case& value, const std::string& key, const SimpleNeighbour& plain) {
  const std::string before = cases::webhook_ref(value, key).configuration;
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

void put_plain_neighbour(CaseReduction& reduction, const std::string& key) {
  const cases::WebhookRef webhook = cases::webhook_ref(reduction.value(), key);
  const Value* configuration = cases::find_configuration(reduction.value().cluster, webhook.configuration);
  if (configuration == nullptr || (*configuration)["webhooks"].size() != 1) return;
  for (const SimpleNeighbour& plain : simple_neighbours()) {
    const auto* script = std::get_if<cases::Script>(&reduction.value().webhooks.at(key));
    if (script != nullptr && script->source == plain.script.source) return;
    if (reduction.try_change([&](Case& value) { put_in_its_place(value, key, plain); })) return;
  }
}

void keep_one(CaseReduction& reduction, std::size_t i, const DocumentReduction::Path& path) {
  const Value* list = look(reduction.value().cluster.objects[i], path);
  if (list == nullptr || !list->is_array() || list->size() < 2) return;
  const Value all = *list;
  for (const Value& kept : all.elements()) {
    if (reduction.try_change(
            [&](Case& value) { open(value.cluster.objects[i], path) = Value::list({kept}); }))
      return;
  }
}

/// Reduces the lists of the rules, and the review versions, to one element each.
void keep_one_of_lists(CaseReduction& reduction, std::size_t i, std::size_t j) {
  keep_one(reduction, i, {"webhooks", j, "admissionReviewVersions"});
  keep_one(reduction, i, {"webhooks", j, "rules"});
  const std::size_t rules = reduction.value().cluster.objects[i]["webhooks"].at(j)["rules"].size();
  for (std::size_t k = 0; k < rules; ++k) {
    for (const char* list : {"operations", "resources", "apiGroups", "apiVersions"}) {
      keep_one(reduction, i, {"webhooks", j, "rules", k, list});
    }
  }
}

/// Returns the name of a plain neighbour, else that of the configuration's first webhook.
std::string own_name(const CaseReduction& reduction, const std::string& name, const Value& configuration) {
  const std::string webhook(cases::first_own_name(configuration));
  const auto backend = reduction.value().webhooks.find(name + "/" + webhook);
  const auto* script =
      backend == reduction.value().webhooks.end() ? nullptr : std::get_if<cases::Script>(&backend->second);
  const auto rank = script == nullptr ? std::nullopt : simplicity_rank(*script);
  return rank ? simple_neighbours()[*rank].name : webhook;
}

/// Renames a neighbour to its own name, with a prefix that sorts it before or behind all others only if the
/// order matters.
void rename_neighbour(CaseReduction& reduction, std::size_t i) {
  const Value& configuration = reduction.value().cluster.objects[i];
  const std::string before(configuration["metadata"]["name"].text());
  const std::string own = own_name(reduction, before, configuration);
  for (const char* place : {"", kFront, kBehind}) {
    const std::string after = place + own;
    if (after == before) return;
    if (cases::find_configuration(reduction.value().cluster, after) != nullptr) continue;
    if (reduction.try_change([&](Case& value) { cases::rename_configurations(value, {{before, after}}); }))
      return;
  }
}

}  // namespace

void drop_webhooks(CaseReduction& reduction) {
  const auto names = cases::configured_webhooks(reduction.value().cluster);
  if (names.size() > 2) {
    for (const std::string& kept : names) {
      const bool alone = reduction.try_change([&](Case& value) {
        for (const std::string& name : names) {
          if (name != kept) value = cases::without_webhook(value, name);
        }
      });
      if (alone) return;
    }
  }
  const auto policies = cases::bound_policies(reduction.value().cluster);
  for (const std::string& name : policies) {
    if (reduction.value().webhooks.size() + cases::bound_policies(reduction.value().cluster).size() < 2)
      return;
    reduction.try_change([&](Case& value) { value = cases::without_webhook(value, name); });
  }
  for (const std::string& name : names) {
    if (reduction.value().webhooks.size() + cases::bound_policies(reduction.value().cluster).size() < 2)
      return;
    reduction.try_change([&](Case& value) { value = cases::without_webhook(value, name); });
  }
}

void drop_validators(CaseReduction& reduction) {
  std::vector<std::string> names;
  for (const Value* configuration : cases::called_validators(reduction.value())) {
    for (std::string& name : cases::webhooks_of(*configuration)) names.push_back(std::move(name));
  }
  const auto drop = [&](Case& value, const std::string& name) {
    value = cases::without_webhook(value, name);
  };
  if (names.empty() || reduction.try_change([&](Case& value) {
        for (const std::string& name : names) drop(value, name);
      }))
    return;
  for (const std::string& name : names) reduction.try_change([&](Case& value) { drop(value, name); });
}

void simplify_neighbours(CaseReduction& reduction) {
  for (const std::string& key : cases::configured_webhooks(reduction.value().cluster)) {
    if (reduction.value().webhooks.size() < 2) return;
    const bool gone = reduction.try_change([&](Case& value) {
      value = cases::without_webhook(value, key);
      value.cluster.admission_plugins = cases::Cluster().admission_plugins;
    });
    if (!gone) put_plain_neighbour(reduction, key);
  }
}

void reduce_configuration(CaseReduction& reduction, std::size_t i) {
  const std::string_view name = reduction.value().cluster.objects[i]["metadata"]["name"].text();
  if (!cases::is_neighbour(reduction.value(), name)) return;
  rename_neighbour(reduction, i);
  const auto put = [i](Case& value, const std::vector<Value>& changed) {
    value.cluster.objects[i] = changed[0];
  };
  reduction.reduce_documents({reduction.value().cluster.objects[i]}, put, {},
                             {"apiVersion", "kind", "metadata", "webhooks"});
  reduction.reduce_documents({reduction.value().cluster.objects[i]}, put, {"metadata"}, {"name"});
  for (std::size_t j = 0; j < reduction.value().cluster.objects[i]["webhooks"].size(); ++j) {
    reduction.reduce_documents({reduction.value().cluster.objects[i]}, put, {"webhooks", j},
                               {"name", "rules", "sideEffects", "admissionReviewVersions"});
    keep_one_of_lists(reduction, i, j);
  }
}

}  // namespace fixpoint::generators
