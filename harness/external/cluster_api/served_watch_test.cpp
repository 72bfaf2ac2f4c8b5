#include "harness/external/cluster_api/served_watch.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"
#include "harness/external/cluster_api/api_client_model.h"

namespace fixpoint::external {
namespace {

using document::Value;
using Titles = std::vector<std::string>;
/// Of all ConfigMaps but the one that is published in each namespace.
constexpr const char* kWatchOfMaps =
    "/api/v1/namespaces/default/configmaps?watch=true&fieldSelector=metadata.name%21%3Dkube-root-ca.crt";

/// A view with a client and narrow limits.
class ClusterApiWatch : public testing::Test {
 protected:
  /// Shows ConfigMaps of the namespace default, with their labels.
  void show(const std::vector<std::pair<std::string, std::string>>& maps,
            const std::vector<ReadFault>& faults = {}) {
    std::vector<Value> objects;
    for (const auto& [name, app] : maps) objects.push_back(core_object("ConfigMap", "default", name, app));
    view_.show(cluster_with(std::move(objects)), "", faults);
  }
  std::string version() {
    return std::string(client_.get("/api/v1/configmaps").body["metadata"]["resourceVersion"].text());
  }

  std::shared_ptr<std::atomic<std::size_t>> open_ = std::make_shared<std::atomic<std::size_t>>(0);
  ViewState view_{{.cluster_watches_max = 3, .cluster_log_max = 20}, "token", open_};
  ApiClient client_{view_};
};

TEST_F(ClusterApiWatch, TellsEachChangeOnce) {
  show({{"a", ""}, {"b", ""}});
  const auto watch = client_.watch(kWatchOfMaps);
  EXPECT_EQ(titles_of(events_of(*watch)), (Titles{"ADDED default/a", "ADDED default/b"}));
  show({{"a", ""}, {"b", "x"}, {"c", ""}});
  EXPECT_EQ(titles_of(events_of(*watch)), (Titles{"MODIFIED default/b", "ADDED default/c"}));
  show({{"c", ""}});
  EXPECT_EQ(titles_of(events_of(*watch)), (Titles{"DELETED default/a", "DELETED default/b"}));
  show({{"c", ""}});
  EXPECT_TRUE(events_of(*watch).empty());
}

TEST_F(ClusterApiWatch, TellsWhatBeginsAndCeasesToMatch) {
  show({{"a", "x"}, {"b", "y"}});
  const auto watch = client_.watch(std::string(kWatchOfMaps) + "&labelSelector=app%3Dx");
  EXPECT_EQ(titles_of(events_of(*watch)), Titles{"ADDED default/a"});
  show({{"a", "y"}, {"b", "x"}});
  const auto events = events_of(*watch);
  EXPECT_EQ(titles_of(events), (Titles{"DELETED default/a", "ADDED default/b"}));
  EXPECT_EQ(events[0]["object"]["metadata"]["labels"]["app"].text(), "x") << "as it matched last";
}

TEST_F(ClusterApiWatch, EndsInitialEventsWithABookmark) {
  show({{"a", ""}});
  const std::string list =
      std::string(kWatchOfMaps) + "&resourceVersionMatch=NotOlderThan&sendInitialEvents=";
  const auto watch = client_.watch(list + "true&allowWatchBookmarks=true");
  const auto events = events_of(*watch);
  EXPECT_EQ(titles_of(events), (Titles{"ADDED default/a", "BOOKMARK"}));
  const Value& metadata = events[1]["object"]["metadata"];
  EXPECT_EQ(metadata["annotations"]["k8s.io/initial-events-end"].text(), "true");
  EXPECT_EQ(metadata["resourceVersion"].text(), version());
  EXPECT_EQ(events[1]["object"]["kind"].text(), "ConfigMap");
  EXPECT_TRUE(events_of(*client_.watch(list + "false")).empty());
}

TEST_F(ClusterApiWatch, GivesMetadataAloneAndTables) {
  show({{"a", ""}});
  const auto partial =
      events_of(*client_.watch(kWatchOfMaps, "application/json;as=PartialObjectMetadata;v=v1"));
  EXPECT_EQ(partial[0]["object"]["kind"].text(), "PartialObjectMetadata");
  const auto table = events_of(*client_.watch(kWatchOfMaps, "application/json;as=Table;v=v1"));
  EXPECT_EQ(table[0]["object"]["kind"].text(), "Table");
}

TEST_F(ClusterApiWatch, SaysThatAVersionIsTooOldOrUnknown) {
  show({{"a", ""}});
  const std::string old = version();
  for (int i = 0; i < 30; ++i) show({{"a", i % 2 == 0 ? "x" : "y"}});
  for (const std::string& asked : {old, std::string("100000")}) {
    const auto watch = client_.watch(std::string(kWatchOfMaps) + "&resourceVersion=" + asked);
    const auto events = events_of(*watch);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0]["type"].text(), "ERROR");
    EXPECT_EQ(events[0]["object"]["code"].integer(), 410);
    EXPECT_EQ(events[0]["object"]["reason"].text(), "Expired");
    EXPECT_FALSE(watch->is_open());
  }
  EXPECT_TRUE(events_of(*client_.watch(std::string(kWatchOfMaps) + "&resourceVersion=" + version())).empty());
}

TEST_F(ClusterApiWatch, HoldsEventsBackFromAStaleClient) {
  show({});
  const auto watch = client_.watch(kWatchOfMaps);
  show({{"a", ""}}, {{.resource = "configmaps", .fault = "stale"}});
  EXPECT_TRUE(events_of(*watch).empty());
  show({{"a", ""}});
  EXPECT_EQ(titles_of(events_of(*watch)), Titles{"ADDED default/a"});
}

TEST_F(ClusterApiWatch, EndsWhenItsTimeIsOver) {
  const auto brief = client_.watch(std::string(kWatchOfMaps) + "&timeoutSeconds=2&allowWatchBookmarks=true");
  const auto now = std::chrono::steady_clock::now();
  view_.tick(now);
  EXPECT_TRUE(brief->is_open());
  view_.tick(now + std::chrono::seconds(3));
  EXPECT_FALSE(brief->is_open());
  EXPECT_EQ(titles_of(events_of(*brief)), Titles{"BOOKMARK"});
}

TEST_F(ClusterApiWatch, OpensNoMoreThanTheLimit) {
  std::vector<std::shared_ptr<webhooks::HttpStream>> open;
  for (int i = 0; i < 3; ++i) open.push_back(client_.watch(kWatchOfMaps));
  EXPECT_EQ(client_.get(kWatchOfMaps).status, 429);
  open[0]->detach();  // the client leaves
  EXPECT_NE(client_.watch(kWatchOfMaps), nullptr);
  EXPECT_EQ(*open_, 3u);
  view_.close();
  EXPECT_EQ(*open_, 0u);
  EXPECT_EQ(client_.get("/api").status, 401);
}

TEST(ClusterApiSlowWatch, IsCutWhenItsClientReadsNothing) {
  ViewState view({.cluster_unsent_bytes_max = 4096}, "token", std::make_shared<std::atomic<std::size_t>>(0));
  ApiClient client(view);
  const auto watch = client.watch(kWatchOfMaps);
  for (int i = 0; i < 100 && watch->is_open(); ++i)
    view.show(cluster_with({core_object("ConfigMap", "default", "n" + std::to_string(i))}), "");
  EXPECT_FALSE(watch->is_open());
  EXPECT_FALSE(view.has_watches());
}

}  // namespace
}  // namespace fixpoint::external
