#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <list>
#include <mutex>
#include <thread>

#include "harness/cli/program_test.h"
#include "harness/document/json.h"
#include "harness/webhooks/authority.h"
#include "harness/webhooks/server.h"

namespace fixpoint::cli {
namespace {

using document::Value;
using namespace std::chrono_literals;

/// A server that labels a Pod with the name of its first container, and may take it from the Pod of
/// another request that is in flight.
class Concurrent : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("m.yaml", kOneWebhook);
    const auto authority = webhooks::make_authority({"127.0.0.1"});
    write("ca.pem", authority.authority.certificate);
    server_ = *webhooks::Server::start(
        {.identity = authority.server},
        {{"/mutate", [this](const cases::Request& request, std::string_view, std::string_view,
                            std::string_view) { return answer(request); }}});
  }
  webhooks::Answer answer(const cases::Request& request) {
    const int now_here = ++here_;
    for (int seen = most_; seen < now_here && !most_.compare_exchange_weak(seen, now_here);) continue;
    const std::string own(request.object["spec"]["containers"].at(0)["name"].text());
    const auto place = begin(own);
    wait(own);
    Value pod = request.object;
    pod.edit("metadata").edit("labels").set("first", is_mixed_up_ ? other_than(own) : own);
    end(place);
    --here_;
    return webhooks::allow_change(request.object, pod);
  }
  /// A request among which another is sent waits until that one has arrived, on a busy machine too.
  void wait(const std::string& name) {
    if (name.find("concurrent") == std::string::npos) return std::this_thread::sleep_for(1ms);
    for (int i = 0; i < 100 * kSlowness && here_ < 2; ++i) std::this_thread::sleep_for(5ms);
    std::this_thread::sleep_for(5ms);
  }
  std::list<std::string>::iterator begin(const std::string& name) {
    const std::lock_guard lock(mutex_);
    return in_flight_.insert(in_flight_.end(), name);
  }
  void end(std::list<std::string>::iterator place) {
    const std::lock_guard lock(mutex_);
    in_flight_.erase(place);
  }
  std::string other_than(const std::string& own) {
    const std::lock_guard lock(mutex_);
    const auto other = std::ranges::find_if(in_flight_, [&](const std::string& name) { return name != own; });
    return other == in_flight_.end() ? own : *other;
  }
  Outcome fuzz(const std::string& options) const {
    return run(
        "fuzz m.yaml --seed 1 --cases 50 --jobs 1 --out tried --ca ca.pem --webhook "
        "proxy.example.io=https://127.0.0.1:" +
            std::to_string(server_->port()) + "/mutate" + options,
        "");
  }

  std::atomic<int> here_{0}, most_{0};
  std::atomic<bool> is_mixed_up_{false};
  std::mutex mutex_;
  std::list<std::string> in_flight_;
  std::unique_ptr<webhooks::Server> server_;  // last: it stops before what its handler uses is gone
};

TEST_F(Concurrent, RequestsThatAServerMixesUpAreAFinding) {
  is_mixed_up_ = true;
  const Outcome done = fuzz("");
  EXPECT_EQ(done.code, 1) << done.out << done.err;
  EXPECT_NE(done.out.find("mixes up requests that it answers at the same time: metadata.labels.first"),
            std::string::npos)
      << done.out << done.err;
}

/// The answers in a Case came among those of other Cases: they are compared with one that comes alone.
TEST_F(Concurrent, RequestsThatAServerMixesUpAreAFindingBesideOtherCases) {
  is_mixed_up_ = true;
  const Outcome done = fuzz(" --connections 8");
  EXPECT_EQ(done.code, 1) << done.out << done.err;
  EXPECT_NE(done.out.find("mixes up requests that it answers at the same time: metadata.labels.first"),
            std::string::npos)
      << done.out << done.err;
}

TEST_F(Concurrent, RequestsThatItKeepsApartAreNone) {
  const Outcome done = fuzz("");
  EXPECT_EQ(done.out.find("mixes up"), std::string::npos) << done.out;
  EXPECT_GT(most_, 1);
}

TEST_F(Concurrent, AreNotSentOverOneConnection) {
  is_mixed_up_ = true;
  const Outcome done = fuzz(" --connections 1");
  EXPECT_EQ(done.out.find("mixes up"), std::string::npos) << done.out;
  EXPECT_EQ(most_, 1);
}

}  // namespace
}  // namespace fixpoint::cli
