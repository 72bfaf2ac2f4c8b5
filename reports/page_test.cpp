#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "harness/patterns_model.h"
#include "reports/assets.h"
#include "reports/costs.h"
#include "reports/problem_view.h"
#include "reports/report_formats.h"

namespace fixpoint::reports {
namespace {

namespace files = std::filesystem;

/// The HTML report in a real browser: its script runs, filters problems, opens findings and draws charts.
class Page : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("chromium --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no chromium";
    folder_ = files::temp_directory_path() / ("fixpoint-page-" + std::to_string(getpid()));
    files::create_directories(folder_);
    std::ofstream(folder_ / "run.html") << write_as("html", record());
  }
  void TearDown() override { files::remove_all(folder_); }

  /// Returns a finding of a new problem, unless another finding has the same place.
  static cases::Finding finding(const std::string& property, const std::string& severity,
                                const std::string& print, const std::string& place) {
    cases::Finding finding{.property = property, .severity = severity, .fingerprint = print};
    finding.evidence.reason = "</script><script>document.title='owned'</script>";
    finding.evidence.path = place;
    finding.evidence.calls = {
        {.pass = 1, .webhook = "c/w", .effect = {"+ container " + std::string(80, 'x')}}};
    finding.cause = {{.part = "part-" + severity, .place = place, .symptom = "duplicate"}};
    finding.value.name = print;
    return finding;
  }
  static RunRecord record() {
    RunRecord record{.seed = "7", .complete = true};
    record.findings = {
        {.finding = finding("converges", "error", "aaaaaaaaaaaa", "spec.a"), .state = "new"},
        {.finding = finding("idempotent", "warning", "bbbbbbbbbbbb", "spec.b"), .state = "new"},
        {.finding = finding("idempotent", "error", "cccccccccccc", "spec.c"), .state = "failing"},
        {.finding = finding("converges", "error", "dddddddddddd", "spec.c"), .state = "failing"}};
    record.summary.cases = 10;
    record.summary.properties = {{"converges", {.asked = 10, .held = 9, .violated = 1}}};
    record.latencies = {{"x", 3000, 80, 4.5, 5.5, 9.25, 40}};
    record.costs = kCosts;
    return record;
  }

  static inline const std::vector<CostRow> kCosts{
      {"containers", 3, 60}, {"containers", 10, 150}, {"webhooks", 5, 80},    {"webhooks", 20, 300},
      {"kilobytes", 4, 60},  {"kilobytes", 16, 960},  {"kilobytes", 64, 3800}};

  /// Returns the document after the browser has run the page's scripts.
  std::string dom(const std::string& hash, const std::string& more = "") const {
    const std::string command = "HOME=" + folder_.string() +
                                " timeout 60 chromium --headless --no-sandbox --disable-gpu"
                                " --disable-dev-shm-usage --user-data-dir=" +
                                (folder_ / "profile").string() + " " + more + " --dump-dom 'file://" +
                                (folder_ / "run.html").string() + "#" + hash + "' 2>/dev/null >" +
                                (folder_ / "dom").string();
    if (std::system(command.c_str()) != 0) return "";
    std::ifstream file(folder_ / "dom");
    return {std::istreambuf_iterator<char>(file), {}};
  }

  /// Adds another script, which a reader's browser would not run, to the page.
  void add_script(const std::string& script) const {
    std::string page = write_as("html", record());
    page = replaced(page, "<meta http-equiv=[^>]*>", "");
    std::ofstream(folder_ / "run.html") << page << "<script>" << script << "</script>";
  }

  /// Returns the places of the visible problems in their order.
  static std::string shown(const std::string& dom) {
    std::string places;
    for (const auto& found : all_found(dom, "<article class=\"problem [^>]*>"))
      if (found[0].find(" hidden=") == std::string::npos) {
        const auto after = dom.substr(dom.find(found[0]), 700);
        places += replaced(after, "^[^]*adds spec\\.([a-z])[^]*$", "$1");
      }
    return places;
  }

