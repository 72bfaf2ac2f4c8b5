#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generators/draw.h"
#include "harness/api/fixpoint.h"
#include "harness/cases/case.h"
#include "harness/cases/finding.h"
#include "harness/document/result.h"
#include "harness/runner/learning/subject.h"
#include "harness/runner/loop/run.h"

namespace fixpoint {

namespace api {

/// A run of `check` before its first Case.
struct PreparedRun {
  runner::RunOptions options;
  generators::DrawOptions draws;  ///< after learning
};

}  // namespace api

/// A webhook of the caller's program, with the runs that were prepared for it.
struct Webhook::Hidden {
  /// Of bundled injectors: all, or the one of that name.
  Hidden();
  explicit Hidden(const std::string& injector);
  Hidden(const std::string& manifest, ReviewHandler answers);

  /// The run whose Cases draw_case draws, with seed 1 for what is learned before. Throws
  /// std::invalid_argument if the configuration cannot be used.
  const runner::RunOptions& run() const;
  /// The webhooks that it draws, for mutations.
  const generators::DrawContext& draw_context() const;

  ReviewHandler handler = {};  ///< none: bundled injectors answer
  document::Result<std::vector<runner::Subject>> subjects;
  /// Returns the webhook under test; nullptr if there are several. Throws std::invalid_argument if its
  /// configuration cannot be used.
  const runner::Subject* subject() const;

  std::mutex reports_mutex = {};
  std::deque<std::pair<CheckOptions, CheckReport>> reports = {};  ///< references to elements stay valid

 private:
  mutable std::once_flag is_prepared_ = {};
  mutable runner::RunOptions run_ = {};
  mutable std::optional<generators::DrawContext> draw_context_ = {};
};

namespace api {

/// The backend that stands for the caller's handler in Cases; only the resolver of its run can call it.
const cases::Command& in_process();

/// Prepares a run of `check`.
document::Result<PreparedRun> run_of(const Webhook::Hidden& webhook, const CheckOptions& options);

/// Returns a finding as the caller gets it.
CheckFinding finding_of(const cases::Finding& finding);

/// Returns the Case in which the webhook is under test (Case::with_webhook).
cases::Case with_webhook(cases::Case value, const Webhook& webhook);

}  // namespace api

}  // namespace fixpoint
