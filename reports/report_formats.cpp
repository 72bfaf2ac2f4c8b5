#include "reports/report_formats.h"

#include <array>

namespace fixpoint::reports {

namespace {

constexpr auto kFormats = std::to_array<Format>({
    {"text", "for a terminal", write_text},
    {"json", "one summary; schema in reports/schemas/run.json", write_summary_json},
    {"junit", "JUnit XML, as Jenkins and Surefire have it", write_junit},
    {"sarif", "SARIF 2.1.0, for code scanning", write_sarif},
    {"markdown", "for a pull request", write_markdown},
    {"html", "one file for a browser, offline", write_html},
});

}  // namespace

std::span<const Format> all_formats() { return kFormats; }

const Format* find_format(std::string_view name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

}  // namespace fixpoint::reports
