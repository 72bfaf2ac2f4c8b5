#include "injectors/packs.h"

#include <array>

#include "injectors/kserve/kserve_pack.h"

namespace fixpoint::injectors {

std::span<const properties::Pack> all_packs() {
  static const std::array<properties::Pack, 1> packs{kserve::kserve_pack()};
  return packs;
}

}  // namespace fixpoint::injectors
