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

/// A field of Limits as a command line calls it.
struct NamedLimit {
  std::string_view name;
  std::string_view sentence;
  std::variant<std::size_t Limits::*, int Limits::*> field;
};
std::span<const NamedLimit> named_limits();
std::string value_of(const Limits& limits, const NamedLimit& limit);

/// The default limits with NAME=VALUE of a command line put in. An error for an unknown name, with the one
/// that was perhaps meant, and for a value that is no whole number or does not fit.
document::Result<Limits> limits_of(const std::vector<std::string>& settings);

}  // namespace fixpoint::document
