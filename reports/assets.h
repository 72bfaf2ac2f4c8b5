#pragma once

#include <string_view>

/// The fixed parts of the HTML report. The build embeds their files (harness/document/embed.cmake).
namespace fixpoint::reports {

std::string_view page_style();   ///< page.css
std::string_view page_script();  ///< page.js

// HTML files with placeholders (html_file.h).
std::string_view page_html();
std::string_view filter_html();
std::string_view problem_html();
std::string_view finding_html();
std::string_view costs_html();
std::string_view latency_html();
std::string_view history_html();

std::string_view chart_script();  ///< Chart.js as packaged by the distribution
std::string_view chart_licence();

}  // namespace fixpoint::reports
