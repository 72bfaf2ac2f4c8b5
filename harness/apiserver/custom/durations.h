#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fixpoint::apiserver::custom {

/// Reads a text of the format duration, in nanoseconds: as Go's time.ParseDuration does, and else numbers
/// with the names of their units anywhere in the text, such as `3 weeks`
/// (kube-openapi/pkg/validation/strfmt duration.go ParseDuration).
std::optional<std::int64_t> read_duration_format(std::string_view text);

}  // namespace fixpoint::apiserver::custom
