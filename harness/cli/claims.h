#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/properties/packs/pack.h"

namespace fixpoint::cli {

/// A property as commands list it.
struct Claim {
  std::string_view name;
  std::string_view text;
  std::string_view pack;  ///< empty: a core property
  /// Returns the claim, with the name of its pack in front if it has one.
  std::string whole() const;
};
/// Returns the claims of a catalog: the properties of webhooks first, then those of reconcilers.
std::vector<Claim> claims(const properties::Catalog& catalog);

}  // namespace fixpoint::cli
