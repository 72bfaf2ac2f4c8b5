#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reports/run_record.h"

/// All report formats: one model of a finished run, one writer for each format.
namespace fixpoint::reports {

/// A format of reports. Equal records give equal bytes. No format lets text from a Pod or a webhook control a
/// terminal, a browser, an XML reader or a build server.
///
///     std::string write_lines(const RunRecord& record) {
///       std::string out;
///       for (const auto& one : record.findings) out += document::printable(one.finding.property) + "\n";
///       return out;
///     }
///     extern constinit const Format kLines = {"lines", "a line for each finding", write_lines};
struct Format {
  std::string_view name;
  std::string_view sentence;
  std::string (*write)(const RunRecord&);
};

/// Returns all formats, in the order of the help.
std::span<const Format> all_formats();
/// Returns the format of that name, or nullptr.
const Format* find_format(std::string_view name);

/// Returns the record in the format of that name, which must be in all_formats().
std::string write_as(std::string_view format, const RunRecord& record);

}  // namespace fixpoint::reports
