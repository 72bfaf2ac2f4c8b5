#pragma once

#include <deque>
#include <set>
#include <string>
#include <tuple>

#include "harness/cases/case.h"
#include "harness/runner/learning/subject.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::generators {

/// The values of labels and annotations that were learned last: each is put into one object, so that what
/// the program asks of it leads to the next.
class FreshValues {
 public:
  /// Takes the values that the vocabulary had at no earlier call.
  void take(const runner::Vocabulary& vocabulary);
  /// Puts the next one into the Case's object.
  void put_next(cases::Case& value);

 private:
  using Where = runner::Trigger::Where;

  std::set<std::tuple<Where, std::string, std::string>> known_ = {};
  std::deque<runner::Trigger> next_ = {};  ///< each with one value
};

}  // namespace fixpoint::generators
