#pragma once

#include <span>
#include <string_view>

#include "harness/runner/learning/subject.h"
#include "harness/webhooks/webhook.h"
#include "injectors/rows/injector.h"

/// Planted defects: webhooks that are wrong in one point, each with a fixed variant that is right for every
/// Pod. They repeat mistakes of real webhooks in as few lines as possible, and measure the harness: the
/// property that a row names must find its buggy variant, and nothing may be found on the fixed one.
namespace fixpoint::injectors::defects {

/// A row of a table, behind the function that it names:
///
///     Answer labels_replaced(const Call& call, bool is_fixed) {
///       return changed(call, [&](Value& pod) { … });
///     }
///     {"labels-replaced", "Replaces the user's labels.", "preserves-others", labels_replaced, no_setup},
struct Defect {
  std::string_view name;       ///< env-without-guard; the catalog has defects/env-without-guard
  std::string_view sentence;   ///< the effect of the buggy variant
  std::string_view caught_by;  ///< the property that must find it, or a kind of observation
  webhooks::Answer (*mutate)(const webhooks::Call& call, bool is_fixed);
  /// Sets the subject's objects and vocabulary, the paths that it owns, its promises, and the rest of its
  /// configuration.
  void (*equip)(runner::Subject& subject);
};

// One table per file.
std::span<const Defect> append_defects();
std::span<const Defect> guard_defects();
std::span<const Defect> patch_defects();
std::span<const Defect> treatment_defects();
std::span<const Defect> value_defects();
std::span<const Defect> answer_defects();
std::span<const Defect> content_defects();
std::span<const Defect> given_value_defects();
std::span<const Defect> unseen_defects();
std::span<const Defect> policy_defects();
std::span<const Defect> custom_resource_defects();
std::span<const Defect> workload_defects();

/// Returns all planted defects, in the order of `list`.
std::span<const Defect> all();

/// Returns their rows for the catalog of injectors; the releases are the variants `fixed` and `buggy`.
std::span<const Injector> rows();

}  // namespace fixpoint::injectors::defects
