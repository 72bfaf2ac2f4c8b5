#pragma once

#include <string_view>

namespace fixpoint::apiserver::cel {

/// Returns true for a label of RFC 1123: at most 63 lower-case letters, digits and inner dashes.
bool is_dns_label(std::string_view text);
/// Returns true for such labels, joined by dots, of at most 253 characters.
bool is_dns_subdomain(std::string_view text);

}  // namespace fixpoint::apiserver::cel
