#include "reports/latency_section.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"
#include "harness/patterns_model.h"

namespace fixpoint::reports {
namespace {

using document::Value;

constexpr std::int64_t kPodBytes[] = {3000, 1000, 20000};

LatencyRow call(const std::string& name, std::int64_t bytes, double p50) {
  return {
      .injector = name, .pod_bytes = bytes, .patch_bytes = 40, .p50 = p50, .p90 = 2 * p50, .p99 = 3 * p50};
}

RunRecord record_of(int injectors) {
  RunRecord record;
  for (int i = 1; i <= injectors; ++i)
    for (const std::int64_t bytes : kPodBytes)
      record.latencies.push_back(call("injector-" + std::to_string(i) + ".", bytes, 4.0 * i));
  return record;
}

struct Section {
  std::string html;
  Value data = Value::empty_object();
  explicit Section(const RunRecord& record) { html = latency_section(record, data); }
};

TEST(LatencySection, HasAPanelForEachSizeOfPodInTheirOrder) {
  const Section section(record_of(2));
  const auto panels = all_found(section.html,
                                "<h4>Pods of ([^<]*)</h4>\n<div class=\"chart\"><canvas "
                                "data-chart=\"([^\"]*)\"");
  ASSERT_EQ(panels.size(), 3u);
  EXPECT_EQ(panels[0][1] + panels[1][1] + panels[2][1], "1 kB3 kB20 kB");
  for (const auto& panel : panels) {
    const Value& drawn = section.data[panel[2]];
    EXPECT_EQ(drawn["series"].size(), 2u);
    EXPECT_EQ(drawn["unit"].text(), "µs a call");
    EXPECT_EQ(drawn["scale"], section.data[panels[0][2]]["scale"]) << "all panels share one";
  }
}

TEST(LatencySection, DrawsUpToNineInAPanelAndMoreInFurtherOnes) {
  const Section section(record_of(11));
  EXPECT_EQ(all_found(section.html, "<h4>").size(), 6u);
  EXPECT_NE(section.html.find("One call, 1 to 6 of 11"), std::string::npos);
  EXPECT_NE(section.html.find("One call, 7 to 11 of 11"), std::string::npos);
  for (int i = 1; i <= 11; ++i) {
    const std::string number = std::to_string(i);
    EXPECT_TRUE(is_found(section.html, "<b>" + number + "</b><span>injector-" + number + "\\.</span>")) << i;
  }
  std::size_t lines = 0;
  for (const document::Member& chart : section.data.members()) {
    EXPECT_LE(chart.value["series"].size(), kSeriesMax);
    lines += chart.value["series"].size();
  }
  EXPECT_EQ(lines, 33u) << "none is lost";
}

TEST(LatencySection, AnInjectorKeepsItsNumberWhereOthersWereNotMeasured) {
  RunRecord record = record_of(2);
  record.latencies.erase(record.latencies.begin());  // the first injector has no measurement on Pods of 3 kB
  const Section section(record);
  const Value& series = section.data["latency-1-3000"]["series"];
  ASSERT_EQ(series.size(), 1u);
  EXPECT_EQ(series.at(0)["number"].integer(), 2);
}

TEST(LatencySection, KeepsAdmissionsApartFromCalls) {
  RunRecord record = record_of(1);
  record.latencies.push_back(
      {.injector = "chain of a, b", .pod_bytes = 3000, .p50 = 100, .p90 = 110, .p99 = 9e5});
  const Section section(record);
  EXPECT_TRUE(is_found(section.html, "<h3>A whole admission</h3>[^]*<b>2</b><span>chain of a, b</span>"));
  EXPECT_EQ(section.data["latency-2-3000"]["unit"].text(), "µs an admission");
}

TEST(LatencySection, TheLaterFiguresAreDrawnAndNoneIsBelowTheScale) {
  RunRecord record{.latencies = {call("a", 3000, 50), call("a", 3000, 0)}};
  const Section section(record);
  const Value& drawn = section.data["latency-1-3000"];
  ASSERT_EQ(drawn["series"].size(), 1u);
  EXPECT_EQ(drawn["series"].at(0)["values"].at(0).real(), drawn["scale"]["low"].real());
  EXPECT_EQ(all_found(section.html, "<td>a</td>").size(), 2u) << "the table has both";
}

TEST(LatencySection, NamesSteerNothing) {
  RunRecord record{.latencies = {call("</span><script>alert(1)</script>{{{table}}}", 3000, 5)}};
  const Section section(record);
  EXPECT_EQ(section.html.find("<script"), std::string::npos);
  EXPECT_NE(section.html.find("{{{table}}}"), std::string::npos) << "it is text";
  EXPECT_EQ(Section(RunRecord{}).html, "");
}

}  // namespace
}  // namespace fixpoint::reports
