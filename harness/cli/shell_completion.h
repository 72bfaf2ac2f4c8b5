#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/command.h"
#include "harness/cli/options.h"

namespace fixpoint::cli {

/// A shell, and the function that writes a completion script for all commands, options and names of the
/// catalog.
struct Shell {
  std::string_view name;
  std::string (*write)(std::span<const Command>, const std::vector<Description>&);
};
const std::array<Shell, 3>& completed_shells();

}  // namespace fixpoint::cli
