#include "harness/measure/workload.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"
#include "harness/external/backends/external_webhooks.h"
#include "injectors/bundled.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::measure {
namespace {

TEST(BenchWorkload, CallsEveryWebhookOfAChainAsTheServerDoes) {
  std::vector<runner::Subject> members;
  for (const char* name : {"kserve/pod-mutator", "peers/sidecar-guarded"})
    members.push_back(injectors::find_subject(name).value());
  const auto work = Workload::of(members, external::ExternalWebhooks(injectors::bundled()));
  ASSERT_TRUE(work.ok()) << work.error().text();
  ASSERT_EQ(work->webhooks().size(), 2u);
  for (const std::size_t bytes : {1000u, 20000u}) {
    const auto pod = pod_with_triggers(*work, members, bytes);
    ASSERT_TRUE(pod.ok());
    EXPECT_GE(document::write_json(*pod).size(), bytes);
    EXPECT_LT(document::write_json(*pod).size(), bytes + 1000);
    const auto admission = work->admit(work->case_of(*pod));
    ASSERT_TRUE(admission.ok());
    EXPECT_TRUE(admission->allowed);
    EXPECT_EQ(admission->passes, 2);
    EXPECT_TRUE(work->call(0, work->request_of(0, *pod)).applied) << "the Pod is one that it acts on";
    EXPECT_TRUE(work->call(1, work->request_of(1, *pod)).applied) << "its own container is not there yet";
    EXPECT_FALSE(work->call(1, work->request_of(1, sized_pod(members, bytes))).applied)
        << "with all words it is";
  }
}

TEST(BenchWorkload, TakesEachConfigurationOnce) {
  std::vector<runner::Subject> members(2, injectors::find_subject("kserve/pod-mutator").value());
  const auto work = Workload::of(members, external::ExternalWebhooks(injectors::bundled()));
  ASSERT_FALSE(work.ok());
  EXPECT_EQ(work.error().text(),
            "kserve/pod-mutator@0.20.0: its configuration inferenceservice.serving.kserve.io stands in the "
            "chain already");
}

/// Returns a webhook with this rule that labels every Pod.
runner::Subject labeller(const std::string& operations, const std::string& resource) {
  const std::string configuration = R"({"kind":"MutatingWebhookConfiguration","metadata":{"name":"hooks"},
    "webhooks":[{"name":"label.example.io","admissionReviewVersions":["v1"],"sideEffects":"None",
      "rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":)" +
                                    operations + R"(,"resources":[")" + resource + R"("]}]}]})";
  cases::Script script;
  script.rules.push_back({.patch = {{{"op", "add"}, {"path", "/metadata/labels"}, {"value", {{"a", "b"}}}}}});
  return {.name = "labeller",
          .configuration = document::read_json(configuration).value(),
          .webhooks = {{"hooks/label.example.io", std::move(script)}}};
}

/// A webhook whose rules match no creation gets an update that they match and that the server would store.
TEST(BenchWorkload, AsksEachWebhookWhatItsRulesTake) {
  const struct {
    const char *operations, *resource, *operation, *sub_resource;
    bool is_called = true;
  } rows[] = {{R"(["CREATE"])", "pods", "CREATE", ""},
              {R"(["UPDATE","CREATE"])", "pods", "CREATE", ""},
              {R"(["*"])", "*/*", "CREATE", ""},
              {R"(["UPDATE"])", "pods", "UPDATE", ""},
              {R"(["UPDATE"])", "pods/*", "UPDATE", ""},
              {R"(["*"])", "pods/ephemeralcontainers", "UPDATE", "ephemeralcontainers"},
              {R"(["UPDATE","DELETE"])", "pods/resize", "UPDATE", "resize"},
              {R"(["DELETE"])", "pods", "CREATE", "", false}};
  for (const auto& row : rows) {
    const auto subject = labeller(row.operations, row.resource);
    const auto work = Workload::of({&subject, 1}, external::ExternalWebhooks(injectors::bundled()));
    ASSERT_TRUE(work.ok()) << work.error().text();
    const auto pod = pod_with_triggers(*work, {&subject, 1}, 3000);
    ASSERT_TRUE(pod.ok()) << pod.error().text();
    const cases::Request request = work->request_of(0, *pod);
    const std::string what = std::string(row.operations) + " " + row.resource;
    EXPECT_EQ(request.operation, row.operation) << what;
    EXPECT_EQ(request.sub_resource, row.sub_resource) << what;
    EXPECT_EQ(request.old_object.is_null(), !request.is_update()) << what;
    EXPECT_FALSE(request.object == request.old_object) << what;
    EXPECT_TRUE(work->call(0, request).applied) << what;
    const auto admission = work->admit(work->case_of(*pod));
    ASSERT_TRUE(admission.ok()) << what << admission.error().text();
    EXPECT_TRUE(admission->allowed && admission->invalid.empty())
        << what << (admission->status ? admission->status->message : "");
    EXPECT_EQ(admission->calls.size(), row.is_called ? 1u : 0u) << what;
  }
}

TEST(BenchWorkload, AChainMeetsAnUpdateOnlyWhenNobodyTakesACreation) {
  std::vector<runner::Subject> members{labeller(R"(["UPDATE"])", "pods")};
  const document::Value pod = sized_pod(members, 1000);
  EXPECT_EQ(
      Workload::of(members, external::ExternalWebhooks(injectors::bundled()))->case_of(pod).request.operation,
      "UPDATE");
  members.push_back(injectors::find_subject("peers/sidecar-guarded").value());
  EXPECT_EQ(
      Workload::of(members, external::ExternalWebhooks(injectors::bundled()))->case_of(pod).request.operation,
      "CREATE");
}

}  // namespace
}  // namespace fixpoint::measure
