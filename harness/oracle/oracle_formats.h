#pragma once

#include <string>

namespace fixpoint::oracle {

// The format checks of the rules of validation (docs/validation.md#10-1), character by character.

bool is_dns_label(const std::string& text);
bool is_dns_subdomain(const std::string& text);
bool is_qualified_name(const std::string& text);
bool is_label_value(const std::string& text);
bool is_port_name(const std::string& text);
bool is_env_name(const std::string& text);
bool is_config_key(const std::string& text);
bool is_header_name(const std::string& text);

}  // namespace fixpoint::oracle
