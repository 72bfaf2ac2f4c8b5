#pragma once

#include <string>
#include <vector>

#include "harness/campaign/release_gate.h"

namespace fixpoint::campaign {

/// The state that the parts of a gate share, and the verdict that they add to.
struct GateContext {
  const Policy& policy;
  const GateOptions& options;
  const external::ExternalWebhooks& outside;
  const generators::FindSubjects& find_subjects;
  FuzzObserver& observer;
  /// Files of nothing but definitions of custom resources: they belong to each subject, and are none.
  std::vector<std::string> definitions = {};
  GateVerdict verdict = {};

  /// Shows on a terminal what is judged now.
  void progress(const std::string& what) const;
  /// Adds a check to the record.
  void add_gate(const std::string& name, bool held);
  /// Returns the name with the files that belong to each subject, as a run's arguments have them.
  std::vector<std::string> with_definitions(const std::string& name) const;
};

inline const Unasked kCutShort{{"the gate was interrupted: there is no verdict"}, kInterrupted};

}  // namespace fixpoint::campaign
