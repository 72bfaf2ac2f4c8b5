#pragma once

#include <optional>
#include <string_view>

#include "harness/apiserver/decoding/timestamp.h"

namespace fixpoint::apiserver {

/// Returns true if the text has the format that a schema names, as the server's registry of formats reads it
/// (kube-openapi/pkg/validation/strfmt, with the expressions of govalidator). A format that the server does
/// not know, in any minor or in that one, is met by any text. `duration` is asked of read_duration_format.
bool has_format(std::string_view text, std::string_view format, int minor);

/// Returns true for a format of texts that a server of the minor knows.
bool is_string_format(std::string_view format, int minor);

/// Reads `2026-01-02`.
std::optional<Timestamp> read_date_format(std::string_view text);
/// Reads a date and a time as the format date-time admits them: any case of T and Z.
std::optional<Timestamp> read_date_time_format(std::string_view text);

}  // namespace fixpoint::apiserver
