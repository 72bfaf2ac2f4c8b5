#include "injectors/kserve/common.h"

#include <algorithm>
#include <array>

#include "harness/document/check.h"

namespace fixpoint::injectors::kserve {

namespace {

constexpr auto kCommon = std::to_array<Common>({{"0.11.2", 1102, 26, false, false},
                                                {"0.12.0", 1200, 28, true, false},
                                                {"0.12.1", 1201, 28, true, false},
                                                {"0.13.1", 1301, 28, true, false},
                                                {"0.14.1", 1401, 30, true, false},
                                                {"0.15.0", 1500, 32, true, true},
                                                {"0.15.1", 1501, 32, true, true},  // as 0.15.2
                                                {"0.15.2", 1502, 32, true, true},
                                                {"0.16.0", 1600, 33, true, true},
                                                {"0.17.0", 1700, 34, true, true},
                                                {"0.17.1", 1701, 34, true, true},  // as 0.17.0
                                                {"0.18.0", 1800, 34, true, true},
                                                {"0.18.1", 1801, 34, true, true},  // as 0.18.0
                                                {"0.19.0", 1900, 34, true, true},  // as 0.18.0
                                                {"0.20.0", 2000, 34, true, true}});

}  // namespace

const Common& common(std::string_view release) {
  const auto found =
      std::find_if(kCommon.begin(), kCommon.end(), [&](const Common& row) { return row.release == release; });
  document::check(found != kCommon.end(), "a release of the catalog has a row");
  return *found;
}

}  // namespace fixpoint::injectors::kserve
