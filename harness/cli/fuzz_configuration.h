#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "harness/cli/command.h"

namespace fixpoint::cli {

/// The policy file that is read where the command line names none.
inline constexpr const char* kConfigurationFile = "fixpoint.yaml";

/// The settings of a run of `fuzz` in a policy file.
struct Configured {
  Arguments arguments = {};     ///< as on a command line, without those that it gives itself
  bool names_subjects = false;  ///< the subjects come from the file
  bool names_webhooks = false;  ///< the backends of webhooks come from the file
};

/// Reads subjects, webhooks, examples, code, owns, budget and failOn of a policy file and of one
/// of its profiles. What the command line gives, the file does not say: `given` has its options, and
/// `has_subjects` is true if it names subjects.
std::variant<Configured, std::vector<document::Error>> read_configuration(const std::string& file,
                                                                          const std::string& profile,
                                                                          const Arguments& given,
                                                                          bool has_subjects);

}  // namespace fixpoint::cli
