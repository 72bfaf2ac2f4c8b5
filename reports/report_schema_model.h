#pragma once

#include <string>
#include <string_view>

namespace fixpoint::reports {

/// Returns the errors of a JSON text against a schema of reports/schemas, one line each with a pointer; empty
/// if the text is valid. The judge is Valijson, not our own code. `folder` contains the schema and the
/// schemas that it refers to.
std::string schema_problems(const std::string& folder, const std::string& schema, std::string_view text);

}  // namespace fixpoint::reports
