#pragma once

#include <string>
#include <string_view>

namespace fixpoint::apiserver::cel {

/// As Go's `%q` writes a text in messages.
std::string go_quote(std::string_view text);

}  // namespace fixpoint::apiserver::cel
