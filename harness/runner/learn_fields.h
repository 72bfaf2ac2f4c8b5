#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/runner/subject.h"

namespace fixpoint::runner {

/// The words of a program's text that a field of a Pod may hold.
struct ProgramWords {
  std::span<const std::string> names;  ///< that it compares something with: s3-reader, edge, metrics
  std::span<const std::string> keys;   ///< DNS-prefix/name, which extended resources are called, too
};

/// Learns a rare trigger from each field of a Pod that a program names: switches are on or off, fields that
/// hold a name hold one of the program's, images have one as their tag, containers ask for its resources and
/// have ports of its names.
void learn_fields_of_program(Vocabulary& words, std::string_view text, const ProgramWords& program);

/// Learns rare triggers from fields by which webhooks commonly decide. For a webhook of which no text is
/// known: an executable, or a URL.
void learn_conventions(Vocabulary& words);

}  // namespace fixpoint::runner
