#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace fixpoint::reports {

/// The name of a placeholder and its replacement.
using HtmlPart = std::pair<std::string_view, std::string>;

/// Returns an HTML file of this folder with its placeholders filled in: `{{name}}` is text, which is escaped,
/// `{{{name}}}` is already HTML. Replacements are not searched for placeholders. Aborts unless every
/// placeholder has a part and every part a placeholder.
std::string filled_html(std::string_view file, std::span<const HtmlPart> parts);
std::string filled_html(std::string_view file, std::initializer_list<HtmlPart> parts);

}  // namespace fixpoint::reports
