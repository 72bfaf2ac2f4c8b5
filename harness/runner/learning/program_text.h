#pragma once

#include <string>

namespace fixpoint::runner {

/// A text file of a program, or of its sources.
struct ProgramText {
  std::string path = {};  ///< as it is shown to the user
  std::string text = {};
  bool is_data = false;  ///< a document that the program reads: its configuration
};

}  // namespace fixpoint::runner
