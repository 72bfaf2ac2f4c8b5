#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/runner/subject.h"

namespace fixpoint::runner {

/// What a program's text has beside the fields of a Pod that it names.
struct ProgramWords {
  std::span<const std::string> names;  ///< that it compares something with: s3-reader, edge, metrics
  std::span<const std::string> keys;   ///< DNS-prefix/name, which extended resources are called, too
};

/// From the fields of a Pod that a program names, each a rare trigger: switches are on or off, fields that
/// hold a name hold one of the program's, images have one as their tag, containers ask for its resources and
/// have ports of its names.
void learn_fields_of_program(Vocabulary& words, std::string_view text, const ProgramWords& program);

/// What webhooks decide by that are no labels or annotations, as rare triggers: for a webhook of which
/// nothing else is known, an executable or a URL.
void learn_conventions(Vocabulary& words);

}  // namespace fixpoint::runner
