#pragma once

#include <string_view>

/// What the HTML report is made of besides the run; the build puts the files in (assets.cmake).
namespace fixpoint::reports {

std::string_view page_style();    ///< page.css
std::string_view page_script();   ///< page.js
std::string_view chart_script();  ///< Chart.js, as the distribution packs it
std::string_view chart_licence();

}  // namespace fixpoint::reports
