#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/properties/property.h"

namespace fixpoint::properties {

/// Returns a violation for each call of an admission that a second process of the webhook answers differently
/// from the first. A webhook that answers equal requests of one process in two ways is left to
/// `deterministic`. `because` makes the sentence from the path and both values.
using DifferenceSentence =
    std::function<std::string(const std::string& path, const std::string& first, const std::string& second)>;
std::vector<Violation> differences_of_second_processes(const Examination& examination,
                                                       const DifferenceSentence& because);

}  // namespace fixpoint::properties
