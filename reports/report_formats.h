#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reports/run_record.h"

/// One model of a finished run, one writer per format.
namespace fixpoint::reports {

/// The same record gives the same bytes. None lets anything from a Pod or a webhook steer a terminal, a
/// browser, an XML reader or a build server.
struct Format {
  std::string_view name;
  std::string_view sentence;
  std::string (*write)(const RunRecord&);
};

/// All formats, in the order of the help.
std::span<const Format> all_formats();
/// The format of that name, or nullptr.
const Format* find_format(std::string_view name);

/// The record in the format of that name, which is one of all_formats().
std::string write_as(std::string_view format, const RunRecord& record);

}  // namespace fixpoint::reports
