#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/command.h"
#include "harness/cli/options.h"

namespace fixpoint::cli {

/// A shell, and its completion of all commands, options and names of the catalog as a script.
struct Shell {
  std::string_view name;
  std::string (*write)(std::span<const Command>, const std::vector<Description>&);
};
const std::array<Shell, 3>& completed_shells();

}  // namespace fixpoint::cli
