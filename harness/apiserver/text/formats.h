#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "harness/document/server_text.h"

namespace fixpoint::apiserver::validation {

/// The problems with the format of a text; the API server reports each as a separate error.
class Problems {
 public:
  void add(document::Text problem) {
    if (count_ < kMost) list_[count_++] = problem;
  }
  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  const document::Text* begin() const { return list_.data(); }
  const document::Text* end() const { return list_.data() + count_; }

 private:
  static constexpr std::size_t kMost = 5;
  std::array<document::Text, kMost> list_ = {};
  std::size_t count_ = 0;
};

// The formats (docs/validation.md#10-1), implemented without regular expressions.
Problems check_dns_label(std::string_view text);       ///< RFC 1123, up to 63 bytes
Problems check_dns_1035_label(std::string_view text);  ///< the same, but it begins with a letter
Problems check_dns_subdomain(std::string_view text);   ///< RFC 1123, up to 253 bytes
Problems check_dns_subdomain_with_underscore(std::string_view text);
/// A name that still gets a suffix: one trailing dash is allowed.
Problems check_generate_name(std::string_view text);
Problems check_generated_label(std::string_view text);
Problems check_qualified_name(std::string_view text);          ///< a label's key
Problems check_qualified_name_lowered(std::string_view text);  ///< an annotation's key, in any case
Problems check_label_value(std::string_view text);
Problems check_port_name(std::string_view text);
Problems check_env_name(std::string_view text);          ///< the rule before 1.32
Problems check_relaxed_env_name(std::string_view text);  ///< printable ASCII without =
Problems check_config_key(std::string_view text);
Problems check_http_header_name(std::string_view text);
Problems check_sysctl_name(std::string_view text);

/// A relative path without an element `..`.
Problems check_descending_path(std::string_view text);
Problems check_no_backsteps(std::string_view text);
/// A relative path without an element `..` that does not begin with `..` either.
Problems check_non_reserved_path(std::string_view text);
/// The rules for a name that is part of a URL.
Problems check_path_segment(std::string_view text, bool is_prefix);

/// Returns the text without the blanks of ASCII at its ends.
std::string_view trimmed(std::string_view text);
bool is_padded(std::string_view text);  ///< begins or ends with a blank
char lower(char c);

}  // namespace fixpoint::apiserver::validation
