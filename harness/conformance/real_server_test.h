#pragma once

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "harness/cli/program_test.h"
#include "harness/cli/running_model.h"
#include "harness/conformance/kubeconfig.h"
#include "harness/document/document_stream.h"
#include "harness/webhooks/rest.h"

namespace fixpoint::conformance {

using document::Value;

/// A folder of its own for a test that looks at exit codes alone.
class Folder : public cli::ProgramTest {
 protected:
  int run(const std::string& arguments) const { return cli::ProgramTest::run(arguments, "").code; }
};

/// A fixture with a real API server on a real etcd; the test serves the webhooks over HTTPS.
class RealServer : public Folder {
 protected:
  void SetUp() override {
    Folder::SetUp();
    const char* program = std::getenv("FIXPOINT_APISERVER");
    if (program == nullptr)
      GTEST_SKIP()
          << "needs a real API server: .ci/run builds one where Go is, and says so in FIXPOINT_APISERVER";
    write("policy.yaml",
          "apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules:\n"
          "  - {level: RequestResponse, resources: [{group: '', resources: [pods]}]}\n  - {level: None}\n");
    server_ = std::make_unique<cli::Running>(
        std::vector<std::string>{program, "--dir", (folder_ / "state").string(), "--",
                                 "--audit-policy-file=" + (folder_ / "policy.yaml").string(),
                                 "--audit-log-path=" + (folder_ / "audit.log").string()},
        "kubeconfig=");
    ASSERT_NE(server_->out().find("ready "), std::string::npos) << server_->out();
  }
  void TearDown() override {
    if (server_) {
      EXPECT_EQ(server_->stop(SIGTERM), 0);
    }
    Folder::TearDown();
  }
  std::vector<Value> live(const std::string& files, int expected) const {
    EXPECT_EQ(run("live --json --kubeconfig state/kubeconfig " + files), expected)
        << read("err") << read("out");
    const auto documents = document::read_file((folder_ / "out").string());
    EXPECT_TRUE(documents);
    return documents ? *documents : std::vector<Value>();
  }

  /// Returns the names of the objects in a collection that runs of `live` left, except those being deleted.
  std::vector<std::string> left(const std::string& collection) const {
    auto options = read_kubeconfig((folder_ / "state/kubeconfig").string());
    EXPECT_TRUE(options);
    webhooks::Rest rest(*options);
    const auto all = rest.send("GET", collection);
    EXPECT_TRUE(all);
    std::vector<std::string> names;
    for (const Value& one : all->body["items"].elements()) {
      const std::string name(one["metadata"]["name"].text());
      if (name.find("fixpoint-live-") != std::string::npos && one["metadata"]["deletionTimestamp"].is_null())
        names.push_back(name);
    }
    return names;
  }

  std::unique_ptr<cli::Running> server_;
};

}  // namespace fixpoint::conformance
