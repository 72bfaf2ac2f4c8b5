#include <algorithm>
#include <array>

#include "generators/pod/pod.h"
#include "generators/repertoire.h"

namespace fixpoint::generators {

namespace {

/// The player under its own name, or as a neighbour in its place and with its policies.
void join(Case& value, const Player& player, Choices& choices, bool is_peer) {
  Value configuration = player.subject.configuration;
  const std::string name = (is_peer ? choices.pick(kPlaces) : "") + player.configuration;
  if (is_peer) {
    configuration.edit("metadata").set("name", name);
    Value& webhooks = configuration.edit("webhooks");
    for (std::size_t i = 0; i < webhooks.size(); ++i) draw_policies(webhooks.edit(i), choices);
  }
  value.cluster.objects.push_back(std::move(configuration));
  for (const auto& [key, backend] : player.subject.webhooks) {
    value.webhooks.insert_or_assign(name + key.substr(player.configuration.size()), backend);
  }
  for (const Value& object : player.subject.objects) value.cluster.objects.push_back(object);
  for (const auto& alternatives : player.subject.vocabulary.objects) {
    const Value& chosen = choices.pick(alternatives);
    if (!chosen.is_null()) value.cluster.objects.push_back(chosen);
  }
}

bool is_in(const std::vector<const Player*>& chain, const Player& player) {
  return std::find(chain.begin(), chain.end(), &player) != chain.end();
}

/// The subject and its neighbours, of which none stands there twice.
std::vector<const Player*> draw_chain(Case& value, Choices& choices, const Repertoire::Prepared& prepared) {
  std::vector<const Player*> chain{&choices.pick(prepared.subjects)};
  join(value, *chain.front(), choices, false);
  if (prepared.options.has_all_peers) {
    for (const Player& peer : prepared.peers) {
      chain.push_back(&peer);
      join(value, peer, choices, true);
    }
    return chain;
  }
  const auto most =
      std::min<std::size_t>(prepared.peers.size(), static_cast<std::size_t>(prepared.options.peers_max));
  for (auto left = choices.below(most + 1); left > 0; --left) {
    const Player& peer = choices.pick(prepared.peers);
    if (is_in(chain, peer)) continue;
    chain.push_back(&peer);
    join(value, peer, choices, true);
  }
  return chain;
}

bool has_words(const Words& words) {
  return !words.containers.empty() || !words.labels.empty() || !words.annotations.empty() ||
         !words.volumes.empty() || !words.env.empty() || !words.init_containers.empty() ||
         !words.ports.empty() || !words.elements.empty() || !words.members.empty() ||
         !words.mount_paths.empty() || !words.port_names.empty();
}

Value draw_object(Case& value, Choices& choices, const std::vector<const Player*>& chain) {
  std::vector<const Words*> words;
  for (const Player* player : chain) {
    if (has_words(player->words)) words.push_back(&player->words);
  }
  Draft draft{.c = choices, .vocabularies = words, .namespace_name = value.request.namespace_name};
  draw_into(draft);
  for (Value& object : draft.objects) value.cluster.objects.push_back(std::move(object));
  return pod_of(draft);
}

}  // namespace

Case draw(Choices& choices, const Repertoire& repertoire) {
  Case value;
  if (choices.one_in(16)) value.request.namespace_name = choices.coin() ? "kserve" : "team-a";
  const auto chain = draw_chain(value, choices, *repertoire);
  value.request.object = draw_object(value, choices, chain);
  draw_cluster(value, choices);
  if (choices.one_in(16)) make_injected(value, choices.coin() ? *chain.front() : *chain.back(), choices);
  if (repertoire->options.has_updates && choices.one_in(10)) make_update(value, *chain.front(), choices);
  if (repertoire->options.has_faults) draw_faults(value, choices);
  return value;
}

Case draw(Choices& choices, const DrawOptions& options) { return draw(choices, Repertoire(options)); }

}  // namespace fixpoint::generators
