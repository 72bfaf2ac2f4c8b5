#include <algorithm>
#include <array>

#include "generators/pod/draw_pod.h"
#include "generators/put_trigger.h"
#include "generators/repertoire.h"

namespace fixpoint::generators {

namespace {

/// Prefixes that sort a neighbour's name before or behind most names.
constexpr std::array<const char*, 6> kPlaces{"0-", "z-", "1-", "y-", "a-", "zz-"};

void draw_objects(Case& value, const Player& player, Choices& choices) {
  for (const auto& alternatives : player.subject.vocabulary.objects) {
    const Value& chosen = choices.pick(alternatives);
    if (!chosen.is_null()) value.cluster.objects.push_back(chosen);
  }
}

void join_subject(Case& value, const Player& player, Choices& choices) {
  join(value, player, player.subject.configuration);
  draw_objects(value, player, choices);
}

/// A neighbour in some place, with policies of its own.
void join_neighbour(Case& value, const Player& player, Choices& choices) {
  const std::string place = choices.pick(kPlaces);
  Value configuration = player.subject.configuration;
  Value& webhooks = configuration.edit("webhooks");
  for (std::size_t i = 0; i < webhooks.size(); ++i) draw_policies(webhooks.edit(i), choices);
  join(value, player, std::move(configuration), place);
  draw_objects(value, player, choices);
}

bool is_in(const std::vector<const Player*>& chain, const Player& player) {
  return std::find(chain.begin(), chain.end(), &player) != chain.end();
}

/// The other subjects, under their own names and with their own policies, as they would stand in a cluster;
/// of a name there is one configuration.
void join_other_subjects(Case& value, std::vector<const Player*>& chain, Choices& choices,
                         const Repertoire::Prepared& prepared) {
  for (const Player& other : prepared.subjects) {
    const bool is_there = std::any_of(chain.begin(), chain.end(), [&](const Player* player) {
      return player->configuration == other.configuration;
    });
    if (is_there) continue;
    chain.push_back(&other);
    join_subject(value, other, choices);
  }
}

/// The subject, in some Cases with the others, and its neighbours, each once.
std::vector<const Player*> draw_chain(Case& value, Choices& choices, const Repertoire::Prepared& prepared) {
  std::vector<const Player*> chain{&choices.pick(prepared.subjects)};
  join_subject(value, *chain.front(), choices);
  if (prepared.options.has_chains && choices.coin()) join_other_subjects(value, chain, choices, prepared);
  if (prepared.options.has_all_peers) {
    for (const Player& peer : prepared.peers) {
      chain.push_back(&peer);
      join_neighbour(value, peer, choices);
    }
    return chain;
  }
  const auto most =
      std::min<std::size_t>(prepared.peers.size(), static_cast<std::size_t>(prepared.options.peers_max));
  for (auto left = choices.below(most + 1); left > 0; --left) {
    const Player& peer = choices.pick(prepared.peers);
    if (is_in(chain, peer)) continue;
    chain.push_back(&peer);
    join_neighbour(value, peer, choices);
  }
  return chain;
}

bool has_triggers(const Words& words) {
  return !words.labels.empty() || !words.annotations.empty() || !words.fields.empty() ||
         !words.rare_labels.empty() || !words.rare_annotations.empty() || !words.rare_fields.empty();
}

bool has_words(const Words& words) {
  return has_triggers(words) || !words.containers.empty() || !words.volumes.empty() || !words.env.empty() ||
         !words.init_containers.empty() || !words.ports.empty() || !words.elements.empty() ||
         !words.members.empty() || !words.mount_paths.empty() || !words.port_names.empty();
}

/// The Pod: of an example with some features put in, or drawn from nothing.
Value draw_object(Case& value, Choices& choices, const std::vector<const Player*>& chain,
                  const Case* example) {
  std::vector<const Words*> words;
  for (const Player* player : chain) {
    if (has_words(player->words)) words.push_back(&player->words);
  }
  Draft draft{.c = choices, .vocabularies = words, .namespace_name = value.request.namespace_name};
  if (example == nullptr) {
    draw_into(draft);
  } else {
    draft.metadata = example->request.object["metadata"];
    draft.spec = example->request.object["spec"];
    draw_features(draft);
  }
  for (Value& object : draft.objects) value.cluster.objects.push_back(std::move(object));
  return pod_of(draft);
}

/// Of the subjects; that behind the last for a neighbour.
std::size_t number_of(const Repertoire::Prepared& prepared, const Player& player) {
  std::size_t number = 0;
  while (number < prepared.subjects.size() && &prepared.subjects[number] != &player) ++number;
  return number;
}

/// In a quarter of these Cases one trigger is drawn freely, absent in half of them: a branch in which the
/// subject fails, and so does not act, is one that users reach.
std::size_t free_trigger(Choices& choices, std::size_t triggers) {
  return triggers > 0 && choices.one_in(4) ? choices.below(triggers) : triggers;
}
std::size_t free_option(Choices& choices, const runner::Trigger& trigger) {
  return choices.coin() ? 0 : choices.below(trigger.values.size() + 1);
}

/// Now and then the subject's triggers are there, or are not, as made it act before.
void steer(Case& value, Choices& choices, const Player& subject, const runner::Steering& steering) {
  const auto way = steering.draw_way(choices);
  if (way == runner::Steering::Way::free) return;
  const std::size_t free = free_trigger(choices, subject.triggers.size());
  for (std::size_t i = 0; i < subject.triggers.size(); ++i) {
    const runner::Trigger& trigger = subject.triggers[i];
    put_trigger(value, trigger,
                i == free ? free_option(choices, trigger) : steering.draw_option(choices, trigger, i, way));
  }
}

}  // namespace

void join(Case& value, const Player& player, Value configuration, const std::string& place) {
  const std::string name = place + player.configuration;
  if (!place.empty()) configuration.edit("metadata").set("name", name);
  value.cluster.objects.push_back(std::move(configuration));
  for (const auto& [key, backend] : player.subject.webhooks)
    value.webhooks.insert_or_assign(name + key.substr(player.configuration.size()), backend);
  for (const Value& object : player.subject.objects) value.cluster.objects.push_back(object);
  if (!place.empty() && value.neighbours) value.neighbours->push_back(name);
}

Case draw(Choices& choices, const Repertoire& repertoire, std::span<const runner::Steering> steering) {
  if (auto beginning = draw_beginning(choices, repertoire)) return *std::move(beginning);
  Case value;
  value.neighbours.emplace();
  if (choices.one_in(16)) value.request.namespace_name = choices.coin() ? "kserve" : "team-a";
  const auto chain = draw_chain(value, choices, *repertoire);
  const Case* example = some_example(choices, *chain.front());
  if (example != nullptr)
    put_example(value, *example);
  else
    for (const Player* player : chain) draw_namespace(value, player->words, choices);
  value.request.object = draw_object(value, choices, chain, example);
  draw_cluster(value, choices);
  for (const Player* player : chain) draw_user(value, player->words, choices);
  for (const Player* player : chain) {
    const auto number = number_of(*repertoire, *player);
    if (number < steering.size()) steer(value, choices, *player, steering[number]);
  }
  if (choices.one_in(16)) make_injected(value, choices.coin() ? *chain.front() : *chain.back(), choices);
  if (repertoire->options.has_updates && choices.one_in(10)) make_update(value, *chain.front(), choices);
  if (repertoire->options.has_faults) draw_faults(value, choices);
  return value;
}

Case draw(Choices& choices, const DrawOptions& options) { return draw(choices, Repertoire(options)); }

}  // namespace fixpoint::generators
