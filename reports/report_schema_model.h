#pragma once

#include <string>
#include <string_view>

namespace fixpoint::reports {

/// Returns the errors of a JSON text against a schema of reports/schemas, in lines of pointers and words;
/// empty if it is valid. Valijson judges it, not our own code. `folder` contains the schema and those that it
/// refers to.
std::string schema_problems(const std::string& folder, const std::string& schema, std::string_view text);

}  // namespace fixpoint::reports
