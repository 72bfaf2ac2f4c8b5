#include "harness/runner/loop/history_search.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>

#include "harness/document/diff.h"
#include "harness/properties/one_webhook_test.h"

namespace fixpoint::runner {
namespace {

using cases::Case;
using webhooks::Call;
using webhooks::Handler;

/// A process that labels each Pod with the namespace of its first request, or of this one.
Handler process_of(bool remembers) {
  const auto first = std::make_shared<std::string>();
  return [first, remembers](const Call& call) {
    if (first->empty()) *first = call.request.namespace_name;
    document::Value pod = call.object;
    pod.edit("metadata").edit("labels").set("team", remembers ? *first : call.request.namespace_name);
    return webhooks::allow_change(call.object, std::move(pod));
  };
}

struct Processes {
  bool remembers = true;
  std::atomic<int> started{0};

  webhooks::Resolve resolve() {
    ++started;
    const Handler first = process_of(remembers), second = process_of(remembers);
    webhooks::Resolve resolve([](std::string_view) { return document::Error{"none"}; });
    resolve.outside = [first](const cases::Backend&) { return document::Result<Handler>(first); };
    resolve.replica = [second](const cases::Backend&) { return std::optional(second); };
    resolve.anew = [this] { return this->resolve(); };
    return resolve;
  }
};

Case in_namespace(const std::string& name) {
  Case value = properties::of_one_webhook(
      cases::Command{{"hook"}},
      R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"a","image":"i"}]}})");
  value.request.namespace_name = name;
  return value;
}

TEST(History, IsFoundAsFewCasesBefore) {
  Processes processes;
  const Case blue = in_namespace("blue"), red = in_namespace("red");
  for (const std::vector<Case>& earlier : {std::vector{red, blue}, std::vector{blue, red, blue}}) {
    const auto found = find_history(blue, earlier, processes.resolve(), {}, {}, [] { return false; });
    ASSERT_TRUE(found);
    EXPECT_EQ(found->before, std::vector{red}) << "the first request decides";
    EXPECT_EQ(found->violation.path, "metadata.labels.team");
    EXPECT_EQ(found->violation.reason,
              "after earlier requests the answer has another metadata.labels.team: \"red\"; from a new "
              "process it has \"blue\"");
  }
}

TEST(History, OfAProcessThatRemembersNothingMakesNoDifference) {
  Processes processes{.remembers = false};
  EXPECT_FALSE(find_history(in_namespace("blue"), {in_namespace("red")}, processes.resolve(), {}, {},
                            [] { return false; }));
}

/// A program that reads its settings once is to be started again for others: that is no matter of requests.
TEST(History, OfAnotherClusterMakesNoDifference) {
  const auto with_mode = [](const char* name, const char* mode) {
    Case value = in_namespace(name);
    value.cluster.objects.push_back({{"apiVersion", "v1"},
                                     {"kind", "ConfigMap"},
                                     {"metadata", {{"name", "settings"}, {"namespace", "system"}}},
                                     {"data", {{"mode", mode}}}});
    return value;
  };
  std::function<webhooks::Resolve()> processes = [&] {
    const auto process = [] {
      return [mode = std::make_shared<std::string>()](const Call& call) {
        if (mode->empty())
          *mode = (*call.cluster.find("ConfigMap", "system", "settings"))["data"]["mode"].text();
        document::Value pod = call.object;
        pod.edit("metadata").edit("labels").set("mode", *mode);
        return webhooks::allow_change(call.object, std::move(pod));
      };
    };
    const Handler first = process(), second = process();
    webhooks::Resolve resolve([](std::string_view) { return document::Error{"none"}; });
    resolve.outside = [first](const cases::Backend&) { return document::Result<Handler>(first); };
    resolve.replica = [second](const cases::Backend&) { return std::optional(second); };
    resolve.anew = processes;
    return resolve;
  };
  EXPECT_FALSE(find_history(with_mode("blue", "strict"), {with_mode("red", "lenient")}, processes(), {}, {},
                            [] { return false; }));
}

TEST(History, IsNotLookedForOnceTheRunIsOver) {
  Processes processes;
  const auto resolve = processes.resolve();
  EXPECT_FALSE(
      find_history(in_namespace("blue"), {in_namespace("red")}, resolve, {}, {}, [] { return true; }));
  EXPECT_EQ(processes.started, 1);
}

}  // namespace
}  // namespace fixpoint::runner
