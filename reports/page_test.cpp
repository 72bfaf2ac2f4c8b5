#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "harness/patterns_model.h"
#include "reports/costs.h"
#include "reports/report_formats.h"

namespace fixpoint::reports {
namespace {

namespace files = std::filesystem;

/// The HTML report in a real browser: its script runs, filters, opens, draws.
class Page : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("chromium --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no chromium";
    folder_ = files::temp_directory_path() / ("fixpoint-page-" + std::to_string(getpid()));
    files::create_directories(folder_);
    std::ofstream(folder_ / "run.html") << write_as("html", record());
  }
  void TearDown() override { files::remove_all(folder_); }

  static cases::Finding finding(const std::string& property, const std::string& severity,
                                const std::string& print) {
    cases::Finding finding{.property = property, .severity = severity, .fingerprint = print};
    finding.evidence.because = "</script><script>document.title='owned'</script>";
    return finding;
  }
  static RunRecord record() {
    RunRecord record{.seed = "7", .complete = true};
    record.findings = {{.finding = finding("converges", "error", "aaaaaaaaaaaa")},
                       {.finding = finding("idempotent", "warning", "bbbbbbbbbbbb")},
                       {.finding = finding("idempotent", "error", "cccccccccccc")}};
    record.summary.cases = 10;
    record.summary.properties = {{"converges", {.asked = 10, .held = 9, .violated = 1}}};
    record.latencies = {{"x", 3000, 80, 4.5, 5.5, 9.25, 40}};
    record.costs = kCosts;
    return record;
  }

  static inline const std::vector<CostRow> kCosts{
      {"containers", 3, 60}, {"containers", 10, 150}, {"webhooks", 5, 80},    {"webhooks", 20, 300},
      {"kilobytes", 4, 60},  {"kilobytes", 16, 960},  {"kilobytes", 64, 3800}};

  /// The document as the browser has it once its scripts have run.
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

  static int hidden(const std::string& dom) {
    return static_cast<int>(all_found(dom, "<article[^>]* hidden=").size());
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
  EXPECT_EQ(hidden(page), 0);
}

TEST_F(Page, OfCurvesAloneRunsAndDraws) {
  std::ofstream(folder_ / "run.html") << write_costs_html(curves_of(kCosts), "0.1.0");
  const std::string page = dom("theme=dark");
  EXPECT_NE(page.find("data-ready=\"true\""), std::string::npos) << "the script ran to its end";
  EXPECT_NE(page.find("data-charts=\"3\""), std::string::npos);
  EXPECT_NE(page.find("FAILED: 1 quadratic step"), std::string::npos);
}

TEST_F(Page, FiltersAndOpens) {
  const std::string page = dom("property=idempotent&severity=error&open=cccccccccccc");
  EXPECT_NE(page.find("1 of 3 shown"), std::string::npos);
  EXPECT_EQ(hidden(page), 2);
  EXPECT_TRUE(is_found(page, "id=\"finding-cccccccccccc\"[^>]*><details open="));
  EXPECT_FALSE(is_found(page, "id=\"finding-aaaaaaaaaaaa\"[^>]*><details open="));
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
