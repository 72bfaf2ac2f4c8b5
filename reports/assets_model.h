#pragma once

#include <string>

namespace fixpoint::reports {

/// Returns a page without the parts that all pages share: Chart.js, which comes from the distribution, and
/// the style and the script, which have their own files.
std::string without_assets(std::string html);

}  // namespace fixpoint::reports
