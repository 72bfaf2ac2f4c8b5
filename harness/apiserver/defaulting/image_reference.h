#pragma once

#include <string_view>

namespace fixpoint::apiserver {

/// Whether the server pulls such an image always by default: its tag is `latest`, or it has neither tag nor
/// digest. The grammar is that of normalised Docker references; what does not parse counts as pinned (spec
/// §9).
bool is_latest_image(std::string_view image);

}  // namespace fixpoint::apiserver
