#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/value.h"

/// A page of HTML that needs nothing but itself: what all of them have around their sections, and small parts
/// of these. Foreign text is escaped by everything here that takes `text`.
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
/// The same, folded: what a chart shows, for who sees none.
std::string html_folded_table(const std::vector<std::string>& heads, const std::string& rows);
/// The place of a chart, whose figures are those of this name in the page's data; `text` is for who sees
/// none.
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

/// Style, scripts and Chart.js stand in the page, and a policy lets no other script run.
std::string write_page(const Page& page);

}  // namespace fixpoint::reports
