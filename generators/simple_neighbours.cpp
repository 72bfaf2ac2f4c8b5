#include "generators/simple_neighbours.h"

#include <algorithm>
#include <array>
#include <variant>
#include <vector>

#include "generators/draw_context.h"
#include "harness/document/check.h"

namespace fixpoint::generators {

namespace {

constexpr std::array<std::string_view, 9> kNames{
    "container-behind",   "volume",      "init-container", "label", "annotation", "native-sidecar",
    "container-in-front", "environment", "resources"};

}  // namespace

std::span<const SimpleNeighbour> simple_neighbours() {
  static const std::vector<SimpleNeighbour> all = [] {
    const std::vector<Subject> peers = script_peers();
    std::vector<SimpleNeighbour> made;
    for (const std::string_view name : kNames) {
      const auto peer = std::find_if(peers.begin(), peers.end(), [&](const Subject& one) {
        return one.configuration["metadata"]["name"].text() == name;
      });
      document::check(peer != peers.end() && peer->webhooks.size() == 1,
                      "a plain neighbour is a script peer");
      const auto& [key, backend] = *peer->webhooks.begin();
      made.push_back({std::string(name), peer->configuration, key, std::get<cases::Script>(backend)});
    }
    return made;
  }();
  return all;
}

std::optional<std::size_t> simplicity_rank(const cases::Script& script) {
  const auto all = simple_neighbours();
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].script.source == script.source) return rank;
  }
  return {};
}

}  // namespace fixpoint::generators
