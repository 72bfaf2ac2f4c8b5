#include "harness/cases/migration.h"

#include <gtest/gtest.h>

#include <array>

#include "harness/cases/case.h"
#include "harness/cases/finding.h"
#include "harness/document/json.h"

namespace fixpoint::cases {
namespace {

Value read(const char* text) { return document::read_json(text, {}).value(); }

/// Moves the Pod from beside the request to `pod` in the request. Both older formats are invented for this
/// test.
Result<Value> pod_into_request(Value value) {
  value.edit("request").set("pod", value["pod"]);
  value.remove("pod");
  return value;
}
Result<Value> pod_is_object(Value value) {
  if (!value["request"]["pod"].is_object()) return Error{"expected a Pod, found nothing", "/request/pod"};
  Value& request = value.edit("request");
  request.set("object", request["pod"]);
  request.remove("pod");
  return value;
}
constexpr auto kSteps =
    std::to_array<Migration>({{"fixpoint/v1beta1", "fixpoint/v1", pod_is_object},
                              {"fixpoint/v1alpha1", "fixpoint/v1beta1", pod_into_request}});

TEST(Migration, AnOlderSampleBecomesACaseAndKeepsWhereItCameFrom) {
  const Value older = read(R"({"apiVersion":"fixpoint/v1alpha1","kind":"Case","name":"n","note":"from then",
      "request":{"namespace":"team"},"pod":{"metadata":{"name":"p"}}})");
  const auto newer = migrate(older, kSteps);
  ASSERT_TRUE(newer) << newer.error().text();
  const auto value = read_case(*newer);
  ASSERT_TRUE(value) << value.error().text();
  EXPECT_EQ(value->note, "from then");
  EXPECT_EQ(value->request.namespace_name, "team");
  EXPECT_EQ(value->request.object["metadata"]["name"].text(), "p");
  EXPECT_FALSE(read_case(older)) << "as it was written it is none";
}

TEST(Migration, TheCaseOfAFindingGoesWithIt) {
  auto newer = migrate(read(R"({"apiVersion":"fixpoint/v1","kind":"Finding","property":"p","severity":"error",
      "found":{"seed":7,"cases":3,"milliseconds":1,"shrinks":2},"case":{"apiVersion":"fixpoint/v1beta1",
      "kind":"Case","request":{"pod":{"metadata":{}}}}})"),
                       kSteps);
  ASSERT_TRUE(newer) << newer.error().text();
  const auto finding = read_finding(*newer);
  ASSERT_TRUE(finding) << finding.error().text();
  EXPECT_EQ(finding->found.seed, 7u);
  EXPECT_EQ(finding->found.shrinks, 2);
}

TEST(Migration, WhatIsNewOrForeignStaysAsItIs) {
  for (const char* text :
       {R"({"apiVersion":"fixpoint/v1","kind":"Case","pod":1})",
        R"({"apiVersion":"v1","kind":"Pod","case":{}})", R"({"kind":"admit"})", "[1]", "null"}) {
    const auto same = migrate(read(text), kSteps);
    ASSERT_TRUE(same) << text;
    EXPECT_EQ(document::write_json(*same), document::write_json(read(text)));
  }
}

TEST(Migration, SaysWhichVersionsItCannotRead) {
  const auto newer = migrate(read(R"({"apiVersion":"fixpoint/v2","kind":"Case"})"), kSteps);
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().text(),
            "/apiVersion: expected \"fixpoint/v1\" or a version that it followed, found \"fixpoint/v2\"");
  const auto inner =
      migrate(read(R"({"apiVersion":"fixpoint/v1","case":{"apiVersion":"fixpoint/v9"}})"), kSteps);
  ASSERT_FALSE(inner);
  EXPECT_EQ(inner.error().place, "/case/apiVersion");
  const auto broken = migrate(read(R"({"apiVersion":"fixpoint/v1beta1","request":{}})"), kSteps);
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().place, "/request/pod");
  constexpr auto kCircle = std::to_array<Migration>({{"fixpoint/v0", "fixpoint/v0", pod_into_request}});
  EXPECT_FALSE(migrate(read(R"({"apiVersion":"fixpoint/v0","request":{}})"), kCircle));
}

TEST(Migration, EveryRowLeadsToTheNewestVersion) {
  for (const Migration& row : all_migrations()) {
    EXPECT_NE(row.from, kApiVersion);
    EXPECT_NE(row.step, nullptr) << row.from;
  }
}

}  // namespace
}  // namespace fixpoint::cases
