#include "harness/api/fixpoint.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

#include "harness/cases/finding.h"
#include "harness/cli/work_folder_model.h"
#include "harness/document/base64.h"
#include "harness/document/json.h"

namespace fixpoint {
namespace {

constexpr const char* kConfiguration = R"(
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: own}
webhooks:
  - name: inject.example.io
    admissionReviewVersions: [v1]
    sideEffects: None
    reinvocationPolicy: IfNeeded
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
)";

std::string answer(const document::Value& review, const std::string& patch) {
  document::Value response{{"uid", review["request"]["uid"].text()}, {"allowed", true}};
  if (!patch.empty()) {
    response.set("patchType", "JSONPatch");
    response.set("patch", document::encode_base64(patch));
  }
  return document::write_json({{"apiVersion", "admission.k8s.io/v1"},
                               {"kind", "AdmissionReview"},
                               {"response", std::move(response)}});
}

/// Adds an env variable to the first container, and again in every further call.
std::string append(const std::string& text) {
  const auto review = document::read_json(text, {}).value();
  const auto& containers = review["request"]["object"]["spec"]["containers"];
  if (containers.empty()) return answer(review, "");
  const bool has_env = containers.elements()[0]["env"].is_array();
  const std::string env = R"({"name":"OWN","value":"1"})";
  return answer(review, R"([{"op":"add","path":"/spec/containers/0/env)" +
                            (has_env ? R"(/-","value":)" + env : R"(","value":[)" + env + "]") + "}]");
}

TEST(Check, FindsABugAndSaysItReadyToPrint) {
  const auto report = check(append, kConfiguration, {.seed = 3, .cases = 400});
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(report.cases, 400u);
  EXPECT_EQ(report.problem, "");
  bool is_found = false;
  for (const CheckFinding& finding : report.findings) {
    EXPECT_NE(report.text.find(finding.text), std::string::npos);
    const auto read = cases::read_finding(document::read_json(finding.document, {}).value());
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->fingerprint, finding.fingerprint);
    is_found = is_found || (finding.property == "no-duplicate-names" && finding.verdict == "growing" &&
                            finding.webhook == "own/inject.example.io");
  }
  EXPECT_TRUE(is_found) << report.text;
  const auto again = check(append, kConfiguration, {.seed = 3, .cases = 400, .jobs = 2});
  ASSERT_EQ(again.findings.size(), report.findings.size()) << "the same seed, whatever the jobs";
  for (std::size_t i = 0; i < again.findings.size(); ++i)
    EXPECT_EQ(again.findings[i].fingerprint, report.findings[i].fingerprint);
}

TEST(Check, AWebhookThatDoesNothingIsOkAlsoInALongRun) {
  const auto nothing = [](const std::string& text) {
    return answer(document::read_json(text, {}).value(), "");
  };
  const auto report = check(nothing, kConfiguration, {.cases = 1200, .peers = {"peers/sidecar-guarded"}});
  EXPECT_TRUE(report.ok()) << report.text;
}

/// Only one of the configuration's values makes the webhook act, and it is not the first one.
TEST(Check, LeadsTheHandlerToAct) {
  const std::string selector = R"(
    objectSelector:
      matchExpressions:
        - {key: team, operator: In, values: [red, blue, green]}
        - {key: team, operator: In, values: [green]}
)";
  const auto label = [](const std::string& text) {
    const auto review = document::read_json(text, {}).value();
    return answer(review, R"([{"op":"add","path":"/metadata/labels/seen","value":"yes"}])");
  };
  const auto report = check(label, kConfiguration + selector, {.seed = 5, .cases = 1000});
  EXPECT_EQ(report.problem, "");
  EXPECT_GE(2 * report.acted, report.cases) << report.acted;
  EXPECT_LT(report.acted, report.cases);
}

TEST(Check, WhatAHandlerThrowsIsACallThatFailed) {
  const auto report = check([](const std::string&) -> std::string { throw std::runtime_error("no"); },
                            kConfiguration, {.cases = 50});
  EXPECT_EQ(report.problem, "");
  EXPECT_EQ(report.cases, 50u);
  EXPECT_FALSE(report.ok()) << report.text;
}

TEST(Check, SaysWhatIsWrongWithAConfiguration) {
  const std::string good = kConfiguration;
  const struct {
    std::string text;
    const char* says;
  } rows[] = {{"", "configuration: expected one MutatingWebhookConfiguration"},
              {"kind: Pod", "configuration: expected one MutatingWebhookConfiguration"},
              {"{", "configuration: "},
              {good + "---\nkind: Pod\n", "configuration: expected one MutatingWebhookConfiguration"},
              {"kind: MutatingWebhookConfiguration\nmetadata: {name: x}", "configuration: /webhooks: "},
              {"kind: MutatingWebhookConfiguration", "configuration: /metadata/name: "}};
  for (const auto& row : rows) {
    const auto report = check(append, row.text);
    EXPECT_FALSE(report.ok());
    EXPECT_TRUE(report.problem.starts_with(row.says)) << row.text << ": " << report.problem;
    EXPECT_EQ(report.text, report.problem + "\n");
  }
  EXPECT_NE(check(append, good, {.peers = {"peers/none"}}).problem.find("peers"), std::string::npos);
}

