#include "harness/apiserver/cel/functions.h"
#include "harness/apiserver/cel/opaque.h"
namespace fixpoint::apiserver::cel {
std::span<const Binding> quantity_bindings() { return {}; }
std::span<const Binding> network_bindings() { return {}; }
std::span<const Binding> url_bindings() { return {}; }
std::span<const Binding> semver_bindings() { return {}; }
std::span<const Binding> named_format_bindings() { return {}; }
std::uint64_t opaque_size(const OpaqueBox&) { return 1; }
bool has_unit_equality(const OpaqueBox&) { return true; }
std::uint64_t format_pattern_size(const Datum&) { return 0; }
}
#include "harness/apiserver/cel/named_formats.h"
namespace fixpoint::apiserver::cel {
bool is_dns_label(std::string_view) { return true; }
bool is_dns_subdomain(std::string_view) { return true; }
}
