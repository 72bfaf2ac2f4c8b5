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
    std::string name = {};   ///< --seed, or POD for a positional argument
    std::string value = {};  ///< the name of its value; empty for a flag
    std::string help = {};
    std::string group = {};  ///< the heading above it; empty for "Options"
    bool is_positional = false, is_required = false, repeats = false;
  };
  struct Subcommand {
    std::string name = {}, sentence = {};
  };
  std::string name = {}, sentence = {}, examples = {};
  std::vector<Option> options = {};
  std::vector<Subcommand> subcommands = {};
};

/// The command line of one command: options are declared first, then the arguments are parsed. A thin wrapper
/// around CLI11.
class Options {
 public:
  /// Begins the help with the sentence and the `examples`, one a line.
  Options(const std::string& command, const std::string& sentence, const std::string& examples);
  ~Options();
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  /// The name of an option with a value ends with that of the value, `--time DURATION`; a number's is N.
  void flag(const std::string& name, bool& into, const std::string& help);
  void value(const std::string& name, std::string& into, const std::string& help);
  void value(const std::string& name, std::vector<std::string>& into, const std::string& help);
  void value(const std::string& name, std::uint64_t& into, const std::string& help);
  void value(const std::string& name, std::optional<std::uint64_t>& into, const std::string& help);
  void value(const std::string& name, int& into, const std::string& help);
  void positional(const std::string& name, std::string& into, const std::string& help, bool is_required);
  void positionals(const std::string& name, std::vector<std::string>& into, const std::string& help);

  /// Puts the options that are declared from here on under a heading of the help. Returns the heading before.
  std::string group(std::string heading);

  /// Adds a subcommand to the help; parse() does not look for it.
  void subcommand(const std::string& name, const std::string& sentence);

  /// Parses the arguments. Returns nothing if the command is to run; otherwise the exit code, after the help
  /// or the error was printed.
  std::optional<int> parse(const std::vector<std::string>& arguments);

  /// Calls `run` and returns the descriptions of all command lines that it declares; parse() parses nothing
  /// meanwhile.
  static std::vector<Description> described(const std::function<void()>& run);

 private:
  struct Hidden;
  std::unique_ptr<Hidden> hidden_;
};

/// Returns the number of processors of this machine, at least 1: the default of `--jobs`.
int processors();

}  // namespace fixpoint::cli
