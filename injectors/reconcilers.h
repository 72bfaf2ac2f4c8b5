#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/sequence.h"
#include "harness/document/result.h"
#include "harness/reconcile/reconciler.h"
#include "harness/runner/learning/choices.h"

namespace fixpoint::injectors {

/// A reconciler that ships with the program. It is the subject of Sequences, as an Injector is of Cases.
struct Reconciling {
  std::string_view name;                       ///< kserve/hpa
  std::string_view sentence;                   ///< its effect
  std::span<const std::string_view> releases;  ///< oldest first
  reconcile::Reconciler (*reconciler)(std::string_view release);
  /// Draws a Sequence for one of its releases from the decisions alone.
  cases::Sequence (*draw)(runner::Choices& choices, const std::string& subject);
};

/// Returns all bundled reconcilers, in the order of `list`.
std::span<const Reconciling> all_reconcilers();

/// A bundled injector or reconciler with its releases, oldest first.
struct Releases {
  std::string_view subject;
  std::span<const std::string_view> all;
};
/// Returns all injectors, then all reconcilers.
std::vector<Releases> all_releases();

/// Returns true if the name, without its release, is that of a reconciler.
bool is_reconciler(std::string_view name);

/// Returns the full name, "kserve/hpa@0.15.0"; the newest release if the name has none.
document::Result<std::string> full_reconciler_name(std::string_view name);

/// Draws a Sequence for one of these reconcilers, given by name and release.
cases::Sequence draw_sequence(runner::Choices& choices, const std::vector<std::string>& subjects);

/// Returns the reconciler of that name. Any other name is an error that suggests a similar name.
document::Result<reconcile::Reconciler> resolve_reconciler(std::string_view name);

}  // namespace fixpoint::injectors
