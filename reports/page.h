#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/value.h"

/// A self-contained page of HTML: the frame that all pages share around their sections, and small parts of
/// these. Every function here that takes `text` escapes foreign text.
namespace fixpoint::reports {

/// `<tag attributes>text</tag>`
std::string html_element(const std::string& tag, std::string_view text);
/// A word in a pill, coloured when it is one of those that have a meaning.
std::string html_badge(std::string_view text);
std::string html_cell(std::uint64_t number);
/// A cell of figures that is no whole number.
std::string html_figure(std::string_view text);
/// A table of figures in a box of its own, which scrolls where it is too wide: its heads are text, its rows
/// HTML.
std::string html_table(const std::vector<std::string>& heads, const std::string& rows);
/// Returns the same table folded: the figures of a chart, for readers who cannot see it.
std::string html_folded_table(const std::vector<std::string>& heads, const std::string& rows);
/// Returns the element of a chart, whose figures are those of this name in the page's data; `text` is for
/// readers who cannot see it.
std::string html_canvas(const std::string& chart, std::string_view text);

struct Page {
  std::string title = {};  ///< in the words of a verdict
  bool failed = false;
  std::string run = {};      ///< HTML: of what it speaks
  std::string main_id = {};  ///< of the section that a keyboard's user may jump to
  std::string main_name = {};
  std::string main = {};      ///< HTML: the sections
  document::Value data = {};  ///< for each chart `kind` and its series, which page.js draws
};

/// Returns the page with style, scripts and Chart.js embedded, and a policy that lets no other script run.
std::string write_page(const Page& page);

}  // namespace fixpoint::reports
