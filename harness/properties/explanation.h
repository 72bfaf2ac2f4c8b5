#pragma once

#include <span>
#include <string_view>

namespace fixpoint::properties {

/// What a person who met a finding asks next.
struct Explanation {
  std::string_view property;
  std::string_view example;  ///< of a violation
  std::string_view matters;  ///< in a cluster
  std::string_view fix;      ///< as authors of webhooks usually make it
};

/// Those of the core's properties.
std::span<const Explanation> all_explanations();

}  // namespace fixpoint::properties
