#pragma once

#include <cstdint>

namespace fixpoint::apiserver {

/// The evaluation of one match condition, without its value.
struct ConditionVerdict {
  enum class Is { yes, no, failed } is = Is::failed;
  std::uint64_t cost = 0;
};

}  // namespace fixpoint::apiserver
