#pragma once

#include <string>
#include <string_view>

namespace fixpoint::reports {

// Escapes foreign text for one format each. All begin with printable(): no control characters, no marks that
// reorder text, no commands to a build server.

/// For XML and HTML, as text and in quoted attributes.
std::string xml_text(std::string_view text);
/// The same with line ends kept; for text that stands in a block of its own.
std::string xml_block(std::string_view text);
/// A code span of Markdown, and one that stands in a cell of a table.
std::string markdown_code(std::string_view text);
std::string markdown_cell(std::string_view text);
/// A fenced block of Markdown; the text keeps its line ends.
std::string markdown_block(std::string_view text, std::string_view language);

/// Returns a whole JSON text in which terminals and build servers find no command: its characters are
/// escaped, so that it reads back as the same document.
std::string json_without_commands(std::string text);
/// A path as the reference of RFC 3986 without a scheme or a host: nothing in it is more than a path.
std::string uri_of_path(std::string_view path);
/// JSON that may stand in an HTML script element.
std::string json_in_html(std::string text);

}  // namespace fixpoint::reports
