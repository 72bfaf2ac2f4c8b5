#include "harness/external/backends/shared_cluster.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "harness/cases/plain_namespace.h"
#include "harness/document/base64.h"
#include "harness/document/yaml.h"
#include "harness/webhooks/rest.h"

namespace fixpoint::external {
namespace {

using document::Value;

/// Reads with what a kubeconfig says.
Value send_with(const std::string& kubeconfig, const std::string& method, const std::string& path,
                const Value& body = {}) {
  const Value config = document::read_yaml(kubeconfig).value();
  const Value& cluster = config["clusters"].at(0)["cluster"];
  webhooks::Rest rest({.server = std::string(cluster["server"].text()),
                       .ca_bundle = *document::decode_base64(cluster["certificate-authority-data"].text()),
                       .token = std::string(config["users"].at(0)["user"]["token"].text())});
  const auto answer = body.is_null() ? rest.send(method, path) : rest.send(method, path, body);
  return answer ? answer->body : Value();
}

/// A Case's cluster with a Secret `db`, whose label says the number.
struct NumberedCall {
  explicit NumberedCall(std::uint64_t number, std::string space = {}) {
    request.namespace_name = space.empty() ? cases::plain_namespace(number) : std::move(space);
    cluster.objects = {{{"apiVersion", "v1"},
                        {"kind", "Secret"},
                        {"metadata",
                         {{"name", "db"},
                          {"namespace", request.namespace_name},
                          {"labels", {{"number", std::to_string(number)}}}}}}};
  }
  webhooks::Call call() const {
    return {.object = object,
            .old_object = none,
            .request = request,
            .cluster = cluster,
            .webhook = "c/a.b.c",
            .review_version = "v1",
            .uid = "u",
            .name = "web"};
  }
  std::string path() const { return "/api/v1/namespaces/" + request.namespace_name + "/secrets/db"; }
  Value object = {{"metadata", {{"name", "web"}}}}, none = {};
  cases::Request request = {};
  cases::Cluster cluster = {};
};

class SharedClusterTest : public testing::Test {
 protected:
  SharedClusterTest()
      : api_(ClusterApi::start({.limits = kLimits}).value()),
        cluster_(std::make_shared<SharedCluster>(api_->open_view(), kLimits)) {}

  /// Answers with the label that the webhook reads; reads once before, so that the kind is known.
  std::string number_read(const NumberedCall& parts, const std::function<void()>& meanwhile = [] {}) {
    return cluster_
        ->answer(parts.call(),
                 [&](const webhooks::Call&) {
                   meanwhile();
                   const Value secret = send_with(cluster_->view().kubeconfig(), "GET", parts.path());
                   return webhooks::deny(403, "", std::string(secret["metadata"]["labels"]["number"].text()));
                 })
        .status.message;
  }

