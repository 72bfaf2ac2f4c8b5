#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/finding.h"
#include "harness/document/json.h"
#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/program/options.h"
#include "harness/webhooks/reconciler.h"
#include "harness/webhooks/webhook.h"

/// The roof: one file per command, and what commands share.
namespace fixpoint::program {

using document::Result;
using document::Value;
using Arguments = std::vector<std::string>;

/// A row of the table of commands, which stands in fixpoint_main.cpp.
struct Command {
  std::string_view name;
  std::string_view sentence;
  int (*run)(const Arguments&);
  /// Instead of `run`, for those that speak of all commands.
  int (*run_on_all)(std::span<const Command>, const Arguments&) = nullptr;
};

// One function a command; each parses its own arguments and answers an exit code.
int fuzz(const Arguments& arguments);
int replay(const Arguments& arguments);
int shrink(const Arguments& arguments);
int admit(const Arguments& arguments);
int inject(const Arguments& arguments);
int default_pods(const Arguments& arguments);
int validate(const Arguments& arguments);
int patch(const Arguments& arguments);
int conform(const Arguments& arguments);
int bench(const Arguments& arguments);
int report(const Arguments& arguments);
int gate(const Arguments& arguments);
int bench_bugs(const Arguments& arguments);   ///< bench bugs
int bench_cases(const Arguments& arguments);  ///< bench cases
int list(const Arguments& arguments);
int explain(const Arguments& arguments);
int compare(const Arguments& arguments);
int advise(const Arguments& arguments);
int serve(const Arguments& arguments);
int live(const Arguments& arguments);
int corpus(const Arguments& arguments);
int version(const Arguments& arguments);
int man(std::span<const Command> commands, const Arguments& arguments);
int completion(std::span<const Command> commands, const Arguments& arguments);

/// What every command takes, those with subcommands followed by these ("corpus", "corpus add", …).
std::vector<Description> describe(std::span<const Command> commands);

/// How the program was called, for commands that it prints: "./fixpoint" or "fixpoint".
std::string invoked_as();

/// Prints one line on standard error and answers exit code 2.
int bad_input(const document::Error& error);
int bad_input(const std::string& message);
/// The same, with exit code 3.
int unfinished(const document::Error& error);

/// The documents of a file, or of standard input for "-".
Result<std::vector<Value>> read_documents(const std::string& path,
                                          document::Strictness strictness = document::Strictness::foreign,
                                          const Limits& limits = {});

/// A Case or a Sequence as it was stored: alone, or inside a Finding.
struct StoredCase {
  std::string place;  ///< file and document, for messages
  cases::Case value;
  std::optional<cases::Sequence> sequence = {};  ///< instead of `value`
  std::optional<cases::Finding> finding = {};
};
class Outside;
/// All Cases, Sequences and Findings of the files; the first problem ends it, and nothing runs. A URL or a
/// command that the command line did not allow is a problem, too.
Result<std::vector<StoredCase>> read_cases(const std::vector<std::string>& paths, const Outside& outside);

/// One document of them.
Result<StoredCase> read_stored_case(Value document, const std::string& place, const Outside& outside);

/// Resolves bundled injectors and reconcilers, for the runner.
webhooks::Resolve bundled();
webhooks::ResolveReconciler bundled_reconcilers();
/// An error text for an injector that is not bundled, for the reader of Cases.
cases::KnownInjector known_injectors();
/// The same for a reconciler, for the reader of Sequences.
cases::KnownInjector known_reconcilers();

/// Where the corpus lies: $FIXPOINT_CORPUS, else ./corpus.
std::string corpus_folder();

/// Seconds on a clock that only goes forward.
double now();

}  // namespace fixpoint::program
