#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/cases/case.h"

namespace fixpoint::cases {

/// As many namespaces have a name that means nothing to anybody. Cases of successive numbers get different
/// ones, so that their objects can be in one cluster at a time.
inline constexpr std::uint64_t kPlainNamespaces = 64;

/// Returns the plain namespace of the Case with that number.
std::string plain_namespace(std::uint64_t number);
/// Returns true for such a name.
bool is_plain_namespace(std::string_view name);

/// Returns the Case in another namespace: its request, its Namespace and the objects that were in it.
Case in_namespace(Case value, const std::string& name);

}  // namespace fixpoint::cases