  static constexpr Limits kLimits{.cluster_settle_milliseconds = 1, .cluster_still_milliseconds = 1};
  std::unique_ptr<ClusterApi> api_;
  std::shared_ptr<SharedCluster> cluster_;
};

/// Each of two calls goes on only when the other one has begun.
TEST_F(SharedClusterTest, LetsCallsInPlainNamespacesBeMadeAtATime) {
  ASSERT_EQ(number_read(NumberedCall(0)), "0");  // from now on the kind is known
  std::atomic<int> begun = 0;
  const auto meet = [&] {
    ++begun;
    for (int i = 0; i < 2000 && begun < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  std::string one, other;
  std::thread beside([&] { other = number_read(NumberedCall(2), meet); });
  one = number_read(NumberedCall(1), meet);
  beside.join();
  EXPECT_EQ(begun, 2);
  EXPECT_EQ(one, "1");
  EXPECT_EQ(other, "2");
}

/// Namespaces come again with other objects, and some Cases are in one with a name of its own.
TEST_F(SharedClusterTest, GivesEachOfManyCallsItsOwnObjects) {
  std::atomic<std::uint64_t> next = 0, stale = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] {
      for (std::uint64_t number = next++; number < 400; number = next++) {
        const NumberedCall parts(number, number % 7 == 0 ? "default" : "");
        stale += number_read(parts) == std::to_string(number) ? 0 : 1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(stale, 0u);
}

/// Objects of a Case in other namespaces are its own, too: a Secret of another namespace that another Case
/// lacks.
TEST_F(SharedClusterTest, KeepsApartWhatDiffersOutsideOfTheNamespaces) {
  ASSERT_EQ(number_read(NumberedCall(0)), "0");
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t number = 1; number < 9; ++number) {
    threads.emplace_back([&, number] {
      NumberedCall parts(number), far(number, "system");
      const bool has_it = number % 2 == 0;
      if (has_it) parts.cluster.objects.push_back(far.cluster.objects[0]);
      for (int i = 0; i < 10; ++i) {
        cluster_->answer(parts.call(), [&](const webhooks::Call&) {
          const Value secret = send_with(cluster_->view().kubeconfig(), "GET", far.path());
          const std::string seen(secret["metadata"]["labels"]["number"].text());
          wrong += seen == (has_it ? std::to_string(number) : "") ? 0 : 1;
          return webhooks::allow();
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

/// Reads of a namespace belong to its Case; who writes is asked again alone, on its own cluster.
/// The calls of a Case follow each other: the cluster does not change between them for another Case.
TEST_F(SharedClusterTest, StaysForTheCallsOfACase) {
  ASSERT_EQ(number_read(NumberedCall(0)), "0");
  std::mutex mutex;
  std::string order;
  const auto calls_of = [&](std::uint64_t number) {
    NumberedCall parts(number);
    parts.cluster.objects.push_back(NumberedCall(number, "system").cluster.objects[0]);
    for (int i = 0; i < 8; ++i)
      number_read(parts, [&] {
        const std::lock_guard lock(mutex);
        order += std::to_string(number);
      });
  };
  std::thread other([&] { calls_of(1); });
  calls_of(2);
  other.join();
  const auto changes = std::ranges::count_if(
      order, [&, last = order[0]](char c) mutable { return std::exchange(last, c) != c; });
  EXPECT_EQ(order.size(), 16U);
  EXPECT_LE(changes, 4) << order;
}

TEST_F(SharedClusterTest, GivesTheReadsOfAnInformerThatBeganBeforeToTheNextCall) {
  const NumberedCall one(1);
  cluster_->show(one.cluster);
  send_with(cluster_->view().kubeconfig(), "GET", "/api/v1/secrets");
  const auto accesses = [&] {
    return cluster_->answer(one.call(), [](const webhooks::Call&) { return webhooks::allow(); }).accesses;
  };
  const auto first = accesses();
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].verb + " " + first[0].kind, "list Secret");
  send_with(cluster_->view().kubeconfig(), "GET", "/api/v1/secrets");
  EXPECT_TRUE(accesses().empty()) << "once is enough";
}

TEST_F(SharedClusterTest, AsksAWriterAgainAlone) {
  ASSERT_EQ(number_read(NumberedCall(0)), "0");
  const NumberedCall parts(1);
  int calls = 0;
  const webhooks::Answer answer = cluster_->answer(parts.call(), [&](const webhooks::Call&) {
    ++calls;
    const std::string place = "/api/v1/namespaces/" + parts.request.namespace_name + "/secrets";
    const Value secret{{"apiVersion", "v1"}, {"kind", "Secret"}, {"metadata", {{"name", "new"}}}};
    const Value made = send_with(cluster_->view().kubeconfig(), "POST", place, secret);
    return webhooks::deny(403, "", std::string(made["kind"].text()));
  });
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(answer.status.message, "Secret") << "the first write is taken back";
  ASSERT_EQ(answer.accesses.size(), 1u);
  EXPECT_TRUE(answer.accesses[0].is_write());
}

/// The controllers of an operator run beside its webhooks, and write when they like.
TEST_F(SharedClusterTest, TakesNoWriteOfAControllerForThatOfACall) {
  ASSERT_EQ(number_read(NumberedCall(0)), "0");
  const std::string& config = cluster_->view().kubeconfig();
  std::thread watching([&] { send_with(config, "GET", "/api/v1/secrets?watch=true&timeoutSeconds=2"); });
  while (!cluster_->view().has_watches()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const auto write = [&](const char* kind, const char* plural) {
    const Value object{{"apiVersion", "v1"}, {"kind", kind}, {"metadata", {{"generateName", "new-"}}}};
    send_with(config, "POST", std::string("/api/v1/namespaces/default/") + plural, object);
  };
  write("Secret", "secrets");
  int calls = 0;
  const auto written_in_call = [&](const char* kind, const char* plural) {
    const webhooks::Answer answer = cluster_->answer(NumberedCall(1).call(), [&](const webhooks::Call&) {
      ++calls;
      write(kind, plural);
      return webhooks::allow();
    });
    return std::ranges::count_if(answer.accesses, [](const ApiAccess& one) { return one.is_write(); });
  };
  EXPECT_EQ(written_in_call("Secret", "secrets"), 0);
  EXPECT_EQ(calls, 1) << "nothing of the call needs to be taken back";
  EXPECT_EQ(written_in_call("ConfigMap", "configmaps"), 1) << "no controller writes these";
  watching.join();
}

TEST_F(SharedClusterTest, MakesNoOtherCallWhileOneThreadIsAlone) {
  ASSERT_EQ(number_read(NumberedCall(0)), "0");
  auto alone = SharedCluster::alone(cluster_);
  std::atomic<bool> is_called = false;
  std::thread other([&] { number_read(NumberedCall(2), [&] { is_called = true; }); });
  EXPECT_EQ(number_read(NumberedCall(1)), "1");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(is_called);
  alone.reset();
  other.join();
  EXPECT_TRUE(is_called);
}

}  // namespace
}  // namespace fixpoint::external
