#include <algorithm>
#include <array>
#include <optional>

#include "generators/draw_context.h"
#include "generators/object_case.h"
#include "generators/pod/draw_pod.h"
#include "generators/put_trigger.h"
#include "generators/read_objects.h"
#include "harness/cases/kind.h"
#include "harness/cases/plain_namespace.h"
#include "harness/cases/webhook_configuration.h"

namespace fixpoint::generators {

namespace {

/// Prefixes that sort a neighbour's name before or after most names.
constexpr std::array<const char*, 6> kPlaces{"0-", "z-", "1-", "y-", "a-", "zz-"};

/// Returns true for an object that stands in the namespace of the Pod that it is for.
bool is_beside_pod(const Value& object, const Case& value) {
  const std::string_view space = object["metadata"]["namespace"].text();
  const auto kind = cases::find_kind(object["apiVersion"].text(), object["kind"].text(), value.cluster);
  return space == cases::Request().namespace_name || (space.empty() && kind && kind->is_namespaced);
}

/// Draws one of the alternatives for each object. A Case in a plain namespace has those beside its Pod in it,
/// and shares the others with the Cases around it.
void draw_objects(Case& value, const PreparedSubject& prepared_subject, Choices& choices) {
  const std::string& own = value.request.namespace_name;
  const bool is_plain = cases::is_plain_namespace(own);
  std::optional<Choices> shared;
  if (is_plain) shared = choices.shared_by(kCasesOfACluster);
  for (const auto& alternatives : prepared_subject.subject.vocabulary.objects) {
    const bool is_beside = is_plain && std::ranges::any_of(alternatives, [&](const Value& one) {
                             return is_beside_pod(one, value);
                           });
    Value chosen = (is_plain && !is_beside ? *shared : choices).pick(alternatives);
    if (chosen.is_null()) continue;
    if (is_beside) chosen.edit("metadata").set("namespace", own);
    value.cluster.objects.push_back(std::move(chosen));
  }
}

/// Adds a neighbour at a drawn place in the order, with policies of its own.
void join_neighbour(Case& value, const PreparedSubject& prepared_subject, Choices& choices) {
  if (cases::is_policy(prepared_subject.subject.configuration)) {
    join_subject(value, prepared_subject, choices);
    if (value.neighbours) value.neighbours->push_back(prepared_subject.configuration);
    return;
  }
  const std::string place = choices.pick(kPlaces);
  Value configuration = prepared_subject.subject.configuration;
  Value& webhooks = configuration.edit("webhooks");
  for (std::size_t i = 0; i < webhooks.size(); ++i) draw_policies(webhooks.edit(i), choices);
  join(value, prepared_subject, std::move(configuration), place);
  draw_objects(value, prepared_subject, choices);
}

bool is_in(const std::vector<const PreparedSubject*>& chain, const PreparedSubject& prepared_subject) {
  return std::find(chain.begin(), chain.end(), &prepared_subject) != chain.end();
}

/// Adds the other subjects under their own names and with their own policies, as in a real cluster. Of
/// several configurations with one name, only the first is added.
void join_other_subjects(Case& value, std::vector<const PreparedSubject*>& chain, Choices& choices,
                         const DrawContext::Prepared& prepared) {
  for (const PreparedSubject& other : prepared.subjects) {
    const bool is_there =
        std::any_of(chain.begin(), chain.end(), [&](const PreparedSubject* prepared_subject) {
          return prepared_subject->configuration == other.configuration;
        });
    if (is_there) continue;
    chain.push_back(&other);
    join_subject(value, other, choices);
  }
}

/// Draws, around the subject, in some Cases the other subjects too, and distinct neighbours.
std::vector<const PreparedSubject*> draw_chain(Case& value, Choices& choices, const PreparedSubject& subject,
                                               const DrawContext::Prepared& prepared) {
  std::vector<const PreparedSubject*> chain{&subject};
  join_subject(value, *chain.front(), choices);
  if (prepared.options.has_chains && choices.coin()) join_other_subjects(value, chain, choices, prepared);
  if (prepared.options.has_all_peers) {
    for (const PreparedSubject& peer : prepared.peers) {
      chain.push_back(&peer);
      join_neighbour(value, peer, choices);
    }
    return chain;
  }
  const auto most =
      std::min<std::size_t>(prepared.peers.size(), static_cast<std::size_t>(prepared.options.peers_max));
  for (auto left = choices.below(most + 1); left > 0; --left) {
    const PreparedSubject& peer = choices.pick(prepared.peers);
    if (is_in(chain, peer)) continue;
    chain.push_back(&peer);
    join_neighbour(value, peer, choices);
  }
  return chain;
}

bool has_triggers(const PreparedVocabulary& prepared_vocabulary) {
  return !prepared_vocabulary.labels.empty() || !prepared_vocabulary.annotations.empty() ||
         !prepared_vocabulary.fields.empty() || !prepared_vocabulary.rare_labels.empty() ||
         !prepared_vocabulary.rare_annotations.empty() || !prepared_vocabulary.rare_fields.empty();
}

bool has_words(const PreparedVocabulary& prepared_vocabulary) {
  const auto& names = prepared_vocabulary.names;
  const auto has_name = [&](const auto& list) {
    return !list.empty() && &list != &names[runner::NameKind::fragment];
  };
  return has_triggers(prepared_vocabulary) || std::ranges::any_of(names.lists, has_name) ||
         !prepared_vocabulary.elements.empty() || !prepared_vocabulary.members.empty();
}

/// Draws the request's namespace, with labels that successive Cases in it share if the subject watches
/// namespaces.
void draw_namespaces(Case& value, Choices& choices, const PreparedSubject& prepared_subject) {
  const auto& reads = prepared_subject.subject.vocabulary.reads;
  const bool is_watched = std::any_of(reads.begin(), reads.end(), [](const auto& read) {
    return read.is_watched && read.kind == "Namespace";
  });
  const bool is_own = cases::is_plain_namespace(value.request.namespace_name);
  if (!is_watched || is_own) return draw_namespace(value, prepared_subject.vocabulary, choices);
  Choices shared = choices.shared_by(kCasesOfACluster);
  draw_namespace(value, prepared_subject.vocabulary, shared);
}

/// Draws the Pod: the example in the Case with some features added, or a new one.
Value draw_object(Case& value, Choices& choices, const std::vector<const PreparedSubject*>& chain,
                  bool has_example) {
  std::vector<const PreparedVocabulary*> prepared_vocabulary;
  for (const PreparedSubject* prepared_subject : chain) {
    if (has_words(prepared_subject->vocabulary)) prepared_vocabulary.push_back(&prepared_subject->vocabulary);
  }
  PodBuilder builder{
      .c = choices, .vocabularies = prepared_vocabulary, .namespace_name = value.request.namespace_name};
  if (has_example) {
    builder.metadata = value.request.object["metadata"];
    builder.spec = value.request.object["spec"];
    draw_features(builder);
  } else {
    draw_into(builder);
  }
  for (Value& object : builder.objects) value.cluster.objects.push_back(std::move(object));
  return pod_of(builder);
}

/// Returns the index of the subject; for a neighbour, the number of subjects.
std::size_t number_of(const DrawContext::Prepared& prepared, const PreparedSubject& prepared_subject) {
  std::size_t number = 0;
  while (number < prepared.subjects.size() && &prepared.subjects[number] != &prepared_subject) ++number;
  return number;
}

/// Draws the trigger that is free of steering, in a quarter of the steered Cases; else returns `triggers`. It
/// is absent in half of these Cases: users also reach the branches in which the subject fails and so does not
/// act.
std::size_t free_trigger(Choices& choices, std::size_t triggers) {
  return triggers > 0 && choices.one_in(4) ? choices.below(triggers) : triggers;
}
std::size_t free_option(Choices& choices, const runner::Trigger& trigger) {
  return choices.coin() ? 0 : choices.below(trigger.values.size() + 1);
}

/// Sets the subject's triggers, in some Cases, to combinations that made it act before.
void steer(Case& value, Choices& choices, const PreparedSubject& subject, const runner::Steering& steering) {
  const auto way = steering.draw_way(choices);
  if (way == runner::Steering::Way::free) return;
  const std::size_t free = free_trigger(choices, subject.triggers.size());
  std::vector<std::size_t> options = steering.draw_options(choices, subject.triggers, way);
  if (free < options.size()) options[free] = free_option(choices, subject.triggers[free]);
  for (std::size_t i = 0; i < options.size(); ++i) put_trigger(value, subject.triggers[i], options[i]);
}

/// Copies what stands in `default`, such as the Deployment of the Pods that a manifest is about, into the
/// plain namespace of the Case.
void copy_objects_of_default(Case& value) {
  const std::string& own = value.request.namespace_name;
  if (!cases::is_plain_namespace(own)) return;
  const std::vector<Value> known = value.cluster.objects;
  for (Value object : known) {
    if (object["metadata"]["namespace"].text() != "default") continue;
    object.edit("metadata").set("namespace", own);
    value.cluster.add_missing(std::move(object));
  }
}

}  // namespace

void join(Case& value, const PreparedSubject& prepared_subject, Value configuration,
          const std::string& place) {
  const std::string name = place + prepared_subject.configuration;
  if (!place.empty()) configuration.edit("metadata").set("name", name);
  value.cluster.objects.push_back(std::move(configuration));
  for (const auto& [key, backend] : prepared_subject.subject.webhooks)
    value.webhooks.insert_or_assign(name + key.substr(prepared_subject.configuration.size()), backend);
  for (const Value& object : prepared_subject.subject.objects) value.cluster.objects.push_back(object);
  const auto& validators = prepared_subject.subject.validators;
  value.webhooks.insert(validators.begin(), validators.end());
  if (!place.empty() && value.neighbours) value.neighbours->push_back(name);
}

void join_subject(Case& value, const PreparedSubject& prepared_subject, Choices& choices) {
  join(value, prepared_subject, prepared_subject.subject.configuration);
  copy_objects_of_default(value);
  draw_objects(value, prepared_subject, choices);
}

Case draw(Choices& choices, const DrawContext& draw_context, std::span<const runner::Steering> steering) {
  if (auto beginning = draw_beginning(choices, draw_context)) return *std::move(beginning);
  Case value;
  value.neighbours.emplace();
  if (choices.one_in(16)) value.request.namespace_name = choices.coin() ? "kserve" : "team-a";
  const PreparedSubject& subject = choices.pick(draw_context->subjects);
  draw_plain_namespace(value, subject, choices);
  if (const runner::DrawnKind* kind = draw_kind(choices, subject)) {
    const std::size_t number = number_of(*draw_context, subject);
    return draw_object_case(choices, draw_context, subject, *kind,
                            number < steering.size() ? &steering[number] : nullptr);
  }
  const auto chain = draw_chain(value, choices, subject, *draw_context);
  const Case* example = some_example(choices, *chain.front());
  if (example != nullptr) {
    put_example(value, *example, keeps_namespace(value, choices));
    prefer_chart_objects(value, *chain.front());
  } else {
    for (const PreparedSubject* prepared_subject : chain) draw_namespaces(value, choices, *prepared_subject);
  }
  value.request.object = draw_object(value, choices, chain, example != nullptr);
  draw_cluster(value, choices);
  for (const PreparedSubject* prepared_subject : chain)
    draw_user(value, prepared_subject->vocabulary, choices);
  for (const PreparedSubject* prepared_subject : chain) {
    const auto number = number_of(*draw_context, *prepared_subject);
    if (number < steering.size()) steer(value, choices, *prepared_subject, steering[number]);
  }
  try_trigger(value, *chain.front(), beginnings(draw_context), choices);
  runner::put_own_names(value.request.object);
  for (const PreparedSubject* prepared_subject : chain)
    draw_read_objects(value, *prepared_subject, choices, example != nullptr);
  if (choices.one_in(16)) make_injected(value, choices.coin() ? *chain.front() : *chain.back(), choices);
  if (draw_context->options.has_updates && choices.one_in(10)) make_update(value, *chain.front(), choices);
  if (draw_context->options.has_faults) {
    draw_read_fault(value, *chain.front(), choices);
    draw_faults(value, choices);
  }
  // Last, so that the rest of a Case does not depend on it.
  draw_policy_neighbours(value, *draw_context, choices);
  draw_judges(value, *chain.front(), choices);
  return value;
}

Case draw(Choices& choices, const DrawOptions& options) { return draw(choices, DrawContext(options)); }

Value draw_pod(Choices& choices, const std::vector<const runner::Vocabulary*>& vocabularies) {
  std::vector<PreparedVocabulary> prepared;
  std::vector<const PreparedVocabulary*> known;
  for (const runner::Vocabulary* vocabulary : vocabularies)
    prepared.push_back(prepare_vocabulary(*vocabulary));
  for (const PreparedVocabulary& one : prepared) known.push_back(&one);
  PodBuilder builder{.c = choices, .vocabularies = known};
  draw_into(builder);
  return pod_of(builder);
}

}  // namespace fixpoint::generators
