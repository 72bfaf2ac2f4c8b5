#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/value.h"

/// A self-contained page of HTML: the frame that all pages share around their sections, and small parts of
/// the sections. Every function here that takes `text` escapes it as foreign text.
namespace fixpoint::reports {

/// Returns `<tag attributes>text</tag>`; `tag` is the tag with its attributes.
std::string html_element(const std::string& tag, std::string_view text);
/// Returns a word in a pill, which is coloured if the word has a meaning.
std::string html_badge(std::string_view text);
std::string html_cell(std::uint64_t number);
/// Returns a cell with a figure that is not a whole number.
std::string html_figure(std::string_view text);
/// Returns a table of figures in a box that scrolls if the table is too wide. `heads` are text, `rows` are
/// HTML.
std::string html_table(const std::vector<std::string>& heads, const std::string& rows);
/// Returns the same table folded: it shows the figures of a chart to readers who cannot see it.
std::string html_folded_table(const std::vector<std::string>& heads, const std::string& rows);
/// Returns the element of a chart, whose figures have this name in the page's data; `text` is for readers who
/// cannot see the chart.
std::string html_canvas(const std::string& chart, std::string_view text);

struct Page {
  std::string title = {};  ///< the verdict
  bool failed = false;
  std::string run = {};      ///< HTML: what was run
  std::string main_id = {};  ///< the id of the section to which keyboard users may jump
  std::string main_name = {};
  std::string main = {};      ///< HTML: the sections
  document::Value data = {};  ///< `kind` and series of each chart, which page.js draws
};

/// Returns the page with embedded style, scripts and Chart.js, and with a policy that forbids other scripts.
std::string write_page(const Page& page);

}  // namespace fixpoint::reports
