#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace fixpoint::reports {

/// A name and what stands for it.
using HtmlPart = std::pair<std::string_view, std::string>;

/// An HTML file of this folder with its places filled in: `{{name}}` is text, which is escaped, `{{{name}}}`
/// is HTML already. What is filled in is not searched for places. Every place has a part and every part a
/// place, else the file and the program do not belong together.
std::string filled_html(std::string_view file, std::span<const HtmlPart> parts);
std::string filled_html(std::string_view file, std::initializer_list<HtmlPart> parts);

}  // namespace fixpoint::reports
