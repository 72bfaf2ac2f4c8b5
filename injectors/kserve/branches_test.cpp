#include "injectors/kserve/branches.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "generators/draw.h"
#include "harness/apiserver/admission/admission.h"
#include "harness/apiserver/decoding/decode.h"
#include "harness/document/json.h"
#include "harness/document/patch.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::injectors::kserve {
namespace {

using document::Value;

constexpr const char* kSteps[] = {"kserve/accelerator", "kserve/storage-initializer", "kserve/istio-cni",
                                  "kserve/agent",       "kserve/metrics-aggregator",  "kserve/modelcar"};
constexpr const char* kWhole = "kserve/pod-mutator";

bool has_release(const std::string& name) { return find_subject(name).ok(); }

generators::DrawContext draw_context_of(const std::string& name, int peers_max) {
  return generators::DrawContext({.subjects = {find_subject(name).value()},
                                  .peers = newest(Role::peer),
                                  .peers_max = peers_max,
                                  .has_faults = false,
                                  .has_updates = false});
}

cases::Case nth_of(const generators::DrawContext& draw_context, std::uint64_t index) {
  runner::Choices choices(2026, index);
  return generators::draw(choices, draw_context);
}

void admit(const cases::Case& value) {
  const auto handlers = webhooks::handlers(value, resolve);
  ASSERT_TRUE(handlers.ok()) << handlers.error().text();
  const auto admission = apiserver::admit(value, *handlers, {}, {.store = false});
  ASSERT_TRUE(admission.ok()) << admission.error().text();
}

/// Returns true for branches that no drawn Case reliably reaches: the config map always exists, the API
/// server checks the label, and the third branch is too rare. Each of them has a Pod of its own below.
bool is_unseen(std::string_view branch) {
  return branch == "mutator/without-label" || branch == "mutator/without-config-map" ||
         branch == "storage/claim-half-way";
}

std::string not_reached(const BranchCounts& counts) {
  std::string missing;
  for (std::size_t i = 0; i < kBranches.size(); ++i) {
    if (counts[i] == 0 && !is_unseen(kBranches[i])) missing.append(" ").append(kBranches[i]);
  }
  return missing;
}

/// The generators reach every branch with the injectors' vocabulary; the failure names each missing branch.
TEST(Branches, DrawnCasesReachThemAll) {
  constexpr std::uint64_t kRounds = 30, kCasesOfARound = 500;
  std::vector<generators::DrawContext> draw_contexts;
  for (const char* release : {"0.11.2", "0.14.1", "0.16.0", "0.20.0"}) {
    for (const char* step : kSteps) {
      const std::string name = std::string(step) + "@" + release;
      if (has_release(name)) draw_contexts.push_back(draw_context_of(name, 2));
    }
  }
  BranchCounts counts{};
  branch_counts = &counts;
  for (std::uint64_t round = 0; round < kRounds && !not_reached(counts).empty(); ++round) {
    for (const generators::DrawContext& draw_context : draw_contexts) {
      for (std::uint64_t i = 0; i < kCasesOfARound; ++i)
        admit(nth_of(draw_context, round * kCasesOfARound + i));
    }
  }
  branch_counts = nullptr;
  EXPECT_EQ(not_reached(counts), "");
}

/// The transformer already has a mount of the claim's volume, the model server has none.
TEST(Branches, AClaimIsMountedHalfWay) {
  auto value = nth_of(draw_context_of("kserve/storage-initializer@0.15.2", 0), 0);
  value.request.object = document::read_json(R"({"metadata":{"name":"p",
      "labels":{"serving.kserve.io/inferenceservice":"m"},
      "annotations":{"internal.serving.kserve.io/storage-initializer-sourceuri":"pvc://claim"}},
      "spec":{"volumes":[{"name":"kserve-pvc-source","emptyDir":{}}],"containers":[
      {"name":"kserve-container","image":"x"},{"name":"transformer-container","image":"y",
       "volumeMounts":[{"name":"kserve-pvc-source","mountPath":"/data"}]}]}})")
                             .value();
  std::erase_if(value.cluster.objects, [](const Value& object) {
    return object["kind"].text() != "ConfigMap" && object["kind"].text() != "MutatingWebhookConfiguration";
  });
  value.cluster.objects.resize(2);
  BranchCounts counts{};
  branch_counts = &counts;
  admit(value);
  branch_counts = nullptr;
  EXPECT_EQ(counts[Branch("storage/claim-half-way").index], 1u);
}

TEST(Branches, WithoutLabelOrConfigMapNothingIsDone) {
  BranchCounts counts{};
  branch_counts = &counts;
  const auto handler = resolve("kserve/pod-mutator").value();
  const cases::Request request;
  const cases::Cluster cluster;
  const Value none;
  for (const auto& [labels, allowed] :
       {std::pair("{}", true), {R"({"serving.kserve.io/inferenceservice":""})", false}}) {
    const Value pod = document::read_json(std::string(R"({"metadata":{"labels":)") + labels +
                                          R"(},"spec":{"containers":[]}})")
                          .value();
    const auto answer = handler({.object = pod,
                                 .old_object = none,
                                 .request = request,
                                 .cluster = cluster,
                                 .webhook = "",
                                 .review_version = "v1",
                                 .uid = "",
                                 .name = ""});
    EXPECT_EQ(answer.allowed, allowed);
    EXPECT_FALSE(answer.patch.has_value());
  }
  branch_counts = nullptr;
  EXPECT_EQ(counts[Branch("mutator/without-label").index], 1u);
  EXPECT_EQ(counts[Branch("mutator/without-config-map").index], 1u);
}

/// Returns the Pod that the webhook returns; null if it stops.
Value result_of(const std::string& name, const cases::Case& value, const Value& pod) {
  const Value none;
  const auto answer = resolve(name).value()({.object = pod,
                                             .old_object = none,
                                             .request = value.request,
                                             .cluster = value.cluster,
                                             .webhook = "",
                                             .review_version = "v1",
                                             .uid = "",
                                             .name = ""});
  if (!answer.problem.empty() || !answer.allowed) return {};
  return answer.patch ? document::apply_patch(pod, *answer.patch).document : pod;
}

/// The composed webhook is equal to its steps, called one after the other.
TEST(Laws, TheWholeIsItsSteps) {
  std::size_t compared = 0;
  for (const char* release : {"0.12.0", "0.15.0", "0.20.0"}) {
    const std::string at = std::string("@") + release;
    const auto draw_context = draw_context_of(kWhole + at, 0);
    for (std::uint64_t i = 0; i < 400; ++i) {
      const cases::Case value = nth_of(draw_context, i);
      const Value whole = result_of(kWhole + at, value, value.request.object);
      if (whole.is_null()) continue;
      Value stepwise = value.request.object;
      for (const char* step : kSteps) {
        stepwise = result_of(step + at, value, stepwise);
        ASSERT_FALSE(stepwise.is_null()) << step << at;
      }
      ++compared;
      EXPECT_EQ(document::write_json(*apiserver::decode_pod(whole)),
                document::write_json(*apiserver::decode_pod(stepwise)))
          << release << "\n"
          << cases::canonical_text(value);
    }
  }
  EXPECT_GE(compared, 300u);
}

}  // namespace
}  // namespace fixpoint::injectors::kserve
