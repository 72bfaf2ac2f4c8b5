#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/sequence.h"
#include "harness/document/result.h"
#include "harness/reconcile/reconciler.h"
#include "harness/runner/choices.h"

namespace fixpoint::injectors {

/// A reconciler that ships: what a Sequence is about, as an Injector is what a Case is about.
struct Reconciling {
  std::string_view name;                       ///< kserve/hpa
  std::string_view sentence;                   ///< what it does
  std::span<const std::string_view> releases;  ///< oldest first
  reconcile::Reconciler (*reconciler)(std::string_view release);
  /// Draws a Sequence for one of its releases; a function of the decisions alone.
  cases::Sequence (*draw)(runner::Choices& choices, const std::string& subject);
};

/// All bundled reconcilers, in the order of `list`.
std::span<const Reconciling> all_reconcilers();

/// Whether the name without its release is a reconciler's.
bool is_reconciler(std::string_view name);

/// "kserve/hpa@0.15.0", or without a release the newest, as its whole name.
document::Result<std::string> full_reconciler_name(std::string_view name);

/// A Sequence for one of these reconcilers, which are known by name and release.
cases::Sequence draw_sequence(runner::Choices& choices, const std::vector<std::string>& subjects);

/// The reconciler of that name. An error with a did-you-mean for anything else.
document::Result<reconcile::Reconciler> resolve_reconciler(std::string_view name);

}  // namespace fixpoint::injectors
