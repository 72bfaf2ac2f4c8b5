#include "injectors/injector_catalog.h"

#include <algorithm>
#include <array>

#include "harness/document/fields.h"
#include "injectors/defects/defects.h"
#include "injectors/kserve/kserve.h"
#include "injectors/peers/peers.h"
#include "injectors/reconcilers.h"
#include "injectors/releases.h"

namespace fixpoint::injectors {

namespace {

std::vector<Injector> subjects_and_peers() {
  return {
      {"kserve/pod-mutator", "KServe: the whole webhook for Pods, all injectors in their order.",
       Role::subject, kserve::kReleases, kserve::pod_mutator_subject, kserve::pod_mutator_handler},
      {"kserve/accelerator", "KServe: selects nodes with the GPU that an annotation names.", Role::subject,
       kserve::kReleases, kserve::accelerator_subject, kserve::accelerator_handler},
      {"kserve/storage-initializer", "KServe: downloads the model in an init container, or mounts its claim.",
       Role::subject, kserve::kReleases, kserve::storage_initializer_subject,
       kserve::storage_initializer_handler},
      {"kserve/istio-cni", "KServe: runs the storage initializer as Istio's sidecar does.", Role::subject,
       kserve::kReleasesFrom0120, kserve::istio_cni_subject, kserve::istio_cni_handler},
      {"kserve/agent", "KServe: adds the agent that logs, batches and pulls models.", Role::subject,
       kserve::kReleases, kserve::agent_subject, kserve::agent_handler},
      {"kserve/metrics-aggregator", "KServe: aggregates the metrics of queue-proxy and the model server.",
       Role::subject, kserve::kReleases, kserve::metrics_subject, kserve::metrics_handler},
      {"kserve/modelcar", "KServe: serves a model from an OCI image in a sidecar.", Role::subject,
       kserve::kReleasesFrom0120, kserve::modelcar_subject, kserve::modelcar_handler},
      {"peers/sidecar-guarded",
       "Adds a proxy sidecar, unless the Pod has it.",
       Role::peer,
       {},
       peers::guarded_subject,
       peers::guarded_handler},
      {"peers/sidecar-appended",
       "Appends a log shipper behind all other containers, and keeps it last.",
       Role::peer,
       {},
       peers::appended_subject,
       peers::appended_handler},
      {"peers/metadata-and-volume",
       "Labels the Pod and gives every container a scratch volume.",
       Role::peer,
       {},
       peers::metadata_subject,
       peers::metadata_handler},
  };
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
  return document::Error{"unknown injector \"" + std::string(name) + "\"" +
                         document::did_you_mean_suffix(base, names)};
}

}  // namespace

std::string_view word(Role role) {
  constexpr std::array<std::string_view, 3> kWords{"subject", "peer", "defect"};
  return kWords[static_cast<std::size_t>(role)];
}

std::span<const Injector> all() {
  static const std::vector<Injector> joined = [] {
    std::vector<Injector> rows = subjects_and_peers();
    rows.insert(rows.end(), defects::rows().begin(), defects::rows().end());
    return rows;
  }();
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

std::string_view caught_by(const Injector& injector) {
  if (injector.role != Role::defect) return {};
  const auto rows = defects::rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].name == injector.name) return defects::all()[i].caught_by;
  }
  return {};
}

std::vector<runner::Subject> newest(Role role) {
  std::vector<runner::Subject> subjects;
  for (const Injector& injector : all()) {
    if (injector.role == role) {
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
