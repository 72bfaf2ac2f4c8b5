// Runs `fixpoint report` from the command line.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "harness/cli/program_test.h"
#include "harness/document/json.h"

namespace fixpoint::cli {
namespace {

/// A webhook that adds a container without a check.
constexpr const char* kCareless = R"(apiVersion: fixpoint/v1
kind: Subject
name: careless
webhooks:
  careless/hook.example.io:
    script:
      - patch: [{op: add, path: /spec/containers/-, value: {name: proxy, image: proxy}}]
configuration:
  apiVersion: admissionregistration.k8s.io/v1
  kind: MutatingWebhookConfiguration
  metadata: {name: careless}
  webhooks:
    - name: hook.example.io
      admissionReviewVersions: [v1]
      sideEffects: None
      reinvocationPolicy: IfNeeded
      rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
)";

class Report : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("hook.yaml", kCareless);
    EXPECT_EQ(run("fuzz " + path("hook.yaml") + " --seed 1 --cases 60 --out run").code, 1);
  }
  Outcome run(const std::string& arguments) const { return ProgramTest::run(arguments, "nowhere"); }
  static std::string first_uri(const std::string& sarif) {
    const auto log = document::read_json(sarif, {}, document::Strictness::foreign);
    if (!log) return log.error().text();
    const auto& location = (*log)["runs"].at(0)["results"].at(0)["locations"].at(0);
    return std::string(location["physicalLocation"]["artifactLocation"]["uri"].text());
  }
};

TEST_F(Report, OfSarifNamesTheFileOfTheSubject) {
  EXPECT_EQ(first_uri(run("report run --format sarif").out), "hook.yaml") << "as the repository names it";
  EXPECT_NE(read("out").find("\"startLine\": 13"), std::string::npos) << "the line of the webhook: - name:";
  EXPECT_EQ(first_uri(run("report run --format sarif --source charts/hook.yaml").out), "charts/hook.yaml");
}

TEST_F(Report, RefusesASourceThatIsNoneOfTheRepository) {
  for (const char* bad : {"/etc/hook.yaml", "../hook.yaml"}) {
    const auto ran = run(std::string("report run --format sarif --source ") + bad);
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find("from the root of the repository"), std::string::npos) << ran.err;
  }
  EXPECT_EQ(run("report run --source hook.yaml").code, 2) << "text has no places";
}

TEST_F(Report, LinksThePagesOfEarlierRunsFromWhereItStands) {
  for (const char* folder : {"kept", "pages"}) std::filesystem::create_directories(path(folder));
  for (const char* seed : {"1", "2"})
    EXPECT_EQ(run("fuzz " + path("hook.yaml") + " --cases 60 --quiet --history kept/h.ndjson --seed " + seed +
                  " --out kept/run-" + seed + " --report html=pages/" + seed + ".html")
                  .code,
              1);
  EXPECT_NE(read("kept/h.ndjson").find("\"folder\":\"run-1\",\"report\":\"../pages/1.html\""),
            std::string::npos);
  const std::string page = read("pages/2.html");
  EXPECT_NE(page.find("<a href=\"1.html\">report</a>"), std::string::npos);
  EXPECT_NE(page.find("<a href=\"2.html\">report</a>"), std::string::npos) << "its own";
  EXPECT_NE(page.find("<code>kept/<wbr>run-1</code>"), std::string::npos);
  const std::string reported = run("report kept/run-2 --format html --history kept/h.ndjson").out;
  EXPECT_NE(reported.find("<a href=\"pages/1.html\">report</a>"), std::string::npos) << "from here";
  std::filesystem::remove(path("pages/1.html"));
  const std::string later = run("report kept/run-2 --format html --history kept/h.ndjson").out;
  EXPECT_EQ(later.find("pages/1.html"), std::string::npos) << "it is gone";
}

}  // namespace
}  // namespace fixpoint::cli
