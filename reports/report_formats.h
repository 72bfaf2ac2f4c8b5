#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reports/run_record.h"

/// One model of a finished run, one writer a format.
namespace fixpoint::reports {

struct Format {
  std::string_view name;
  std::string_view sentence;
  std::string (*write)(const RunRecord&);
};

/// All formats, in the order of the help.
std::span<const Format> all_formats();
/// The format of that name, or nullptr.
const Format* find_format(std::string_view name);

// The same record gives the same bytes. None of them lets anything from a Pod or a webhook steer a terminal,
// a browser, an XML reader or a build server.
std::string write_junit(const RunRecord& record);
std::string write_sarif(const RunRecord& record);
std::string write_markdown(const RunRecord& record);
std::string write_html(const RunRecord& record);
std::string write_summary_json(const RunRecord& record);
std::string write_text(const RunRecord& record);

}  // namespace fixpoint::reports
