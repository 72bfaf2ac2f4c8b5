#include "reports/report_formats.h"

#include <array>

namespace fixpoint::reports {

// Each format is defined in the file of its name.
extern const Format kText;
extern const Format kSummaryJson;
extern const Format kJunit;
extern const Format kSarif;
extern const Format kMarkdown;
extern const Format kHtml;

std::span<const Format> all_formats() {
  static const auto rows = std::to_array<Format>({kText, kSummaryJson, kJunit, kSarif, kMarkdown, kHtml});
  return rows;
}

const Format* find_format(std::string_view name) {
  for (const Format& format : all_formats()) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

std::string write_as(std::string_view format, const RunRecord& record) {
  return find_format(format)->write(record);
}

}  // namespace fixpoint::reports
