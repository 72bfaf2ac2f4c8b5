#pragma once

#include <string>

namespace fixpoint::oracle {

/// Returns true for a key of a label or an annotation: a name, perhaps behind a DNS subdomain and a slash.
bool is_qualified_name(const std::string& text);
bool is_label_value(const std::string& text);

}  // namespace fixpoint::oracle
