#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "harness/document/result.h"
#include "harness/reconcile/reconciler.h"

namespace fixpoint::injectors {

/// A reconciler that ships: what a Sequence is about, as an Injector is what a Case is about.
struct Reconciling {
  std::string_view name;                       ///< kserve/hpa
  std::string_view sentence;                   ///< what it does
  std::span<const std::string_view> releases;  ///< oldest first
  reconcile::Reconciler (*reconciler)(std::string_view release);
};

/// All bundled reconcilers, in the order of `list`.
std::span<const Reconciling> all_reconcilers();

/// Whether the name without its release is a reconciler's.
bool is_reconciler(std::string_view name);

/// "kserve/hpa@0.15.0", or without a release the newest, as its whole name.
document::Result<std::string> full_reconciler_name(std::string_view name);

/// The reconciler of that name. An error with a did-you-mean for anything else.
document::Result<reconcile::Reconciler> resolve_reconciler(std::string_view name);

}  // namespace fixpoint::injectors
