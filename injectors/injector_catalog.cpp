#include "injectors/injector_catalog.h"

#include <algorithm>
#include <array>

#include "harness/document/fields.h"
#include "injectors/defects/defects.h"
#include "injectors/kserve/kserve.h"
#include "injectors/reconcilers.h"
#include "injectors/releases.h"

namespace fixpoint::injectors {

/// Well-behaved neighbours: each is a no-op on its own output, in any position of the chain.
namespace peers {
Injector sidecar_guarded();
Injector sidecar_appended();
Injector metadata_and_volume();
}  // namespace peers

namespace {

std::vector<Injector> all_injectors() {
  std::vector<Injector> rows = kserve::pod_injectors();
  for (const auto peer : {peers::sidecar_guarded, peers::sidecar_appended, peers::metadata_and_volume})
    rows.push_back(peer());
  rows.insert(rows.end(), defects::rows().begin(), defects::rows().end());
  return rows;
}

struct Found {
  const Injector* injector;
  std::string_view release;
};

document::Result<Found> find(std::string_view name) {
  const std::string_view base = name.substr(0, name.find('@'));
  for (const Injector& injector : all()) {
    if (injector.name != base) continue;
    auto release = release_of(name, injector.releases);
    if (!release) return std::move(release).error();
    return Found{&injector, *release};
  }
  if (is_reconciler(name)) {
    return document::Error{std::string(base) +
                           " is a reconciler: it stands in a Sequence, behind no webhook"};
  }
  std::vector<std::string_view> names;
  for (const Injector& injector : all()) names.push_back(injector.name);
  for (const Reconciling& row : all_reconcilers()) names.push_back(row.name);
  const std::string hint = document::did_you_mean_suffix(base, names);
  return document::Error{
      "unknown injector \"" + std::string(name) + "\"" +
      (hint.empty() ? ", and no file or folder of that name: fixpoint list has the injectors" : hint)};
}

}  // namespace

std::string_view word(Role role) {
  constexpr std::array<std::string_view, 3> kWords{"subject", "peer", "defect"};
  return kWords[static_cast<std::size_t>(role)];
}

std::span<const Injector> all() {
  static const std::vector<Injector> joined = all_injectors();
  return joined;
}

document::Result<runner::Subject> find_subject(std::string_view name) {
  auto found = find(name);
  if (!found) return std::move(found).error();
  return found->injector->subject(found->release);
}

document::Result<webhooks::Handler> resolve(std::string_view name) {
  auto found = find(name);
  if (!found) return std::move(found).error();
  return found->injector->handler(found->release);
}

std::vector<std::string> family_of(std::string_view name) {
  const auto found = find(name);
  if (!found || found->injector->whole.empty()) return {};
  std::vector<std::string> family;
  for (const Injector& injector : all()) {
    const auto& releases = injector.releases;
    const bool is_there = std::find(releases.begin(), releases.end(), found->release) != releases.end();
    if (injector.whole == found->injector->whole && is_there)
      family.push_back(std::string(injector.name).append("@").append(found->release));
  }
  return family;
}

std::string_view caught_by(const Injector& injector) {
  if (injector.role != Role::defect) return {};
  const auto rows = defects::rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].name == injector.name) return defects::all()[i].caught_by;
  }
  return {};
}

std::vector<runner::Subject> newest(Role role) {
  // A peer beyond these is drawn only where it is named: one more in the list would shift what every seed
  // draws.
  constexpr std::array<std::string_view, 3> kDrawnPeers{"peers/sidecar-guarded", "peers/sidecar-appended",
                                                        "peers/metadata-and-volume"};
  const auto is_drawn = [&](const Injector& injector) {
    return injector.role != Role::peer ||
           std::find(kDrawnPeers.begin(), kDrawnPeers.end(), injector.name) != kDrawnPeers.end();
  };
  std::vector<runner::Subject> subjects;
  for (const Injector& injector : all()) {
    if (injector.role == role && is_drawn(injector)) {
      subjects.push_back(
          injector.subject(injector.releases.empty() ? std::string_view() : injector.releases.back()));
    }
  }
  return subjects;
}

std::vector<runner::Subject> default_chain() {
  std::vector<runner::Subject> chain;
  for (const char* name : {"kserve/pod-mutator", "peers/sidecar-guarded", "peers/metadata-and-volume"})
    chain.push_back(find_subject(name).value());
  return chain;
}

}  // namespace fixpoint::injectors
