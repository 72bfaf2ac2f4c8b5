#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/document/result.h"

namespace fixpoint::conformance {

/// A program that completes lines of vectors, as corpus/conformance/recorder does: it reads requests from its
/// standard input and writes one answer for each to its standard output, in order. To refuse a request, it
/// prints the reason with the line's id in brackets on standard error, and exits with a code other than 0.
struct Recorder {
  std::vector<std::string> argv;
  double seconds_max = 120;  ///< for one batch, after which it is killed
  std::size_t answer_bytes_max = 1u << 30;
};

/// Splits "CMD ARGUMENT …" at blanks; quotes have no meaning.
std::vector<std::string> split_command(const std::string& command);

/// The answer to a request: the completed line, or the recorder's reason to refuse it.
struct Answered {
  std::string line = {};
  std::string refusal = {};
};

/// A request to the recorder.
struct Question {
  std::string id;
  std::string line;  ///< without its newline
};

/// How to treat a request on which the recorder dies: as an error that ends everything, or as a request that
/// the recorder refuses.
enum class Death { is_an_error, is_a_refusal };

/// Sends all requests to one process; after a refused request, a new process gets the rest. An error, in one
/// line, if the program cannot be started, dies, is too slow, or returns another number of lines.
document::Result<std::vector<Answered>> ask(const Recorder& recorder, const std::vector<Question>& questions,
                                            Death death);

}  // namespace fixpoint::conformance
