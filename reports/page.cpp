#include "reports/page.h"

#include <openssl/evp.h>

#include <array>
#include <set>

#include "harness/document/base64.h"
#include "harness/document/json.h"
#include "reports/assets.h"
#include "reports/escape.h"

namespace fixpoint::reports {

using document::Value;

std::string html_element(const std::string& tag, std::string_view text) {
  return "<" + tag + ">" + xml_text(text) + "</" + tag.substr(0, tag.find(' ')) + ">";
}

std::string html_badge(std::string_view text) {
  static const std::set<std::string_view> kKnown{"error", "warning", "failing", "new",
                                                 "flaky", "fixed",   "held",    "steep"};
  return "<span class=\"badge " + std::string(kKnown.contains(text) ? text : "plain") + "\">" +
         xml_text(text) + "</span>";
}

std::string html_cell(std::uint64_t number) { return html_figure(std::to_string(number)); }

std::string html_figure(std::string_view text) { return "<td class=\"number\">" + xml_text(text) + "</td>"; }

std::string html_folded_table(const std::vector<std::string>& heads, const std::string& rows) {
  std::string out =
      "<details><summary>As a table</summary><div class=\"wide\"><table class=\"figures\"><thead><tr>";
  for (const std::string& head : heads) out += "<th scope=\"col\">" + xml_text(head) + "</th>";
  return out + "</tr></thead><tbody>\n" + rows + "</tbody></table></div></details>\n";
}

std::string html_canvas(const std::string& chart, std::string_view text) {
  return "<div class=\"chart\"><canvas data-chart=\"" + xml_text(chart) + "\" role=\"img\" aria-label=\"" +
         xml_text(text) + "\"></canvas></div>\n";
}

namespace {

/// What a Content-Security-Policy calls a script: only these two run, whatever else got into the page.
std::string script_hash(std::string_view script) {
  std::array<unsigned char, 32> digest{};
  EVP_Digest(script.data(), script.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
  return "'sha256-" + document::encode_base64({reinterpret_cast<const char*>(digest.data()), digest.size()}) +
         "'";
}

std::string head(const Page& page) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
         "'unsafe-inline'; "
         "script-src " +
         script_hash(chart_script()) + " " + script_hash(page_script()) +
         "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
         html_element("title", "fixpoint: " + page.title) + "\n<style>" + std::string(page_style()) +
         "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#" + page.main_id + "\">To the " +
         page.main_name + "</a>\n";
}

std::string header(const Page& page) {
  return "<header><div><h1 class=\"verdict" + std::string(page.failed ? " failed" : "") + "\">" +
         xml_text(page.title) + "</h1>\n<p class=\"run\">" + page.run + "</p></div></header>\n";
}

std::string footer() {
  return "<footer><p>Made by fixpoint. Charts by Chart.js.</p><details><summary>Licence of "
         "Chart.js</summary><pre>" +
         xml_block(chart_licence()) + "</pre></details></footer>\n";
}

std::string scripts(const Page& page) {
  return "<script type=\"application/json\" id=\"data\">" + json_in_html(document::write_json(page.data)) +
         "</script>\n<script>" + std::string(chart_script()) + "</script>\n<script>" +
         std::string(page_script()) + "</script>\n";
}

}  // namespace

std::string write_page(const Page& page) {
  return head(page) + header(page) + "<main>\n" + page.main + "</main>\n" + footer() + scripts(page) +
         "</body>\n</html>\n";
}

}  // namespace fixpoint::reports
