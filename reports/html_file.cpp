#include "reports/html_file.h"

#include <algorithm>
#include <set>

#include "harness/document/check.h"
#include "reports/escape.h"

namespace fixpoint::reports {

std::string filled_html(std::string_view file, std::span<const HtmlPart> parts) {
  std::string out;
  std::set<std::string_view> used;
  for (std::size_t at = file.find("{{"); at != std::string_view::npos; at = file.find("{{")) {
    const bool is_html = file.substr(at).starts_with("{{{");
    const std::string_view closing = is_html ? "}}}" : "}}";
    const std::size_t from = at + closing.size(), to = file.find(closing, from);
    document::check(to != std::string_view::npos, "a place in an HTML file ends");
    const std::string_view name = file.substr(from, to - from);
    const auto part =
        std::find_if(parts.begin(), parts.end(), [&](const HtmlPart& one) { return one.first == name; });
    document::check(part != parts.end(), "a place in an HTML file has its part");
    used.insert(name);
    out.append(file.substr(0, at)).append(is_html ? part->second : xml_text(part->second));
    file.remove_prefix(to + closing.size());
  }
  document::check(used.size() == parts.size(), "a part has its place in the HTML file");
  return out.append(file);
}

std::string filled_html(std::string_view file, std::initializer_list<HtmlPart> parts) {
  return filled_html(file, std::span<const HtmlPart>(parts.begin(), parts.size()));
}

}  // namespace fixpoint::reports
