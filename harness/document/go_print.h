#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "harness/document/value.h"

namespace fixpoint::document {

/// A value of decoded JSON as Go's `%v` prints it: map[a:1 b:[x <nil>]]. `own_text` is asked first about each
/// value in it, and may print it otherwise.
std::string go_plain(const Value& value,
                     const std::function<std::optional<std::string>(const Value&)>& own_text = {});

/// The type of a value of decoded JSON as Go's `%T` prints it: int64, []interface {}.
std::string_view go_type_name(const Value& value);

}  // namespace fixpoint::document
