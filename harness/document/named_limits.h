#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/document/limits.h"
#include "harness/document/result.h"

namespace fixpoint::document {

/// A field of Limits with its name on the command line.
struct NamedLimit {
  std::string_view name;
  std::string_view sentence;
  std::variant<std::size_t Limits::*, int Limits::*> field;
};
std::span<const NamedLimit> named_limits();
std::string value_of(const Limits& limits, const NamedLimit& limit);

/// The default limits with the settings NAME=VALUE of a command line applied. An error for an unknown name,
/// with a suggestion if one is close, and for a value that is no whole number or out of range.
document::Result<Limits> limits_of(const std::vector<std::string>& settings);

}  // namespace fixpoint::document
