#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/properties/pack.h"

namespace fixpoint::cli {

/// A property as commands list it.
struct Claim {
  std::string_view name;
  std::string_view text;
  std::string_view pack;  ///< empty: the core
  /// The claim, with its pack's name in front.
  std::string whole() const;
};
/// Of webhooks first, then of reconcilers.
std::vector<Claim> claims(const properties::Catalog& catalog);

}  // namespace fixpoint::cli
