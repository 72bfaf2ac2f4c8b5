#pragma once

#include <string_view>

namespace fixpoint::properties {

/// What a person who met a finding asks next.
struct Explanation {
  std::string_view property;
  std::string_view example;  ///< of a violation
  std::string_view matters;  ///< in a cluster
  std::string_view fix;      ///< as authors of webhooks usually make it
};

/// The explanation of a property, or nullptr.
const Explanation* explanation_of(std::string_view property);

}  // namespace fixpoint::properties
