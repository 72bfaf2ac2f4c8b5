#pragma once

#include <map>
#include <string>
#include <string_view>

#include "harness/document/value.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::generators {

/// The values of labels and annotations on which a program crashes and which its last words quote. One of
/// each key shows the crash; each further one would cost every Case that has it a start of the program.
class CrashingValues {
 public:
  /// Takes an object and the words of the program that crashed on it: takes a second value of a key out of
  /// the vocabulary.
  void take(runner::Vocabulary& vocabulary, const document::Value& object, std::string_view words);

 private:
  std::map<std::string, std::string> first_ = {};  ///< by key
};

}  // namespace fixpoint::generators
