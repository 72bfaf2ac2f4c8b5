#pragma once

#include <string>
#include <string_view>

namespace fixpoint::reports {

// Each function escapes foreign text for one format. All begin with printable(): no control characters, no
// marks that reorder text, no commands to a build server.

/// Returns text for XML and HTML, also inside quoted attributes.
std::string xml_text(std::string_view text);
/// Returns the same for text in a block of its own, with line ends kept.
std::string xml_block(std::string_view text);
/// Returns a code span of Markdown; the one of markdown_cell() is for a cell of a table.
std::string markdown_code(std::string_view text);
std::string markdown_cell(std::string_view text);
/// Returns a fenced block of Markdown, which keeps the line ends of the text.
std::string markdown_block(std::string_view text, std::string_view language);

/// Returns a JSON text in which terminals and build servers find no command: such characters are escaped, so
/// that the text reads back as the same document.
std::string json_without_commands(std::string text);
/// Returns the path as a URI reference (RFC 3986) without scheme, host, query or fragment.
std::string uri_of_path(std::string_view path);
/// Returns JSON that is safe inside an HTML script element.
std::string json_in_html(std::string text);

}  // namespace fixpoint::reports
