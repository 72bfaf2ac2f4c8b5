#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/finding.h"
#include "harness/properties/packs/pack.h"
#include "harness/reconcile/reconciler.h"
#include "harness/runner/examine.h"

namespace fixpoint::runner {

/// The conclusion from running a stored Case, Sequence or Finding again (docs/judging.md#answers).
struct Answer {
  enum class Kind {
    still_failing,    ///< the property is violated as it was
    fails_otherwise,  ///< it is violated in another way, or a call fails that went well
    not_reached,      ///< the Case no longer leads to the question: the webhook does not act, or refuses
    not_applicable,   ///< the question does not apply to the webhook any more
    not_run,          ///< something is missing: the backend, the property, a feature of the simulator
    fixed,            ///< the property was decided in the way that showed it before, and holds
    holds,            ///< of a bare Case: a property was decided, and none is violated
  };
  Kind kind = Kind::not_run;
  std::string why = {};                      ///< one sentence; of `fixed` the change that fixed it, if known
  std::vector<cases::TraceStep> calls = {};  ///< the effect of each call, if a violation shows
  std::optional<properties::Violation> violation = {};  ///< the one that shows, of a Finding's Case
  bool is_by_configuration = false;  ///< of `fixed`: a change of the configuration fixed it, as `why` says
};
/// Returns "still failing", "fails otherwise", "not reached", "not applicable", "not run", "fixed" or
/// "holds".
std::string_view word(Answer::Kind kind);
/// Returns true if the Case fails, as it did or in another way.
bool is_failing(Answer::Kind kind);
/// Returns the answer as records keep it: the word alone for `still failing`, "fixed (by configuration: …)",
/// else the word and the reason.
std::string text_of(const Answer& answer);
/// Returns true for a word, or a text that text_of() made, that says that the finding is gone for good.
bool is_fixed(std::string_view text);
/// Returns true if such a text says that the Case fails, as it did or in another way.
bool is_failing(std::string_view text);
/// Returns true if such a text leaves open whether the finding is gone.
inline bool is_open(std::string_view text) { return !is_fixed(text) && !is_failing(text); }

/// The inputs of a replay beside the Case.
struct ReplayWith {
  webhooks::Resolve resolve = {};
  reconcile::ResolveReconciler resolve_reconciler = {};
  properties::Catalog catalog = {};
  Limits limits = {};
  /// Today's configurations of webhooks, and policies with their bindings: what they say of the requests that
  /// they get replaces what the Case says. Empty: the Case's own count.
  std::vector<document::Value> configurations = {};
};

/// Runs the Case or the Sequence of a finding again and judges it by the finding's own property. Every
/// command that concludes anything from a stored finding calls this function.
Answer answer_of(const cases::Finding& finding, const ReplayWith& with);

}  // namespace fixpoint::runner
