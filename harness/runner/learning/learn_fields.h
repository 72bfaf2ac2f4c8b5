#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/runner/learning/program_text.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::runner {

/// The volumes of a Pod that mounts a claim, as JSON.
inline constexpr const char* kClaimedVolume =
    R"([{"name":"data","persistentVolumeClaim":{"claimName":"data"}}])";

/// The words of a program's text that a field of a Pod may hold.
struct ProgramWords {
  std::span<const std::string> names;      ///< those that it compares values with: s3-reader, edge, metrics
  std::span<const std::string> resources;  ///< those of extended resources, DNS-prefix/name
};

/// Returns the path of the limit of a resource, a trigger of that field.
std::string limit_path(std::string_view resource);

/// Learns a rare trigger from each field of a Pod that a program names: switches are on or off, fields that
/// hold a name get one of the program's, images get one as their tag, containers request its resources, in
/// every spelling of a quantity, and have ports with its names.
void learn_fields_of_program(Vocabulary& words, std::span<const ProgramText> texts,
                             const ProgramWords& program);

/// Learns rare triggers from fields by which webhooks commonly decide, for a webhook without a known text: an
/// executable, or a URL.
void learn_conventions(Vocabulary& words);

}  // namespace fixpoint::runner