  files::path folder_;
};

TEST_F(Page, RunsDrawsAndIsNotInjected) {
  const std::string page = dom("theme=dark");
  EXPECT_NE(page.find("data-ready=\"true\""), std::string::npos) << "the script ran to its end";
  EXPECT_NE(page.find("data-charts=\"7\""), std::string::npos);
  EXPECT_NE(page.find("data-theme=\"dark\""), std::string::npos);
  EXPECT_NE(page.find(">Light theme</button>"), std::string::npos);
  EXPECT_NE(page.find("3 of 3 shown"), std::string::npos);
  EXPECT_EQ(page.find("<title>owned"), std::string::npos);
  EXPECT_EQ(shown(page), "abc") << "news first, then errors, then those with more findings";
}

TEST_F(Page, OfCurvesAloneRunsAndDraws) {
  std::ofstream(folder_ / "run.html") << write_costs_html(curves_of(kCosts), "0.1.0");
  const std::string page = dom("theme=dark");
  EXPECT_NE(page.find("data-ready=\"true\""), std::string::npos) << "the script ran to its end";
  EXPECT_NE(page.find("data-charts=\"3\""), std::string::npos);
  EXPECT_NE(page.find("FAILED: 1 quadratic step"), std::string::npos);
}

TEST_F(Page, FiltersByItsAddressAndCounts) {
  EXPECT_EQ(shown(dom("severity=error")), "ac");
  EXPECT_EQ(shown(dom("state=new")), "ab");
  EXPECT_EQ(shown(dom("property=idempotent")), "bc");
  EXPECT_EQ(shown(dom("words=part-warning+spec.b")), "b");
  const std::string page = dom("property=converges&severity=error&state=known");
  EXPECT_EQ(shown(page), "c");
  EXPECT_NE(page.find("1 of 3 shown"), std::string::npos);
  EXPECT_TRUE(is_found(page, ">converges \\(1\\)</option>")) << "of the known errors";
  EXPECT_TRUE(is_found(page, "> new <span class=\"count\">1<")) << "of the errors of converges";
}

TEST_F(Page, OpensTheProblemOfItsAddress) {
  const auto views = views_of(record());
  const std::string id = views[1].problem.id, page = dom("problem-" + id);
  EXPECT_TRUE(is_found(page, "id=\"problem-" + id + "\"[^>]*><details open="));
  EXPECT_FALSE(is_found(page, "id=\"problem-" + views[0].problem.id + "\"[^>]*><details open="));
  const std::string other = dom("finding-dddddddddddd&severity=error");
  EXPECT_TRUE(is_found(other, "id=\"problem-" + views[2].problem.id + "\"[^>]*><details open="))
      << "around it";
  EXPECT_TRUE(is_found(other, "id=\"finding-dddddddddddd\"><details open="));
}

TEST_F(Page, IsWalkedByKeysAndKeepsItsStateInTheAddress) {
  add_script(R"(const key = (name) => document.activeElement.dispatchEvent(
      new KeyboardEvent("keydown", { key: name, bubbles: true }));
    const at = () => document.activeElement.closest("article").dataset.property.replace("\n", "+");
    const seen = [];
    for (const name of ["j", "j", "j", "j", "k"]) { key(name); seen.push(at()); }
    key("/");
    seen.push(document.activeElement.name);
    document.activeElement.value = "spec.b";
    document.querySelector(".filter").dispatchEvent(new Event("input"));
    document.body.dataset.seen = seen.join(" ") + location.hash;)");
  const std::string page = dom("");
  EXPECT_TRUE(is_found(page,
                       "data-seen=\"converges idempotent converges\\+idempotent converges\\+idempotent "
                       "idempotent words#words=spec.b\""))
      << page.substr(page.find("<body"), 200);
}

TEST_F(Page, IsReadableWithoutItsScripts) {
  const std::string whole = write_as("html", record()), page = whole.substr(0, whole.find("<script"));
  EXPECT_TRUE(is_found(page, "<form class=\"filter\" role=\"search\" hidden>")) << "it would do nothing";
  EXPECT_EQ(all_found(page, "<article class=\"problem ").size(), 3u);
  EXPECT_EQ(all_found(page, "<article class=\"finding ").size(), 4u);
  EXPECT_FALSE(is_found(page, "<article[^>]* hidden"));
}

/// Returns the number after `name=` in the page's notes.
double noted(const std::string& page, const std::string& name) {
  const auto found = all_found(page, name + "=([-0-9.e+]+)");
  return found.empty() ? NAN : std::stod(found[0][1]);
}

TEST_F(Page, IsAsWideAsAPhone) {
  // A frame is used because a window of the browser may have a minimum width.
  add_script(R"(for (const details of document.querySelectorAll("details")) details.open = true;
    parent.postMessage(`inner=${innerWidth} scroll=${document.documentElement.scrollWidth}`, "*");)");
  files::rename(folder_ / "run.html", folder_ / "frame.html");
  std::ofstream(folder_ / "run.html")
      << "<body><script>addEventListener('message', (event) => { document.body.dataset.seen = event.data; });"
         "</script><iframe src='frame.html' style='width: 390px; height: 900px; border: 0'></iframe>";
  const std::string page = dom("");
  EXPECT_EQ(noted(page, "inner"), 390);
  EXPECT_LE(noted(page, "scroll"), 390) << "tables scroll in boxes of their own";
}

