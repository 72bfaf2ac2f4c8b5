#include "injectors/reconcilers.h"

#include <algorithm>
#include <array>

#include "harness/document/check.h"
#include "harness/document/fields.h"
#include "injectors/injector_catalog.h"
#include "injectors/kserve/autoscaler/draw_autoscaler_sequence.h"
#include "injectors/kserve/hpa/hpa.h"
#include "injectors/kserve/hpa/hpa_releases.h"
#include "injectors/releases.h"

namespace fixpoint::injectors {

namespace {

constexpr auto kReconcilers = std::to_array<Reconciling>({
    {"kserve/hpa", "KServe: keeps the autoscaler of a component in a raw deployment.",
     kserve::hpa::kHpaReleases, kserve::hpa::reconciler, kserve::autoscaler::draw_autoscaler_sequence},
});

struct FoundReconciler {
  const Reconciling* row;
  std::string_view release;
};

document::Result<FoundReconciler> find_reconciler(std::string_view name) {
  const std::string_view base = name.substr(0, name.find('@'));
  std::vector<std::string_view> names;
  for (const Reconciling& row : kReconcilers) {
    names.push_back(row.name);
    if (row.name != base) continue;
    auto release = release_of(name, row.releases);
    if (!release) return std::move(release).error();
    return FoundReconciler{&row, *release};
  }
  return document::Error{"unknown reconciler \"" + std::string(name) + "\"" +
                         document::did_you_mean_suffix(base, names)};
}

}  // namespace

std::span<const Reconciling> all_reconcilers() { return kReconcilers; }

std::vector<Releases> all_releases() {
  std::vector<Releases> rows;
  for (const Injector& injector : all()) rows.push_back({injector.name, injector.releases});
  for (const Reconciling& row : kReconcilers) rows.push_back({row.name, row.releases});
  return rows;
}

bool is_reconciler(std::string_view name) {
  const std::string_view base = name.substr(0, name.find('@'));
  return std::any_of(kReconcilers.begin(), kReconcilers.end(),
                     [&](const Reconciling& row) { return row.name == base; });
}

document::Result<std::string> full_reconciler_name(std::string_view name) {
  auto found = find_reconciler(name);
  if (!found) return std::move(found).error();
  return std::string(found->row->name).append("@").append(found->release);
}

cases::Sequence draw_sequence(runner::Choices& choices, const std::vector<std::string>& subjects) {
  const std::string& subject = choices.pick(subjects);
  const auto found = find_reconciler(subject);
  document::check(found.ok(), "a Sequence is drawn for a bundled reconciler");
  return found->row->draw(choices, subject);
}

document::Result<reconcile::Reconciler> resolve_reconciler(std::string_view name) {
  auto found = find_reconciler(name);
  if (!found) return std::move(found).error();
  return found->row->reconciler(found->release);
}

}  // namespace fixpoint::injectors
