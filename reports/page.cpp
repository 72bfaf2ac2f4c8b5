#include "reports/page.h"

#include <openssl/evp.h>

#include <array>
#include <set>

#include "harness/document/base64.h"
#include "harness/document/json.h"
#include "harness/document/lower_case.h"
#include "reports/assets.h"
#include "reports/escape.h"
#include "reports/html_file.h"

namespace fixpoint::reports {

using document::Value;

std::string html_element(const std::string& tag, std::string_view text) {
  return "<" + tag + ">" + xml_text(text) + "</" + tag.substr(0, tag.find(' ')) + ">";
}

std::string html_badge(std::string_view text) {
  static const std::set<std::string_view> kKnown{"error", "warning", "still", "reopened", "new",
                                                 "flaky", "fixed",   "held",  "steep"};
  const std::string word = document::lower_case(text);
  return "<span class=\"badge " + (kKnown.contains(word) ? word : "plain") + "\">" +
         xml_text(text) + "</span>";
}

std::string html_cell(std::uint64_t number) { return html_figure(std::to_string(number)); }

std::string html_figure(std::string_view text) { return "<td class=\"number\">" + xml_text(text) + "</td>"; }

std::string html_table(const std::vector<std::string>& heads, const std::string& rows) {
  std::string out = "<div class=\"wide\"><table class=\"figures\"><thead><tr>";
  for (const std::string& head : heads) out += "<th scope=\"col\">" + xml_text(head) + "</th>";
  return out + "</tr></thead><tbody>\n" + rows + "</tbody></table></div>\n";
}

std::string html_folded_table(const std::vector<std::string>& heads, const std::string& rows) {
  return "<details><summary>As a table</summary>" + html_table(heads, rows) + "</details>\n";
}

std::string html_canvas(const std::string& chart, std::string_view text) {
  return "<div class=\"chart\"><canvas data-chart=\"" + xml_text(chart) + "\" role=\"img\" aria-label=\"" +
         xml_text(text) + "\"></canvas></div>\n";
}

namespace {

/// Returns the source expression of a script in a Content-Security-Policy: only the listed scripts may run,
/// whatever else gets into the page.
std::string script_hash(std::string_view script) {
  std::array<unsigned char, 32> digest{};
  EVP_Digest(script.data(), script.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
  return "'sha256-" + document::encode_base64({reinterpret_cast<const char*>(digest.data()), digest.size()}) +
         "'";
}

}  // namespace

std::string write_page(const Page& page) {
  return filled_html(page_html(), {{"hashes", script_hash(chart_script()) + " " + script_hash(page_script())},
                                   {"title", page.title},
                                   {"style", std::string(page_style())},
                                   {"main_id", page.main_id},
                                   {"main_name", page.main_name},
                                   {"verdict", page.failed ? "verdict failed" : "verdict"},
                                   {"run", page.run},
                                   {"main", page.main},
                                   {"licence", xml_block(chart_licence())},
                                   {"data", json_in_html(document::write_json(page.data))},
                                   {"chart_script", std::string(chart_script())},
                                   {"script", std::string(page_script())}});
}

}  // namespace fixpoint::reports
