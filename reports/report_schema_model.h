#pragma once

#include <string>
#include <string_view>

namespace fixpoint::reports {

/// Why a JSON text is not what a schema of reports/schemas says, in lines of pointers and words; empty when
/// it is. Judged by Valijson, not by anything of ours. `folder` is where the schema and those that it refers
/// to lie.
std::string schema_problems(const std::string& folder, const std::string& schema, std::string_view text);

}  // namespace fixpoint::reports
