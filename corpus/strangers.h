#pragma once

#include <string>
#include <vector>

#include "harness/document/result.h"

namespace fixpoint::corpus {

/// A small webhook that runs as a process and answers each line of standard input with a line of standard
/// output. A run knows only its configuration and its program.
struct Stranger {
  std::string name = {};
  std::string tool = {};                   ///< the tool that runs or builds the program: python3, node or go
  std::string program = {};                ///< the file that python3 or node runs; the main.go that go builds
  std::string argument = {};               ///< of the program: "fixed" for the repaired one, or empty
  std::string configuration = {};          ///< the file of its configuration
  std::vector<std::string> webhooks = {};  ///< keys of its webhooks: <configuration>/<webhook>
  bool is_right = false;                   ///< it causes no error, and no warning but of `warned`
  std::string why = {};                    ///< why it is right, or what a maintainer repairs
  std::vector<std::string> warned = {};    ///< of a right one: properties whose warnings are true of it
  std::vector<std::string> finds = {};  ///< of a wrong one: properties and kinds of observations that find it
  std::string example = {};             ///< the file of an example Pod, or empty
};

/// Reads catalog.yaml in a folder, a list with a row for each stranger, and the configurations that it names.
/// A wrong one with `fixed: true` is followed by a right one, NAME-fixed: its program with the argument
/// `fixed`, which repairs it. Returns the strangers sorted by name, or the first mistake: an unknown key, a
/// missing file, a right stranger with `finds`, or a wrong one without.
document::Result<std::vector<Stranger>> read_strangers(const std::string& folder);

}  // namespace fixpoint::corpus
