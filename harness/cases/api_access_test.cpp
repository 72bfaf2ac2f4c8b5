#include "harness/cases/api_access.h"

#include <gtest/gtest.h>

namespace fixpoint::cases {
namespace {

ApiAccess of_secret(const char* verb, int status) {
  return {.verb = verb,
          .version = "v1",
          .resource = "secrets",
          .kind = "Secret",
          .namespace_name = "default",
          .name = "storage-config",
          .status = status};
}

TEST(ApiAccess, SaysWhatWasAskedAndHowItEnded) {
  EXPECT_EQ(describe(of_secret("get", 200)), "read Secret default/storage-config");
  EXPECT_EQ(describe(of_secret("get", 404)), "read Secret default/storage-config: not found");
  EXPECT_EQ(describe(of_secret("delete", 403)), "delete Secret default/storage-config: forbidden");
  EXPECT_EQ(describe(of_secret("get", 418)), "read Secret default/storage-config: status 418");
  ApiAccess all = of_secret("list", 200);
  all.name.clear();
  EXPECT_EQ(describe(all), "list secrets of namespace default");
  all.namespace_name.clear();
  all.label_selector = "app=web";
  EXPECT_EQ(describe(all), "list secrets with labels app=web");
  ApiAccess created = of_secret("create", 201);
  created.name.clear();
  created.is_dry_run = true;
  EXPECT_EQ(describe(created), "create Secret of namespace default: dry run");
}

TEST(ApiAccess, KnowsWhatChangesTheCluster) {
  for (const char* verb : {"create", "update", "patch", "delete", "deletecollection"})
    EXPECT_TRUE(of_secret(verb, 403).is_write()) << verb;
  for (const char* verb : {"get", "list", "watch"}) EXPECT_FALSE(of_secret(verb, 200).is_write()) << verb;
  EXPECT_FALSE((ApiAccess{.verb = "create", .version = "v1", .resource = "events"}).is_write());
  EXPECT_FALSE(
      (ApiAccess{.verb = "update", .group = "coordination.k8s.io", .version = "v1", .resource = "leases"})
          .is_write());
  EXPECT_FALSE((ApiAccess{.verb = "create",
                          .group = "authorization.k8s.io",
                          .version = "v1",
                          .resource = "selfsubjectaccessreviews"})
                   .is_write());
  EXPECT_FALSE(
      (ApiAccess{.verb = "create", .version = "v1", .resource = "serviceaccounts", .subresource = "token"})
          .is_write());
}

}  // namespace
}  // namespace fixpoint::cases
