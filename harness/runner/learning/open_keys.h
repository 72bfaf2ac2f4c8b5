#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/runner/learning/program_lines.h"

namespace fixpoint::runner {

/// A key that a program joins from a prefix and the value of a variable: `notes[PREFIX + name]`. Its name is
/// a word that stands elsewhere in the program, which is a guess.
struct OpenKey {
  std::string prefix = {};       ///< agent.example.com/
  std::string name = {};         ///< proxyCPU, proxy-port
  std::string_view around = {};  ///< the line of the prefix
  std::string_view path = {};    ///< of the file with the word
  std::size_t line = 0;          ///< of the word, from 1
};

/// Returns the keys with the first such prefix of the program, in the order of its words; a few. Without one
/// they are made of settings that stand beside each other, a domain and a word.
std::vector<OpenKey> open_keys_of(const ProgramLines& lines);

}  // namespace fixpoint::runner
