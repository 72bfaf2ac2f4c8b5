#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/document/result.h"

namespace fixpoint::conformance {

/// A program that completes lines of vectors, as corpus/conformance/recorder does: requests on its standard
/// input, one answer for each on its standard output, in order. When it cannot be asked something it says so
/// with the line's id in brackets, and exits with a code that is not 0.
struct Recorder {
  std::vector<std::string> argv;
  double seconds_max = 120;  ///< for one batch, after which it is killed
  std::size_t answer_bytes_max = 1u << 30;
};

/// "CMD ARGUMENT …" split at blanks, without a shell.
std::vector<std::string> split_command(const std::string& command);

/// The answer to a request: the completed line, or the recorder's reason to refuse it.
struct Answered {
  std::string line = {};
  std::string refusal = {};
};

/// A request as it is sent.
struct Question {
  std::string id;
  std::string line;  ///< without its newline
};

/// How to treat a question on which the recorder dies: as an error that ends everything, or as one that the
/// recorder refuses.
enum class Death { is_an_error, is_a_refusal };

/// Sends all questions to one process; after a refused question, a new process gets the rest. An error, in
/// one line, for a program that cannot be started, dies, is too slow, or returns another number of lines.
document::Result<std::vector<Answered>> ask(const Recorder& recorder, const std::vector<Question>& questions,
                                            Death death);

}  // namespace fixpoint::conformance
