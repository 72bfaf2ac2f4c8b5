#include "harness/campaign/run_reporter.h"

#include <algorithm>

#include "harness/cases/redaction.h"
#include "harness/document/shell_word.h"
#include "harness/runner/clock.h"
#include "reports/events.h"
#include "reports/text.h"

namespace fixpoint::campaign {

using document::Error;
using document::Value;

namespace {

/// Checkpoints take at most a twentieth of the time, and are at least this far apart.
constexpr double kCheckpointShare = 0.05, kSecondsBetweenCheckpoints = 0.05;

}  // namespace

void RunReporter::emit(const Value& event) {
  if (auto error = folder_.append(event)) lose(*error);
  observer_.event(event);
}

void RunReporter::found(const cases::Finding& finding) {
  auto saved = folder_.save(finding);
  if (!saved) return lose(saved.error());
  emit(reports::finding_event(finding));
  if (!options_.prints_all) return;
  observer_.paragraph(reports::finding_text(cases::redacted(finding),
                                            options_.program + " replay " + document::shell_word(*saved) +
                                                webhooks_.flags_to_replay(finding.value)));
}

void RunReporter::noted(const cases::Finding& finding) {
  emit(reports::note_event(finding));
  if (options_.prints_all) observer_.paragraph(reports::note_text(cases::redacted(finding)));
}

void RunReporter::round_ended(const runner::RunState& state) {
  unwritten_ = Checkpoint{.id = options_.from.id,
                          .arguments = options_.arguments,
                          .events_bytes = folder_.events_bytes(),
                          .state = state,
                          .start = start_};
  if (runner::now() < checkpoint_at_) return;
  const double begin = runner::now();
  write_last_checkpoint();
  checkpoint_at_ =
      runner::now() + std::max((runner::now() - begin) / kCheckpointShare, kSecondsBetweenCheckpoints);
}

void RunReporter::write_last_checkpoint() {
  if (!unwritten_) return;
  if (auto error = folder_.checkpoint(write_checkpoint(*unwritten_))) lose(*error);
  unwritten_.reset();
}

}  // namespace fixpoint::campaign