TEST_F(Page, ScalesAreLogarithmic) {
  add_script(R"(const notes = [];
    for (const canvas of document.querySelectorAll("canvas[data-chart]")) {
      const scales = Object.values(Chart.getChart(canvas).scales);
      for (const scale of scales.filter((one) => one.type === "logarithmic")) {
        const at = (value) => scale.getPixelForValue(value), middle = Math.sqrt(scale.min * scale.max);
        const rises = scale.ticks.every((tick, i) => i === 0 || tick.value > scale.ticks[i - 1].value);
        const even = Math.abs(at(middle) - (at(scale.min) + at(scale.max)) / 2) < 0.5;
        notes.push(canvas.dataset.chart + scale.axis + (rises && even && scale.ticks.length > 1));
      }
    }
    document.body.dataset.seen = notes.join(" ");)");
  const std::string page = dom("");
  for (const char* chart : {"latency-1-3000y", "costs-0x", "costs-0y", "costs-1x", "costs-2y"})
    EXPECT_NE(page.find(std::string(chart) + "true"), std::string::npos) << chart;
}

TEST_F(Page, IsOpenAndLightOnPaperAndAsItWasAfterwards) {
  add_script(R"js(const notes = [];
    const note = (when) => {
      const count = (which) => document.querySelectorAll(which + ":not([open])").length;
      const theme = document.documentElement.dataset.theme;
      notes.push(`${when}=${count(".problem > details")},${count(".finding > details")},${theme}`);
    };
    note("before");
    dispatchEvent(new Event("beforeprint"));
    note("paper");
    dispatchEvent(new Event("afterprint"));
    note("after");
    document.body.dataset.seen = notes.join(" ") + location.hash;)js");
  const std::string page = dom("theme=dark");
  EXPECT_TRUE(is_found(page, "before=3,1,dark paper=0,1,light after=3,1,dark#theme=dark"))
      << page.substr(page.find("<body"), 200);
}

/// A colour of a theme, with parts from 0 to 255.
struct Colour {
  double red, green, blue;
};
double luminance(const Colour& colour) {
  const auto linear = [](double part) {
    return part <= 0.04045 * 255 ? part / 255 / 12.92 : std::pow((part / 255 + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
}
double contrast(const Colour& one, const Colour& other) {
  const auto [less, more] = std::minmax({luminance(one), luminance(other)});
  return (more + 0.05) / (less + 0.05);
}
Colour colour_of(const std::string& hex) {
  const auto part = [&](std::size_t at) { return std::stoi(hex.substr(at, 2), nullptr, 16); };
  return {static_cast<double>(part(0)), static_cast<double>(part(2)), static_cast<double>(part(4))};
}

TEST(PageStyle, NineSeriesStandOutInBothThemesAndDifferInTheirDashes) {
  std::vector<Colour> grounds;
  for (const auto& found : all_found(page_style(), "--ground: #([0-9a-f]{6})"))
    grounds.push_back(colour_of(found[1]));
  grounds.resize(3);  // light, dark by the system's setting, dark by the reader's choice
  std::set<std::string> dashes;
  for (int i = 1; i <= 9; ++i) {
    const std::string number = std::to_string(i);
    const auto colours = all_found(page_style(), "--s" + number + ": #([0-9a-f]{6})");
    ASSERT_EQ(colours.size(), 3u) << i;
    for (std::size_t theme = 0; theme < 3; ++theme)
      EXPECT_GE(contrast(colour_of(colours[theme][1]), grounds[theme]), 3) << i << " in theme " << theme;
    for (const auto& dash : all_found(page_style(), "--d" + number + ": ([^;]+);")) dashes.insert(dash[1]);
  }
  EXPECT_EQ(dashes.size(), 9u);
}

TEST_F(Page, PaintsBothThemesDifferently) {
  const auto picture = [&](const char* theme) {
    const auto file = folder_ / (std::string(theme) + ".png");
    dom(std::string("theme=") + theme, "--window-size=800,900 --screenshot=" + file.string());
    std::ifstream bytes(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(bytes), {});
  };
  const std::string light = picture("light"), dark = picture("dark");
  EXPECT_GT(light.size(), 10'000u);
  EXPECT_GT(dark.size(), 10'000u);
  EXPECT_NE(light, dark);
}

}  // namespace
}  // namespace fixpoint::reports
