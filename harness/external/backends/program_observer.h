#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/result.h"
#include "harness/external/backends/private_folder.h"

namespace fixpoint::external {

/// Sees what programs look up in their requests, while a run learns: the interpreters of Python and Node load
/// an observer before the program (harness/webhooks/observers). Programs in other languages do not notice it.
class ProgramObserver {
 public:
  static document::Result<std::shared_ptr<ProgramObserver>> make();
  explicit ProgramObserver(std::shared_ptr<PrivateFolder> folder) : folder_(std::move(folder)) {}

  /// Returns NAME=VALUE for the processes to observe; what this program's own environment says of the
  /// interpreters is kept.
  std::vector<std::string> environment() const;
  /// Returns the whole lines that processes wrote since the last time, as learn_from_observed() reads them.
  std::string take_lines();
  /// Returns true if an interpreter has loaded an observer.
  bool has_begun() const { return read_ > 0; }

 private:
  std::shared_ptr<PrivateFolder> folder_;
  std::size_t read_ = 0;
};

// The texts of the observers, which the build embeds.
std::string_view python_observer();  ///< sitecustomize.py
std::string_view node_observer();    ///< observer.js

}  // namespace fixpoint::external
