#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/campaign/exit_code.h"

namespace fixpoint::cli {

using campaign::ExitCode;
using enum campaign::ExitCode;

/// The arguments of a command, for its help, the manual and completions.
struct Description {
  struct Option {
    std::string name = {};   ///< --seed, or POD for a positional one
    std::string value = {};  ///< the name of its value; empty for a flag
    std::string help = {};
    bool is_positional = false, is_required = false, repeats = false;
  };
  struct Subcommand {
    std::string name = {}, sentence = {};
  };
  std::string name = {}, sentence = {}, examples = {};
  std::vector<Option> options = {};
  std::vector<Subcommand> subcommands = {};
};

/// The command line of one command: what it takes is said first, then it is parsed. A thin wall around the
/// library that does it.
class Options {
 public:
  /// `examples` stand first in the help, one a line.
  Options(const std::string& command, const std::string& sentence, const std::string& examples);
  ~Options();
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  void flag(const std::string& name, bool& into, const std::string& help);
  void value(const std::string& name, std::string& into, const std::string& help);
  void value(const std::string& name, std::vector<std::string>& into, const std::string& help);
  void value(const std::string& name, std::uint64_t& into, const std::string& help);
  void value(const std::string& name, std::optional<std::uint64_t>& into, const std::string& help);
  void value(const std::string& name, int& into, const std::string& help);
  void positional(const std::string& name, std::string& into, const std::string& help, bool is_required);
  void positionals(const std::string& name, std::vector<std::string>& into, const std::string& help);

  /// A command of its own behind this one; only said, not parsed.
  void subcommand(const std::string& name, const std::string& sentence);

  /// Nothing when the command is to run; else the exit code, after the help or the error was printed.
  std::optional<int> parse(const std::vector<std::string>& arguments);

  /// Calls `run`, whose command lines say into the result what they take, and are not parsed.
  static std::vector<Description> described(const std::function<void()>& run);

 private:
  struct Hidden;
  std::unique_ptr<Hidden> hidden_;
};

/// The processors that this machine has, at least 1: the default of `--jobs`.
int processors();

}  // namespace fixpoint::cli
