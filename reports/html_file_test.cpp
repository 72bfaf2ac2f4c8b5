#include "reports/html_file.h"

#include <gtest/gtest.h>

#include "reports/assets.h"

namespace fixpoint::reports {
namespace {

TEST(HtmlFile, EscapesTextAndTakesHtmlAsItIs) {
  EXPECT_EQ(filled_html("<p title=\"{{a}}\">{{a}}{{{b}}}</p>", {{"a", "<\"&"}, {"b", "<b>x</b>"}}),
            "<p title=\"&lt;&quot;&amp;\">&lt;&quot;&amp;<b>x</b></p>");
}

TEST(HtmlFile, WhatIsFilledInHasNoPlaces) {
  EXPECT_EQ(filled_html("{{a}}{{{b}}}", {{"a", "{{b}}"}, {"b", "{{{a}}}"}}), "{{b}}{{{a}}}");
}

TEST(HtmlFile, AFileAndItsPartsBelongTogether) {
  EXPECT_DEATH(filled_html("{{a}}", {}), "has its part");
  EXPECT_DEATH(filled_html("", {{"a", "x"}}), "has its place");
  EXPECT_DEATH(filled_html("{{a", {{"a", "x"}}), "ends");
}

TEST(HtmlFile, TheFilesOfThisFolderHavePlaces) {
  for (const std::string_view file : {page_html(), filter_html(), problem_html(), finding_html(),
                                      costs_html(), latency_html(), history_html()})
    EXPECT_NE(file.find("{{"), std::string_view::npos);
}

}  // namespace
}  // namespace fixpoint::reports
