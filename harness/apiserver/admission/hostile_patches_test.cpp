#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "harness/apiserver/dispatch/dispatch.h"
#include "harness/document/json.h"
#include "harness/document/patch.h"
#include "harness/webhooks/attack_model.h"

namespace fixpoint::apiserver {
namespace {

/// A malicious patch and the limit that stops it; each arrives as the bytes of an answer.
struct Attack {
  const char* name;
  std::function<Value()> patch;
  const char* cut_by;
};

Value copy(const std::string& from, const std::string& to) {
  return {{"op", "copy"}, {"from", from}, {"path", to}};
}

/// Doubles a list thirty times.
Value copy_bomb() {
  Value patch = Value::list(
      {Value{{"op", "add"}, {"path", "/x"}, {"value", Value::list({std::string(1000, 'x').c_str()})}}});
  for (int i = 0; i < 30; ++i) patch.push_back(copy("/x", "/x/-"));
  return patch;
}

Value operations(std::size_t count) {
  std::vector<Value> all(
      count, Value{{"op", "add"}, {"path", "/metadata/labels"}, {"value", Value::empty_object()}});
  return all;
}

/// Each operation nests one level deeper.
Value deep() {
  Value patch = Value::empty_list();
  std::string path = "/a";
  for (int i = 0; i < 300; ++i, path += "/a")
    patch.push_back({{"op", "add"}, {"path", path}, {"value", Value::empty_object()}});
  return patch;
}

/// A list that grows at the front: each insertion moves all elements.
Value always_in_front() {
  std::vector<Value> all{Value{{"op", "add"}, {"path", "/x"}, {"value", Value::empty_list()}}};
  all.resize(100'000, Value{{"op", "add"}, {"path", "/x/0"}, {"value", 1}});
  return all;
}

class HostilePatches : public testing::TestWithParam<Attack> {};

TEST_P(HostilePatches, AreCut) {
  const Value pod = document::read_json(R"({"metadata":{"name":"p"},"spec":{"containers":[]}})", {}).value();
  Limits limits;
  limits.operations_max = 200'000;
  limits.patch_steps_max = 50'000'000;
  limits.patched_depth_max = 200;
  const Value patch = GetParam().patch();
  const webhooks::Handler handler = [&](const webhooks::Call&) { return webhooks::allow(patch); };
  ConfiguredWebhook webhook;
  webhook.name = "hook.example.io";
  webhook.key = "c/hook.example.io";
  webhook.review_version = "v1";
  webhook.side_effects = "None";
  const cases::Request request;
  const cases::Cluster cluster;
  webhooks::AttackRow row;
  const CallResult result = call_webhook(
      webhook, handler, {.request = request, .cluster = cluster, .object = pod, .name = "p"}, limits);
  row.print(GetParam().name, result.problem);
  EXPECT_NE(result.problem.find(GetParam().cut_by), std::string::npos) << result.problem;
  EXPECT_LT(row.megabytes(), 256);
  EXPECT_LT(row.milliseconds(), 5000);
}

INSTANTIATE_TEST_SUITE_P(Patches, HostilePatches,
                         testing::Values(Attack{"copy_bomb", copy_bomb, "copy"},
                                         Attack{"too_many_operations", [] { return operations(300'000); },
                                                "operations_max"},
                                         Attack{"deep_by_operations", deep, "depth"},
                                         Attack{"always_in_front", always_in_front, "patch_steps_max"}),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(AttackRow, SeesMemoryAndTime) {
  webhooks::AttackRow row;
  const std::string eaten(std::size_t{64} << 20, 'x');
  row.print("64_megabytes", std::string(eaten, 0, 3));
  EXPECT_GT(row.megabytes(), 48);
}

/// The API server accepts a million operations, whatever they cost.
TEST(HostilePatches, AMillionOperationsEnd) {
  const Value pod = document::read_json(R"({"metadata":{"name":"p"}})", {}).value();
  const Value patch = operations(Limits{}.operations_max);
  webhooks::AttackRow row;
  const auto patched = document::apply_patch(pod, patch);
  row.print("a_million_operations", patched.ok() ? "applied" : patched.problem->message);
  EXPECT_TRUE(patched.ok());
  EXPECT_LT(row.milliseconds(), 10'000);
}

}  // namespace
}  // namespace fixpoint::apiserver
