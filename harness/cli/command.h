#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/campaign/run_folder.h"
#include "harness/cli/options.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

/// The command line: one file per command, and the code that several commands share.
namespace fixpoint::cli {

using document::Result;
using document::Value;
using Arguments = std::vector<std::string>;

/// A row of the table of commands in fixpoint_main.cpp.
struct Command {
  std::string_view name;
  std::string_view sentence;
  int (*run)(const Arguments&);
  /// Runs instead of `run` for a command that needs the whole table, such as `man`.
  int (*run_on_all)(std::span<const Command>, const Arguments&) = nullptr;
};

// Each command is one function, which parses its own arguments and returns an exit code.
int demo(const Arguments& arguments);
int fuzz(const Arguments& arguments);
int replay(const Arguments& arguments);
int shrink(const Arguments& arguments);
int admit(const Arguments& arguments);
int inject(const Arguments& arguments);
int evaluate(const Arguments& arguments);  ///< eval
int default_pods(const Arguments& arguments);
int validate(const Arguments& arguments);
int patch(const Arguments& arguments);
int conform(const Arguments& arguments);
int bench(const Arguments& arguments);
int report(const Arguments& arguments);
int gate(const Arguments& arguments);
int bench_cases(const Arguments& arguments);  ///< bench cases
int bench_load(const Arguments& arguments);   ///< bench load
int list(const Arguments& arguments);
int explain(const Arguments& arguments);
int compare(const Arguments& arguments);
int advise(const Arguments& arguments);
int serve(const Arguments& arguments);
int live(const Arguments& arguments);
int init(const Arguments& arguments);
int cluster(const Arguments& arguments);  ///< show_cluster.cpp
int corpus(const Arguments& arguments);
int version(const Arguments& arguments);
int man(std::span<const Command> commands, const Arguments& arguments);
int completion(std::span<const Command> commands, const Arguments& arguments);

/// Returns the description of every command; the subcommands of a command follow it ("corpus", "corpus add",
/// …).
std::vector<Description> describe(std::span<const Command> commands);

/// Returns the name under which the program was called, for commands that it prints: "./fixpoint" or
/// "fixpoint".
std::string invoked_as();

/// Prints the error as one line on standard error and returns exit code 2.
int bad_input(const document::Error& error);
/// Prints one line for each error and returns exit code 2.
int bad_input(const std::vector<document::Error>& errors);
int bad_input(const std::string& message);
/// Prints why the folder of a run could not be opened, and returns the exit code for that reason.
int unopened_folder(const campaign::Unopened& unopened);
/// Prints the error as one line on standard error and returns exit code 3.
int unfinished(const document::Error& error);

}  // namespace fixpoint::cli
