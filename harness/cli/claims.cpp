#include "harness/cli/claims.h"

#include <algorithm>

namespace fixpoint::cli {

std::string Claim::whole() const {
  return pack.empty() ? std::string(text) : std::string("[").append(pack).append("] ").append(text);
}

std::vector<Claim> claims(const properties::Catalog& catalog) {
  std::vector<Claim> all;
  const auto add = [&](const auto* property) {
    all.push_back({property->name, property->claim, catalog.pack_of(property->name)});
  };
  std::for_each(catalog.of_cases().begin(), catalog.of_cases().end(), add);
  std::for_each(catalog.of_sequences().begin(), catalog.of_sequences().end(), add);
  return all;
}

}  // namespace fixpoint::cli
