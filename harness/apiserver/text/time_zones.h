#pragma once

#include <string_view>

namespace fixpoint::apiserver {

/// Returns true for the name of a time zone in the IANA data of 2025 that Go's runtime has in it.
bool is_time_zone(std::string_view name);

}  // namespace fixpoint::apiserver
