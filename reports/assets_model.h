#pragma once

#include <string>

namespace fixpoint::reports {

/// A page without what is the same in all of them: Chart.js is the distribution's, the style and the script
/// have files of their own.
std::string without_assets(std::string html);

}  // namespace fixpoint::reports
