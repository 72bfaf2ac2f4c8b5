#include "injectors/reconcilers.h"

#include <algorithm>
#include <array>

#include "harness/document/fields.h"
#include "injectors/kserve/hpa/hpa.h"
#include "injectors/kserve/hpa/releases.h"

namespace fixpoint::injectors {

namespace {

constexpr std::array<Reconciling, 1> kReconcilers{{
    {"kserve/hpa", "KServe: keeps the autoscaler of a component in a raw deployment.",
     kserve::hpa::kHpaReleases, kserve::hpa::reconciler},
}};

struct Found {
  const Reconciling* row;
  std::string_view release;
};

document::Result<Found> find(std::string_view name) {
  const auto at = name.find('@');
  const std::string_view base = name.substr(0, at);
  std::vector<std::string_view> names;
  for (const Reconciling& row : kReconcilers) {
    names.push_back(row.name);
    if (row.name != base) continue;
    if (at == std::string_view::npos) return Found{&row, row.releases.back()};
    const auto known = std::find(row.releases.begin(), row.releases.end(), name.substr(at + 1));
    if (known != row.releases.end()) return Found{&row, *known};
    std::string list;
    for (std::string_view one : row.releases) list.append(list.empty() ? "" : ", ").append(one);
    return document::Error{"unknown release \"" + std::string(name.substr(at + 1)) + "\" of " +
                           std::string(base) + ", expected one of " + list};
  }
  return document::Error{"unknown reconciler \"" + std::string(name) + "\"" +
                         document::did_you_mean_suffix(base, names)};
}

}  // namespace

std::span<const Reconciling> all_reconcilers() { return kReconcilers; }

bool is_reconciler(std::string_view name) {
  const std::string_view base = name.substr(0, name.find('@'));
  return std::any_of(kReconcilers.begin(), kReconcilers.end(),
                     [&](const Reconciling& row) { return row.name == base; });
}

document::Result<std::string> full_reconciler_name(std::string_view name) {
  auto found = find(name);
  if (!found) return std::move(found).error();
  return std::string(found->row->name).append("@").append(found->release);
}

document::Result<webhooks::Reconciler> resolve_reconciler(std::string_view name) {
  auto found = find(name);
  if (!found) return std::move(found).error();
  return found->row->reconciler(found->release);
}

}  // namespace fixpoint::injectors
