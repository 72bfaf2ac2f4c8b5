#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "harness/differential/differential_model.h"
#include "harness/document/json.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::apiserver {
namespace {

/// A webhook of the small stage: a script, or the fault of a webhook without one.
struct Act {
  const char* name;
  const char* script;
  const char* fault = "";
};

/// A first call and a second one of them differ in whether their patch applies, changes anything, or is sent.
constexpr std::array kActs{
    Act{"answers without a patch", "[]"},
    Act{"adds an environment variable each time",
        R"([{"patch": [
            {"op": "add", "path": "/spec/containers/0/env/-", "value": {"name": "a", "value": "$call"}},
            {"op": "add", "path": "/spec/containers/1/env/-", "value": {"name": "a", "value": "$call"}}]}])"},
    Act{"adds a container each time",
        R"([{"patch": [
             {"op": "add", "path": "/spec/containers/0", "value": {"name": "s", "image": "s:1"}}]}])"},
    Act{"adds a container once",
        R"([{"when": {"not": {"named": {"path": "/spec/containers", "name": "p"}}},
             "patch": [{"op": "add", "path": "/spec/containers/-",
                        "value": {"name": "p", "image": "p:1", "env": [{"name": "b"}]}}]}])"},
    Act{"replaces an image",
        R"([{"patch": [{"op": "replace", "path": "/spec/containers/0/image", "value": "r:1"}]}])"},
    Act{"alternates with its calls",
        R"([{"when": {"call": 1},
             "patch": [{"op": "replace", "path": "/spec/containers/1/image", "value": "r:2"}]},
            {"when": {"call": 2},
             "patch": [{"op": "replace", "path": "/spec/containers/1/image", "value": "m:1"}]}])"},
    Act{"removes the second container", R"([{"patch": [{"op": "remove", "path": "/spec/containers/1"}]}])"},
    Act{"sends a patch that does not apply", R"([{"patch": [{"op": "remove", "path": "/spec/volumes/0"}]}])"},
    Act{"denies what has a third container",
        R"([{"when": {"exists": "/spec/containers/2"}, "deny": {"code": 403, "message": "no"}}])"},
    Act{"does not answer", "[]", "timeout"},
};

/// Two calls that do not answer take more than the 34 seconds of a request.
std::string webhook_text(const std::string& name, bool is_reinvoked, bool is_ignored) {
  return R"({"name": ")" + name + R"(.example.io", "admissionReviewVersions": ["v1"], "sideEffects": "None",
    "timeoutSeconds": 20,
    "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"]}],
    "reinvocationPolicy": ")" +
         (is_reinvoked ? "IfNeeded" : "Never") + R"(", "failurePolicy": ")" +
         (is_ignored ? "Ignore" : "Fail") + R"("})";
}

std::string backends(const Act& act, const std::string& key, std::string& faults) {
  if (*act.fault != '\0')
    faults +=
        (faults.empty() ? "" : ", ") + (R"({"webhook": ")" + key + R"(", "fault": ")" + act.fault + "\"}");
  return "\"" + key + R"(": {"script": )" + act.script + "}";
}

/// Two webhooks, the first and the second in the server's order, and a Pod with two containers. The bits of
/// `policies` are the reinvocation and the failure policy of both.
cases::Case stage(const Act& first, const Act& second, unsigned policies) {
  std::string faults;
  const std::string text =
      R"({"apiVersion": "fixpoint/v1", "kind": "Case", "name": "small", "request": {"operation": "CREATE",
        "namespace": "default", "object": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"},
        "spec": {"containers": [{"name": "m", "image": "m:1", "env": [{"name": "x"}]},
                                {"name": "n", "image": "m:1", "env": [{"name": "x"}]}]}}},
        "cluster": {"version": "1.36", "admissionPlugins": [], "objects": [
        {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingWebhookConfiguration",
         "metadata": {"name": "c"}, "webhooks": [)" +
      webhook_text("a", (policies & 1) != 0, (policies & 2) != 0) + ", " +
      webhook_text("b", (policies & 4) != 0, (policies & 8) != 0) + R"(]}]}, "webhooks": {)" +
      backends(first, "c/a.example.io", faults) + ", " + backends(second, "c/b.example.io", faults) +
      R"(}, "faults": [)" + faults + "]}";
  auto value = cases::read_case(*document::read_json(text, {}, document::Strictness::foreign));
  if (!value) {
    ADD_FAILURE() << value.error().text() << "\n" << text;
    return {};
  }
  return *std::move(value);
}

std::string difference_on_stage(const cases::Case& value, oracle::Forgotten forgotten) {
  const auto handlers = webhooks::handlers(value, injectors::resolve);
  if (!handlers) return "no handlers: " + handlers.error().text();
  const auto with_faults = webhooks::with_all_faults(*handlers, value.faults);
  std::string text;
  for (const std::string& difference : Differential(value, with_faults, forgotten).differences())
    text += difference + "\n";
  return text;
}

/// Walks the whole stage, to the first `differing_max` differences; returns how many there were.
int walk(oracle::Forgotten forgotten, int differing_max, int& walked, std::string& first) {
  int differing = 0;
  for (const Act& a : kActs) {
    for (const Act& b : kActs) {
      for (unsigned policies = 0; policies < 16; ++policies) {
        ++walked;
        const std::string difference = difference_on_stage(stage(a, b, policies), forgotten);
        if (difference.empty()) continue;
        if (differing == 0)
          first = std::string("first ") + a.name + ", second " + b.name + ", policies " +
                  std::to_string(policies) + "\n" + difference;
        if (++differing == differing_max) return differing;
      }
    }
  }
  return differing;
}

/// All orders of all scripts with all policies.
TEST(SmallStage, IsTheSameForTheSimulatorAndTheReferenceModel) {
  int walked = 0;
  std::string first;
  EXPECT_EQ(walk(oracle::Forgotten::nothing, 10, walked, first), 0) << first;
  EXPECT_EQ(walked, 10 * 10 * 16);
}

TEST(SmallStage, NoticesAForgottenRule) {
  using oracle::Forgotten;
  for (const Forgotten forgotten : {Forgotten::due_webhooks, Forgotten::own_change, Forgotten::failed_call}) {
    int walked = 0;
    std::string first;
    EXPECT_EQ(walk(forgotten, 1, walked, first), 1) << "rule " << static_cast<int>(forgotten);
    std::printf("rule %d is missed in Case %d: %s", static_cast<int>(forgotten), walked, first.c_str());
  }
}

}  // namespace
}  // namespace fixpoint::apiserver
