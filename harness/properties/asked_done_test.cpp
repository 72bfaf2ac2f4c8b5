#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "harness/document/json.h"
#include "harness/document/named.h"
#include "harness/properties/one_webhook_test.h"

namespace fixpoint::properties {
namespace {

constexpr const char* kAskingPod = R"({"metadata":{"name":"p","namespace":"default",
    "annotations":{"agent/paths":"/data"}},"spec":{"containers":[{"name":"main","image":"x:1"}]}})";

/// Returns the observations on a webhook that mounts a volume for the annotation unless `is_refused` refuses
/// it.
std::string silence_on(const std::function<std::string(const Value& pod)>& refusal, bool is_silent = true) {
  const webhooks::Handler handler = [=](const webhooks::Call& call) {
    const Value& path = call.object["metadata"]["annotations"]["agent/paths"];
    if (path.is_null()) return webhooks::allow();
    if (const std::string why = refusal(call.object); !why.empty())
      return is_silent ? webhooks::allow() : webhooks::deny(400, "BadRequest", why);
    Value pod = call.object;
    pod.edit("spec").edit("volumes").push_back({{"name", "agent"}, {"emptyDir", Value::empty_object()}});
    return webhooks::allow_change(call.object, pod);
  };
  const auto observations = observations_of(
      judgement_of("asked-done", of_one_webhook(cases::InjectorName{"test/handler"}, kAskingPod), handler));
  return observations.empty() ? "" : observations.front().reason;
}

std::string taken_volume(const Value& pod) {
  return document::has_named(pod["spec"]["volumes"], "agent") ? "the volume is taken" : "";
}
std::string second_value(const Value& pod) {
  const std::string_view text = pod["metadata"]["annotations"]["agent/paths"].text();
  return text.find(',') == std::string_view::npos ? "" : "one path alone";
}
std::string slash_at_end(const Value& pod) {
  return pod["metadata"]["annotations"]["agent/paths"].text().ends_with('/') ? "no slash" : "";
}

TEST(AskedDone, ObservesWhatIsNotDoneWithoutAWord) {
  EXPECT_EQ(
      silence_on(taken_volume),
      "does nothing for \"/data\" in metadata.annotations[agent/paths] where a volume of the user has the "
      "name agent, and neither refuses nor warns: without that it acts");
  EXPECT_NE(silence_on(second_value).find("with a second value"), std::string::npos)
      << silence_on(second_value);
  EXPECT_NE(silence_on(slash_at_end).find("with a slash at its end"), std::string::npos)
      << silence_on(slash_at_end);
}

/// A webhook that sets the scheduler of Pods in which a container of those lists asks for it, on a Pod whose
/// container has that member.
std::string left_out_of(const std::vector<const char*>& lists, const std::string& member,
                        bool (*asks)(const Value&)) {
  const auto handler = changing([=](Value& pod, int) {
    for (const char* list : lists)
      for (const Value& one : pod["spec"][document::Name(list)].elements())
        if (asks(one)) return pod.edit("spec").set("schedulerName", "gpu-scheduler");
  });
  const std::string pod = R"({"metadata":{"name":"p","namespace":"default"},"spec":{"containers":[{)"
                          R"("name":"main","image":"x:1",)" +
                          member + "}]}}";
  const auto judgement =
      judgement_of("asked-done", of_one_webhook(cases::InjectorName{"test/handler"}, pod.c_str()), handler);
  std::string all;
  for (const Observation& one : observations_of(judgement)) all += one.kind + ": " + one.reason + "\n";
  if (const auto* violated = std::get_if<Violated>(&judgement))
    for (const Violation& one : violated->violations) all += "warning: " + one.reason + "\n";
  return all;
}

TEST(AskedDone, AsksInTheOtherListsOfContainers) {
  const char* of_env = R"("env":[{"name":"GPU","value":"1"}])";
  const auto has_env = [](const Value& one) { return document::has_named(one["env"], "GPU"); };
  EXPECT_EQ(
      left_out_of({"containers"}, of_env, has_env),
      "left-out: acts for what a container asks, and does nothing where the same is an init container\n"
      "left-out: acts for what a container asks, and does nothing where the same is a native sidecar\n");
  EXPECT_EQ(left_out_of({"containers", "initContainers"}, of_env, has_env), "");
}

/// The scheduler counts the devices of all containers.
TEST(AskedDone, WarnsWhereADeviceOfAnInitContainerIsOverlooked) {
  const char* of_device =
      R"("resources":{"requests":{"example.io/gpu":"1"},"limits":{"example.io/gpu":"1"}})";
  const auto has_device = [](const Value& one) {
    return !one["resources"]["limits"]["example.io/gpu"].is_null();
  };
  EXPECT_EQ(left_out_of({"containers"}, of_device, has_device),
            "warning: acts for a container that asks for a device, and does nothing for an init container "
            "that asks for the same\n"
            "warning: acts for a container that asks for a device, and does nothing for a native sidecar "
            "that asks for the same\n");
  EXPECT_EQ(left_out_of({"containers", "initContainers"}, of_device, has_device), "");
}

TEST(AskedDone, AsksNothingOfWhoOnlyNotesThatItRan) {
  const auto noting = changing([](Value& pod, int) {
    pod.edit("metadata").edit("annotations").set("x.example.io/status", "injected");
  });
  const auto judgement = judgement_of(
      "asked-done",
      of_one_webhook(cases::InjectorName{"test/handler"},
                     R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"x:1"}]}})"),
      noting);
  EXPECT_TRUE(std::holds_alternative<Skipped>(judgement));
  EXPECT_TRUE(observations_of(judgement).empty());
}

TEST(AskedDone, LeavesARefusalAlone) {
  for (const auto& refusal : {taken_volume, second_value, slash_at_end})
    EXPECT_EQ(silence_on(refusal, false), "");
  EXPECT_EQ(silence_on([](const Value&) { return std::string(); }), "");
}

}  // namespace
}  // namespace fixpoint::properties