/// Builds and runs a separate project against an installed fixpoint.
TEST(Consumer, BuildsAgainstAnInstalledFixpointAndRuns) {
  const cli::WorkFolder folder("consumer");
  const auto install = folder.shell("cmake --install " FIXPOINT_BUILD " --prefix prefix");
  ASSERT_EQ(install.code, 0) << install.out << install.err;
  const auto build = folder.shell("cmake -S " FIXPOINT_SOURCE
                                  "/harness/api/consumer -B build -G Ninja -DCMAKE_PREFIX_PATH=$PWD/prefix "
                                  "-DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=" FIXPOINT_COMPILER
                                  " '-DCMAKE_CXX_FLAGS=" FIXPOINT_COMPILER_FLAGS "' && cmake --build build");
  ASSERT_EQ(build.code, 0) << build.out << build.err;
  const auto ran = folder.shell("build/consumer");
  EXPECT_EQ(ran.code, 0) << ran.out;
  EXPECT_NE(ran.out.find("FOUND  no-duplicate-names"), std::string::npos) << ran.out;
  const auto installed = folder.shell("prefix/bin/fixpoint version");
  EXPECT_EQ(installed.out.substr(0, 9), "fixpoint ");
  for (const char* file : {"share/man/man1/fixpoint.1", "share/bash-completion/completions/fixpoint",
                           "share/zsh/site-functions/_fixpoint",
                           "share/fish/vendor_completions.d/fixpoint.fish", "share/doc/fixpoint/LICENSE"})
    EXPECT_NE(folder.read(std::string("prefix/") + file), "") << file;
  EXPECT_EQ(folder.shell("cd prefix/include && find . -type f").out, "./fixpoint/fixpoint.h\n");
  EXPECT_NE(folder.shell("ls prefix/share/fixpoint/corpus/regressions prefix/share/fixpoint/schemas").out,
            "");
  // The package can be moved: it names no folder of the machine that built it.
  const auto paths =
      folder.shell("cat prefix/lib*/cmake/fixpoint/*.cmake prefix/lib*/*/cmake/fixpoint/*.cmake");
  EXPECT_NE(paths.out.find("fixpoint::fixpoint"), std::string::npos) << paths.err;
  for (const char* place : {"/usr/", FIXPOINT_SOURCE})
    EXPECT_EQ(paths.out.find(place), std::string::npos) << place;
}

/// Packs fixpoint, unpacks the package elsewhere and runs what is in it.
TEST(Package, IsOneThatDebianInstalls) {
  const cli::WorkFolder folder("package");
  const auto packed = folder.shell("cpack -G DEB --config " FIXPOINT_BUILD "/CPackConfig.cmake -B packed");
  ASSERT_EQ(packed.code, 0) << packed.out << packed.err;
  const auto fields = folder.shell("dpkg-deb --field packed/*.deb Package Depends");
  EXPECT_EQ(fields.code, 0) << fields.err;
  for (const char* library :
       {"libc6 (>= ", "libcurl4 (>= ", "libmicrohttpd12 (>= ", "libre2-", "libyaml-cpp"})
    EXPECT_NE(fields.out.find(library), std::string::npos) << library << " in " << fields.out;
  const auto ran = folder.shell(
      "dpkg-deb -x packed/*.deb root && root/usr/bin/fixpoint fuzz kserve/modelcar@0.12.0 --cases 50");
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("ERROR"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("regressions:"), std::string::npos) << "the corpus of the package: " << ran.out;
}

/// Configures a project that has fixpoint as a part, without the packages of the tests.
TEST(Consumer, ConfiguresWithFixpointAsASubdirectory) {
  const cli::WorkFolder folder("subdirectory");
  folder.write("main.cpp", "int main() {}\n");
  folder.write("CMakeLists.txt",
               "cmake_minimum_required(VERSION 3.25)\nproject(sub LANGUAGES CXX)\n"
               "set(BUILD_TESTING OFF CACHE BOOL \"\")\n"
               "foreach(package GTest benchmark rapidcheck)\n"
               "  set(CMAKE_DISABLE_FIND_PACKAGE_${package} ON)\nendforeach()\n"
               "add_subdirectory(" FIXPOINT_SOURCE
               " fixpoint)\nadd_executable(sub main.cpp)\n"
               "target_link_libraries(sub PRIVATE fixpoint::fixpoint)\n");
  const auto configured =
      folder.shell("cmake -S . -B build -G Ninja -DCMAKE_CXX_COMPILER=" FIXPOINT_COMPILER);
  EXPECT_EQ(configured.code, 0) << configured.out << configured.err;
}

}  // namespace
}  // namespace fixpoint
