#pragma once

#include <string>
#include <vector>

#include "harness/document/result.h"

namespace fixpoint::corpus {

/// A small webhook that runs as a process and answers a line of standard input with one of standard output. A
/// run knows its configuration and its program only.
struct Stranger {
  std::string name = {};
  std::string tool = {};                   ///< the tool that runs or builds the program: python3, node or go
  std::string program = {};                ///< the file that python3 or node runs; the main.go that go builds
  std::string configuration = {};          ///< the file beside it
  std::vector<std::string> webhooks = {};  ///< of the configuration: <configuration>/<webhook>
  bool is_right = false;                   ///< it has no error and no warning
  std::string why = {};                    ///< the reason why it is right, or the repair by a maintainer
  std::vector<std::string> finds =
      {};                    ///< for a wrong one: properties and kinds of observations that find it
  std::string example = {};  ///< the file of a Pod to begin with, or empty
};

/// Reads catalog.yaml of a folder, a list with a row for each stranger, in order of their names, and the
/// configurations that it names. The first mistake is the error: an unknown key, a file that is not there, a
/// right one with `finds`, a wrong one without.
document::Result<std::vector<Stranger>> read_strangers(const std::string& folder);

}  // namespace fixpoint::corpus
