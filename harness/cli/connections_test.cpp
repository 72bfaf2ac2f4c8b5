#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "generators/subjects.h"
#include "harness/cli/external_options.h"
#include "harness/cli/subject_names.h"
#include "harness/document/base64.h"
#include "harness/document/yaml.h"
#include "harness/external/backends/shared_cluster.h"
#include "harness/runner/loop/run.h"
#include "harness/webhooks/rest.h"

namespace fixpoint::cli {
namespace {

using document::Value;

constexpr const char* kReaderChart = FIXPOINT_SOURCE "/harness/webhooks/adapters/reader.yaml";

/// A webhook with a bug that needs a Secret: it appends an env variable at every call.
class Reader {
 public:
  Reader() : api_(external::ClusterApi::start({.limits = kLimits}).value()), view_(api_->open_view()) {
    const Value config = document::read_yaml(view_->kubeconfig()).value();
    const Value& cluster = config["clusters"].at(0)["cluster"];
    server_ = {.server = std::string(cluster["server"].text()),
               .ca_bundle = *document::decode_base64(cluster["certificate-authority-data"].text()),
               .token = view_->token()};
  }

  webhooks::Handler handler() {
    auto cluster = std::make_shared<external::SharedCluster>(view_, kLimits);
    return [this, cluster](const webhooks::Call& call) {
      const webhooks::Answer answered =
          cluster->answer(call, [this](const webhooks::Call& shown) { return answer(shown); });
      const auto is_here = [&](const Value& object) {
        return object["kind"].text() == "Secret" &&
               object["metadata"]["namespace"].text() == call.request.namespace_name;
      };
      const auto there = std::to_string(std::ranges::count_if(call.cluster.objects, is_here));
      const auto read = answered.audit_annotations.find(kRead);
      if (call.read_fault.empty())
        wrong_ += read != answered.audit_annotations.end() && read->second == there ? 0 : 1;
      return answered;
    };
  }
  int calls() const { return calls_; }
  int wrong_reads() const { return wrong_; }

 private:
  webhooks::Answer answer(const webhooks::Call& call) {
    ++calls_;
    const std::string& space = call.request.namespace_name;
    webhooks::Rest rest(server_);
    const auto read = rest.send("GET", "/api/v1/namespaces/" + space + "/secrets");
    if (!read || read->status != 200) return webhooks::deny(500, "", "cannot read");
    const Value& secrets = read->body["items"];
    webhooks::Answer answer = webhooks::allow();
    const Value& containers = call.object["spec"]["containers"];
    if (secrets.size() > 0 && containers.size() > 0) answer = with_env(call, secrets.size());
    answer.audit_annotations[kRead] = std::to_string(secrets.size());
    return answer;
  }

  static webhooks::Answer with_env(const webhooks::Call& call, std::size_t secrets) {
    const Value& containers = call.object["spec"]["containers"];
    Value after = call.object;
    Value env = containers.at(0)["env"].size() > 0 ? containers.at(0)["env"] : Value::empty_list();
    env.push_back({{"name", "SECRETS"}, {"value", std::to_string(secrets)}});
    after.edit("spec").edit("containers").edit(0).set("env", env);
    return webhooks::allow_change(call.object, after);
  }

  static constexpr const char* kRead = "secrets";
  static constexpr Limits kLimits{.cluster_settle_milliseconds = 1};
  std::unique_ptr<external::ClusterApi> api_;
  std::shared_ptr<external::ClusterView> view_;
  webhooks::RestOptions server_ = {};
  std::atomic<int> calls_ = 0, wrong_ = 0;
};

struct Ran {
  std::vector<cases::Finding> findings = {};
  std::uint64_t acted = 0;
  int calls = 0, wrong_reads = 0;
};

Ran run_with(int connections) {
  const auto outside =
      external_webhooks({.webhooks = {"pods.reader.example.io=https://127.0.0.1:1/mutate"}}).value();
  const auto subjects = find_subjects({kReaderChart}, outside).value();
  Reader reader;
  webhooks::Resolve resolve = outside.bundled().resolve;
  resolve.outside = [handler = reader.handler()](const cases::Backend&) {
    return document::Result<webhooks::Handler>(handler);
  };
  runner::RunOptions run = generators::run_of(subjects, outside.bundled(), resolve);
  run.drawing.seed = 3;
  run.effort.cases_max = 24;
  run.effort.seconds_max = 0;
  run.effort.jobs = connections;
  run.effort.candidates_together = static_cast<std::size_t>(connections);
  run.effort.limits.shrink_tries_max = 24;
  runner::Listener silent;
  const runner::RunSummary summary = runner::run(run, silent);
  return {.findings = summary.findings,
          .acted = summary.acted.at("reader").acted,
          .calls = reader.calls(),
          .wrong_reads = reader.wrong_reads()};
}

/// Cases stand side by side in one served cluster, and each reads its own.
TEST(Connections, ChangeNoFinding) {
  const Ran alone = run_with(1), beside = run_with(4);
  EXPECT_FALSE(alone.findings.empty());
  EXPECT_GT(alone.acted, 10u);
  EXPECT_EQ(alone.acted, beside.acted);
  ASSERT_EQ(alone.findings.size(), beside.findings.size());
  for (std::size_t i = 0; i < alone.findings.size(); ++i) EXPECT_EQ(alone.findings[i], beside.findings[i]);
  EXPECT_GT(beside.calls, 150);
  EXPECT_EQ(beside.wrong_reads, 0) << "of " << beside.calls;
  EXPECT_EQ(alone.wrong_reads, 0) << "of " << alone.calls;
}

}  // namespace
}  // namespace fixpoint::cli
