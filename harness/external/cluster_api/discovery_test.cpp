#include "harness/external/cluster_api/discovery.h"

#include <gtest/gtest.h>

#include <set>

#include "harness/external/cluster_api/api_client_model.h"
#include "harness/external/cluster_api/object_selector.h"

namespace fixpoint::external {
namespace {

using document::Value;

TEST(ClusterApiDiscovery, NamesEveryBuiltInResourceOnce) {
  std::set<std::string> seen;
  const ServedResources resources;
  for (const cases::Kind& row : cases::built_in_kinds()) {
    const std::string group(row.group), version(row.version), plural(row.plural);
    EXPECT_TRUE(seen.insert(group + "/" + version + "/" + plural).second) << plural;
    const ApiResource* found = resources.find(group, version, plural);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->kind, row.name);
    EXPECT_NE(resources.of_kind(found->api_version(), row.name), nullptr);
  }
  EXPECT_EQ(resources.find("", "v1", "nothings"), nullptr);
}

TEST(ClusterApiDiscovery, SaysTheSameInBothForms) {
  ViewState view({}, "token", std::make_shared<std::atomic<std::size_t>>(0));
  ApiClient client(view);
  const std::string aggregated =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
  std::size_t resources = 0;
  for (const char* path : {"/api", "/apis"}) {
    const auto answer = client.get(path, aggregated);
    EXPECT_EQ(answer.content_type, kDiscoveryType);
    for (const Value& group : answer.body["items"].elements()) {
      for (const Value& version : group["versions"].elements()) {
        const std::string name(group["metadata"]["name"].text()), text(version["version"].text());
        const Value list = client.get(name.empty() ? "/api/" + text : "/apis/" + name + "/" + text).body;
        std::set<std::string_view> plain, found;
        for (const Value& one : list["resources"].elements())
          if (one["name"].text().find('/') == std::string_view::npos) plain.insert(one["name"].text());
        for (const Value& one : version["resources"].elements()) found.insert(one["resource"].text());
        EXPECT_EQ(plain, found) << name;
        resources += found.size();
      }
    }
  }
  EXPECT_EQ(resources, cases::built_in_kinds().size());
  EXPECT_EQ(client.get("/apis", "application/json").body["kind"].text(), "APIGroupList");
  const auto old = client.get(
      "/apis", "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json");
  EXPECT_EQ(old.body["kind"].text(), "APIGroupList") << "what a client of 1.26 to 1.29 asks for";
  EXPECT_EQ(old.content_type.find("apidiscovery"), std::string::npos);
}

TEST(ClusterApiDiscovery, HasVersionAndOpenapi) {
  ViewState view({}, "token", std::make_shared<std::atomic<std::size_t>>(0));
  ApiClient client(view);
  EXPECT_EQ(client.get("/version").body["minor"].text(), cases::kNewestVersion.substr(2));
  EXPECT_EQ(client.get("/openapi/v2").body["swagger"].text(), "2.0");
  const auto binary = client.get("/openapi/v2", kOpenapiV2Protobuf);
  EXPECT_EQ(binary.content_type, kOpenapiV2Protobuf);
  const Value index = client.get("/openapi/v3").body;
  const std::string url(index["paths"]["apis/apps/v1"]["serverRelativeURL"].text());
  EXPECT_FALSE(client.get(url).body["paths"].empty());
  EXPECT_EQ(client.get("/openapi/v3/apis/none.io/v1").status, 404);
}

TEST(ClusterApiDiscovery, ReadsPaths) {
  const ApiPath space = read_path("/api/v1/namespaces/n");
  EXPECT_EQ(space.plural, "namespaces");
  EXPECT_EQ(space.name, "n");
  const ApiPath status = read_path("/api/v1/namespaces/n/status");
  EXPECT_EQ(status.subresource, "status");
  const ApiPath pod = read_path("/api/v1/namespaces/n/pods/p/ephemeralcontainers");
  EXPECT_EQ(pod.namespace_name + "/" + pod.plural + "/" + pod.name + "/" + pod.subresource,
            "n/pods/p/ephemeralcontainers");
  EXPECT_EQ(read_path("/apis/apps/v1/deployments").group, "apps");
  EXPECT_EQ(read_path("/nothing").target, ApiPath::Target::unknown);
  EXPECT_EQ(ApiQuery("watch&limit=5&a=%3Db+c")["a"], "=b c");
  EXPECT_TRUE(ApiQuery("watch").is_true("watch"));
  EXPECT_TRUE(ApiQuery("watch=True").is_true("watch"));
  EXPECT_FALSE(ApiQuery("watch=false").is_true("watch"));
}

TEST(ClusterApiSelectors, RefuseWhatIsNone) {
  const ServedResources resources;
  const ApiResource& pods = *resources.find("", "v1", "pods");
  for (const char* text : {"a in b", "a=b,,", "a=(", "!", "=b", "a>b", "a in (b", "a b"})
    EXPECT_FALSE(ObjectSelector::read({.labels = text}, pods)) << text;
  for (const char* text : {"spec.nodeName", "=x", "spec.unknown=x"})
    EXPECT_FALSE(ObjectSelector::read({.fields = text}, pods)) << text;
}

TEST(ClusterApiSelectors, SelectAsTheServerDoes) {
  const ServedResources resources;
  const ApiResource& pods = *resources.find("", "v1", "pods");
  Value pod = core_object("Pod", "default", "p", "5");
  pod.set("spec", {{"nodeName", "n"}});
  const struct {
    const char *labels, *fields;
    bool selects;
  } rows[] = {{"app=5", "", true},
              {"app==5,other!=x", "", true},
              {"app in (4, 5)", "", true},
              {"app notin (5)", "", false},
              {"other notin (5)", "", true},
              {"app>4", "", true},
              {"app<5", "", false},
              {"!app", "", false},
              {"app,!other", "", true},
              {"", "metadata.name=p,spec.nodeName=n", true},
              {"", "spec.nodeName!=n", false},
              {"", "spec.hostNetwork=false", true},
              {"", "metadata.namespace==other", false}};
  for (const auto& row : rows) {
    const auto selector = ObjectSelector::read({.labels = row.labels, .fields = row.fields}, pods);
    ASSERT_TRUE(selector) << row.labels << row.fields << selector.error().text();
    EXPECT_EQ(selector->selects(pod), row.selects) << row.labels << row.fields;
  }
}

}  // namespace
}  // namespace fixpoint::external
