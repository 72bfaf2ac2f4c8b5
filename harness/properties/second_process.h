#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/properties/property.h"

namespace fixpoint::properties {

struct FirstCall;

/// Makes the sentence of a violation from the path and the values of both answers.
using DifferenceSentence =
    std::function<std::string(const std::string& path, const std::string& first, const std::string& second)>;

/// Returns true if two calls failed alike, or gave the same object.
bool is_same_answer(const apiserver::CallResult& a, const apiserver::CallResult& b);

/// Returns the violation that two answers to one request differ, at the first place where they do.
Violation difference_of(const FirstCall& first, const apiserver::CallResult& one,
                        const apiserver::CallResult& other, const DifferenceSentence& because);

/// Returns a violation for each call of an admission that a second process of the webhook answers differently
/// from the first. A webhook that answers equal requests of one process in two ways is left to
/// `deterministic`.
std::vector<Violation> differences_of_second_processes(const Examination& examination,
                                                       const DifferenceSentence& because);

}  // namespace fixpoint::properties
