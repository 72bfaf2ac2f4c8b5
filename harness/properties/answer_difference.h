#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/properties/property.h"

namespace fixpoint::properties {

struct FirstCall;

/// Makes the sentence of a violation from the path and the values of both answers.
using DifferenceSentence =
    std::function<std::string(const std::string& path, const std::string& first, const std::string& second)>;

/// Returns true if two answers to one request differ in more than their time: one failed otherwise, or gave
/// another object.
bool differ(const apiserver::CallResult& one, const apiserver::CallResult& other);

/// Returns the violation that the answer to a webhook's first request differs from `other`, at the first
/// place where it does; `what` says how that call was made. Nothing if it does not, or if an equal request of
/// the first process is answered in two ways, too: that is left to `deterministic`.
std::optional<Violation> difference_of(const Examination& examination, const FirstCall& first,
                                       const apiserver::CallResult& other, const char* what,
                                       const DifferenceSentence& reason);

/// Returns a violation for each call of an admission that a second process of the webhook answers differently
/// from the first.
std::vector<Violation> differences_of_second_processes(const Examination& examination,
                                                       const DifferenceSentence& reason);

}  // namespace fixpoint::properties
