#include "harness/cases/plain_namespace.h"

#include <gtest/gtest.h>

#include <set>

namespace fixpoint::cases {
namespace {

TEST(PlainNamespace, IsAnotherOneForSuccessiveCases) {
  std::set<std::string> names;
  for (std::uint64_t number = 100; number < 100 + kPlainNamespaces; ++number) {
    EXPECT_TRUE(is_plain_namespace(plain_namespace(number)));
    names.insert(plain_namespace(number));
  }
  EXPECT_EQ(names.size(), kPlainNamespaces);
  for (const char* other :
       {"default", "space-", "space-64", "space-6", "space-063", "space-a1", "kube-system"})
    EXPECT_FALSE(is_plain_namespace(other)) << other;
}

/// An object of another namespace stays there, and a manifest without a namespace is in `default`.
TEST(PlainNamespace, TakesTheObjectsOfACaseAlong) {
  Case value;
  value.request.object = {{"metadata", {{"name", "web"}, {"namespace", "default"}}}};
  const auto secret = [](Value metadata) {
    return Value{{"apiVersion", "v1"}, {"kind", "Secret"}, {"metadata", std::move(metadata)}};
  };
  value.cluster.objects = {
      secret({{"name", "stated"}, {"namespace", "default"}}), secret({{"name", "implied"}}),
      secret({{"name", "far"}, {"namespace", "system"}}),
      Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", "default"}}}},
      Value{
          {"apiVersion", "scheduling.k8s.io/v1"}, {"kind", "PriorityClass"}, {"metadata", {{"name", "p"}}}}};
  const Case moved = in_namespace(value, "space-07");
  const auto& objects = moved.cluster.objects;
  EXPECT_EQ(moved.request.namespace_name, "space-07");
  EXPECT_EQ(moved.request.object["metadata"]["namespace"].text(), "space-07");
  EXPECT_EQ(objects[0]["metadata"]["namespace"].text(), "space-07");
  EXPECT_EQ(objects[1]["metadata"]["namespace"].text(), "space-07");
  EXPECT_EQ(objects[2], value.cluster.objects[2]);
  EXPECT_EQ(objects[3]["metadata"]["name"].text(), "space-07");
  EXPECT_EQ(objects[4], value.cluster.objects[4]);
}

}  // namespace
}  // namespace fixpoint::cases
