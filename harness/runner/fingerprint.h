#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace fixpoint::runner {

/// Twelve hexadecimal digits made from the parts of a finding's identity (docs/judging.md#fingerprint).
std::string fingerprint_of(std::initializer_list<std::string_view> parts);

}  // namespace fixpoint::runner
