#pragma once

#include <string>

namespace fixpoint::reports {

/// Returns a page without the parts that are the same in all of them: Chart.js comes from the distribution,
/// the style and the script have files of their own.
std::string without_assets(std::string html);

}  // namespace fixpoint::reports
