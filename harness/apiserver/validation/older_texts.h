#pragma once

#include <string>

namespace fixpoint::apiserver::validation {

/// The message of an error as a minor says it: a text that changed has its former words.
std::string as_said_in(int minor, std::string message);

}  // namespace fixpoint::apiserver::validation
