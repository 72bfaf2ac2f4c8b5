#pragma once

#include <span>
#include <string_view>

#include "harness/runner/subject.h"
#include "harness/webhooks/webhook.h"
#include "injectors/injector_catalog.h"

/// Planted defects: webhooks that are wrong in one thing, each with a twin that is right for every Pod. What
/// real webhooks did wrong, in as few lines as show it. They measure the harness: each buggy twin must be
/// found, by the property that its row names, and nothing may be found on a fixed one.
namespace fixpoint::injectors::defects {

struct Defect {
  std::string_view name;       ///< env-without-guard; in the catalog defects/env-without-guard
  std::string_view sentence;   ///< what the buggy twin does
  std::string_view caught_by;  ///< the property that is expected to find it, or a kind of observation
  webhooks::Answer (*mutate)(const webhooks::Call& call, bool is_fixed);
  /// What makes it act, what it owns and promises, and what else its configuration says.
  void (*equip)(runner::Subject& subject);
};

// One table a file.
std::span<const Defect> append_defects();
std::span<const Defect> guard_defects();
std::span<const Defect> patch_defects();
std::span<const Defect> treatment_defects();
std::span<const Defect> value_defects();
std::span<const Defect> answer_defects();
std::span<const Defect> content_defects();
std::span<const Defect> given_value_defects();

/// All of them, in the order of `list`.
std::span<const Defect> all();

/// Their rows for the catalog of injectors; the releases are the twins `fixed` and `buggy`.
std::span<const Injector> rows();

}  // namespace fixpoint::injectors::defects
