#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace fixpoint::runner {

/// Twelve hexadecimal digits out of the parts of a finding's identity (decisions.md, Fingerprint).
std::string fingerprint_of(std::initializer_list<std::string_view> parts);

}  // namespace fixpoint::runner
