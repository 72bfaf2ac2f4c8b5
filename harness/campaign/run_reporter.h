#pragma once

#include <atomic>
#include <optional>

#include "harness/campaign/checkpoint.h"
#include "harness/campaign/fuzz_run.h"
#include "harness/campaign/run_folder.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/runner/loop/run.h"

namespace fixpoint::campaign {

/// Writes every event to the run's folder before it passes the event to the observer.
class RunReporter : public runner::Listener {
 public:
  RunReporter(const FuzzOptions& options, RunFolder& folder, const external::ExternalWebhooks& webhooks,
              const document::Value& start, FuzzObserver& observer)
      : options_(options), folder_(folder), webhooks_(webhooks), start_(start), observer_(observer) {}

  void emit(const document::Value& event);
  void found(const cases::Finding& finding) override;
  void noted(const cases::Finding& finding) override;
  void progress(const runner::RunSummary& summary, double seconds) override {
    observer_.progress(summary, seconds);
  }
  void round_ended(const runner::RunState& state) override;
  /// Writes the checkpoint of the last whole round, so that equal runs leave equal checkpoints however fast
  /// the machine is.
  void write_last_checkpoint();
  FuzzObserver& observer() { return observer_; }
  /// Returns true if the folder could not be written: then the run has no reason to continue.
  bool is_lost() const { return is_lost_; }

 private:
  void lose(const document::Error& error) {
    if (!is_lost_.exchange(true)) observer_.complain(error.text());
  }

  const FuzzOptions& options_;
  RunFolder& folder_;
  const external::ExternalWebhooks& webhooks_;
  const document::Value start_;
  FuzzObserver& observer_;
  std::optional<Checkpoint> unwritten_ = {};
  double checkpoint_at_ = 0;
  std::atomic<bool> is_lost_{false};
};

}  // namespace fixpoint::campaign
