#pragma once

#include <vector>

#include "harness/cases/case.h"
#include "harness/runner/choices.h"
#include "harness/runner/subject.h"

namespace fixpoint::generators {

using cases::Case;
using document::Value;
using runner::Choices;
using runner::Subject;

/// Who may stand in a drawn chain.
struct DrawOptions {
  std::vector<Subject> subjects;  ///< one of them is in every Case
  std::vector<Subject> peers;     ///< 0 to peers_max of them stand before and behind it
  int peers_max = 3;
  bool has_faults = true;
};

/// The one function from decisions to a Case.
Case draw(Choices& choices, const DrawOptions& options);

/// A Pod as a client sends it, with what the vocabularies know in it: present, nearly present, or absent.
Value draw_pod(Choices& choices, const std::vector<const runner::Vocabulary*>& vocabularies);

}  // namespace fixpoint::generators
