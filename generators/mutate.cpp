#include "generators/mutate.h"

#include <algorithm>
#include <array>
#include <set>

#include "generators/draw_context.h"
#include "generators/mutate_pod.h"
#include "harness/apiserver/decoding/decode.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/runner/shrink_finding.h"

namespace fixpoint::generators {

namespace {

constexpr std::size_t kWebhooksMax = 6, kObjectsMax = 24, kFaultsMax = 4;

/// A mutation of one part of a Case.
struct Mutation {
  std::string_view name;
  void (*change)(Case& value, Choices& choices, const DrawContext::Prepared& prepared);
};

/// Returns the vocabularies of the webhooks in the Case; that of the first subject if none of them is known.
std::vector<const PreparedVocabulary*> words_in(const Case& value, const DrawContext::Prepared& prepared) {
  std::vector<const PreparedVocabulary*> prepared_vocabulary;
  for (const auto* prepared_subjects : {&prepared.subjects, &prepared.peers}) {
    for (const PreparedSubject& prepared_subject : *prepared_subjects) {
      const bool stands_there =
          std::any_of(value.webhooks.begin(), value.webhooks.end(), [&](const auto& entry) {
            return prepared_subject.subject.webhooks.begin()->second == entry.second;
          });
      if (stands_there && !prepared_subject.subject.webhooks.empty())
        prepared_vocabulary.push_back(&prepared_subject.vocabulary);
    }
  }
  return prepared_vocabulary;
}

void change_pod(Case& value, Choices& choices, const DrawContext::Prepared& prepared) {
  Value& pod =
      value.request.is_update() && choices.one_in(3) ? value.request.old_object : value.request.object;
  if (!pod.is_object()) return;
  Value changed = pod;
  auto objects = mutate_pod(changed, words_in(value, prepared), choices);
  // No webhook acts on a Pod that cannot be decoded; a few such Pods suffice.
  const bool spoilt = !apiserver::decode_pod(changed).ok() && apiserver::decode_pod(pod).ok();
  if (spoilt && !choices.one_in(32)) return;
  pod = std::move(changed);
  for (Value& object : objects) value.cluster.objects.push_back(std::move(object));
}

void change_request(Case& value, Choices& choices, const DrawContext::Prepared& prepared) {
  auto& request = value.request;
  switch (choices.below(6)) {
    case 0:
      request.dry_run = !request.dry_run;
      return;
    case 1:
      request.managed_fields = !request.managed_fields;
      return;
    case 2:
      request.namespace_name = request.namespace_name == "default" ? "team-a" : "default";
      return;
    case 3:
      if (request.is_update()) {
        request.operation = "CREATE", request.sub_resource.clear(), request.old_object = {};
      } else {
        make_update(value, choices.pick(prepared.subjects), choices);
      }
      return;
    case 4:
      if (!request.is_update()) make_injected(value, choices.pick(prepared.subjects), choices);
      return;
    default:
      if (request.is_update()) std::swap(request.object, request.old_object);
  }
}

void drop_webhook(Case& value, Choices& choices, const DrawContext::Prepared&) {
  const auto names = cases::configured_webhooks(value.cluster);
  if (names.size() > 1) value = cases::without_webhook(value, choices.pick(names));
}

/// Adds a subject under its own name, or a neighbour before or after all others.
void add_webhook(Case& value, Choices& choices, const DrawContext::Prepared& prepared) {
  if (value.webhooks.size() >= kWebhooksMax) return;
  const bool is_peer = !choices.one_in(4) && !prepared.peers.empty();
  const PreparedSubject& prepared_subject = choices.pick(is_peer ? prepared.peers : prepared.subjects);
  const std::string place = is_peer ? choices.coin() ? "0-" : "z-" : "";
  if (cases::find_configuration(value.cluster, place + prepared_subject.configuration) != nullptr) return;
  join(value, prepared_subject, prepared_subject.subject.configuration, place);
}

/// Moves a neighbour's configuration to another place in the order.
void reorder(Case& value, Choices& choices, const DrawContext::Prepared&) {
  std::vector<std::string> names;
  for (const Value* configuration : cases::ordered_configurations(value.cluster)) {
    std::string name((*configuration)["metadata"]["name"].text());
    if (cases::is_neighbour(value, name)) names.push_back(std::move(name));
  }
  if (names.empty()) return;
  const std::string& before = choices.pick(names);
  std::string own(cases::first_own_name(*cases::find_configuration(value.cluster, before)));
  if (own.empty()) own = before;
  const std::string after = (choices.coin() ? "0-" : choices.coin() ? "z-" : "") + own;
  if (cases::find_configuration(value.cluster, after) != nullptr) return;
  cases::rename_configurations(value, {{before, after}});
}

void change_policies(Case& value, Choices& choices, const DrawContext::Prepared&) {
  std::vector<std::pair<Value*, bool>> entries;
  for (Value& object : value.cluster.objects) {
    if (!cases::is_webhook_configuration(object) || object["webhooks"].empty()) continue;
    const bool is_of_subject = !cases::is_neighbour(value, object["metadata"]["name"].text());
    Value& webhooks = object.edit("webhooks");
    for (std::size_t i = 0; i < webhooks.size(); ++i) entries.emplace_back(&webhooks.edit(i), is_of_subject);
  }
  if (entries.empty()) return;
  const auto [picked, is_of_subject] = choices.pick(entries);
  Value& entry = *picked;
  static constexpr std::array kOptional{"matchConditions",   "namespaceSelector", "objectSelector",
                                        "matchPolicy",       "timeoutSeconds",    "failurePolicy",
                                        "reinvocationPolicy"};
  const Value own = entry["reinvocationPolicy"];
  if (choices.one_in(3))
    entry.remove(choices.pick(kOptional));
  else if (choices.one_in(3))
    entry.set("reinvocationPolicy", "IfNeeded");
  else
    draw_policies(entry, choices);
  // A webhook that requests reinvocation may rely on it.
  if (is_of_subject && own == Value("IfNeeded")) entry.set("reinvocationPolicy", own);
}

void change_faults(Case& value, Choices& choices, const DrawContext::Prepared&) {
  if (!value.faults.empty() && choices.coin()) {
    value.faults.erase(value.faults.begin() +
                       static_cast<std::ptrdiff_t>(choices.below(value.faults.size())));
  } else if (value.faults.size() < kFaultsMax) {
    add_fault(value, choices);
  }
}

void change_cluster(Case& value, Choices& choices, const DrawContext::Prepared&) {
  auto& objects = value.cluster.objects;
  switch (choices.below(4)) {
    case 0:
      if (objects.size() < kObjectsMax) add_optional_part(value, choices);
      return;
    case 1: {
      if (objects.empty()) return;
      const std::size_t at = choices.below(objects.size());
      if (!cases::is_of_webhooks(objects[at]))
        objects.erase(objects.begin() + static_cast<std::ptrdiff_t>(at));
      return;
    }
    case 2: {
      if (objects.empty()) return;
      Value& object = objects[choices.below(objects.size())];
      if (cases::is_of_webhooks(object)) return;
      Value changed = object;
      mutate_document(changed, value.request.object, choices);
      const bool names_itself = changed["apiVersion"].is_string() && changed["kind"].is_string() &&
                                changed["metadata"]["name"].is_string() && !cases::is_of_webhooks(changed);
      if (names_itself) object = std::move(changed);
      return;
    }
    default:
      value.cluster.admission_plugins.assign(cases::kAdmissionPlugins.begin(),
                                             cases::kAdmissionPlugins.end());
  }
}

/// Changes a script of a subject. A neighbour's stays: one that destroys what others write is none.
void change_script(Case& value, Choices& choices, const DrawContext::Prepared&) {
  std::vector<cases::Script*> scripts;
  for (auto& [key, backend] : value.webhooks) {
    auto* script = std::get_if<cases::Script>(&backend);
    if (script != nullptr && cases::webhook_ref(value, key).is_subject) scripts.push_back(script);
  }
  if (scripts.empty()) return;
  cases::Script& script = *scripts[choices.below(scripts.size())];
  Value source = script.source;
  mutate_document(source, value.request.object, choices);
  if (auto read = cases::read_script(source)) script = *std::move(read);
}

/// The rows repeat: each stands for an equal share of the mutations.
constexpr auto kMutations = std::to_array<Mutation>({
    {"pod", change_pod},
    {"pod", change_pod},
    {"pod", change_pod},
    {"pod", change_pod},
    {"pod", change_pod},
    {"pod", change_pod},
    {"request", change_request},
    {"webhook gone", drop_webhook},
    {"webhook added", add_webhook},
    {"order", reorder},
    {"policies", change_policies},
    {"policies", change_policies},
    {"faults", change_faults},
    {"cluster", change_cluster},
    {"script", change_script},
    {"script", change_script},
});

/// Drops faults and neighbours that name what is not in the Case.
void keep_references(Case& value) {
  if (value.neighbours) {
    std::erase_if(*value.neighbours, [&](const std::string& name) {
      return cases::find_configuration(value.cluster, name) == nullptr;
    });
  }
  std::erase_if(value.faults,
                [&](const cases::Fault& fault) { return !value.webhooks.contains(fault.webhook); });
}

/// Adds the configurations of the second Case that the first lacks, with the backends behind them.
void take_chain(Case& value, const Case& other) {
  std::set<std::string, std::less<>> names;
  for (const Value& object : value.cluster.objects) {
    if (cases::is_webhook_configuration(object)) names.emplace(object["metadata"]["name"].text());
  }
  for (const Value& object : other.cluster.objects) {
    const std::string name(object["metadata"]["name"].text());
    if (!cases::is_webhook_configuration(object) || !names.insert(name).second) continue;
    if (value.webhooks.size() + object["webhooks"].size() > kWebhooksMax) continue;
    value.cluster.objects.push_back(object);
    for (const auto& [key, backend] : other.webhooks) {
      if (key.starts_with(name + "/")) value.webhooks.insert_or_assign(key, backend);
    }
  }
}

void take_objects(Case& value, const Case& other) {
  for (const Value& object : other.cluster.objects) {
    if (cases::is_of_webhooks(object) || value.cluster.objects.size() >= kObjectsMax) continue;
    if (object["kind"].text() == "LimitRange" && has_limit_range(value)) continue;
    value.cluster.objects.push_back(object);
  }
}

/// Mixes members of metadata and spec of both Pods; some lists and maps are merged.
void blend(Value& pod, const Value& other, Choices& choices) {
  for (const Name part : {Name("metadata"), Name("spec")}) {
    if (!pod[part].is_object()) continue;
    for (const auto& member : other[part].members()) {
      if (choices.coin()) continue;
      Value& own = pod.edit(part).edit(member.key.name());
      if (choices.coin() && (own.is_array() || own.is_object()))
        merge_into(own, member.value);
      else
        own = member.value;
    }
  }
}

}  // namespace

Case mutate(Case value, Choices& choices, const DrawContext& draw_context) {
  for (auto left = 1 + choices.below(3); left > 0; --left) {
    choices.pick(kMutations).change(value, choices, *draw_context);
  }
  keep_references(value);
  return value;
}

Case crossover(Case value, const Case& other, Choices& choices) {
  if (choices.coin() && other.request.object.is_object()) {
    if (choices.coin() || !value.request.object.is_object())
      value.request = other.request;
    else
      blend(value.request.object, other.request.object, choices);
  }
  if (choices.coin()) take_chain(value, other);
  if (choices.one_in(3)) take_objects(value, other);
  if (choices.one_in(3)) value.faults.insert(value.faults.end(), other.faults.begin(), other.faults.end());
  if (value.faults.size() > kFaultsMax) value.faults.resize(kFaultsMax, value.faults.front());
  if (choices.one_in(4)) value.cluster.version = other.cluster.version;
  keep_references(value);
  return value;
}

}  // namespace fixpoint::generators
