#pragma once

#include <string_view>

namespace fixpoint::apiserver {

/// Returns true if the server always pulls such an image by default: its tag is `latest`, or it has neither
/// tag nor digest. The grammar is that of Docker references; a text that does not parse counts as
/// pinned (docs/simulator.md#9).
bool is_latest_image(std::string_view image);

}  // namespace fixpoint::apiserver
