#include "harness/external/cluster_api/view_state.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "harness/document/json.h"
#include "harness/external/cluster_api/api_client_model.h"

namespace fixpoint::external {
namespace {

using document::Value;
using Titles = std::vector<std::string>;

std::unique_ptr<ViewState> view_with(const Limits& limits = {}) {
  return std::make_unique<ViewState>(limits, "token", std::make_shared<std::atomic<std::size_t>>(0));
}

/// A small cluster: ConfigMaps of few names in few namespaces with few labels.
cases::Cluster drawn_cluster() {
  const int count = *rc::gen::inRange(0, 6);
  std::vector<Value> objects;
  for (int i = 0; i < count; ++i) {
    objects.push_back(core_object("ConfigMap", *rc::gen::element<std::string>("default", "kserve"),
                                  *rc::gen::element<std::string>("a", "b", "c"),
                                  *rc::gen::element<std::string>("", "x", "y")));
  }
  return cluster_with(std::move(objects));
}

std::string drawn_selector() {
  return *rc::gen::element<std::string>("", "app=x", "app!=x", "app", "!app", "app in (x,y)",
                                        "app notin (y)");
}

std::string encoded(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '!')
      out += "%21";
    else if (c == '=')
      out += "%3D";
    else if (c == ' ')
      out += '+';
    else
      out += c;
  }
  return out;
}

/// The objects that a client holds after these events: their texts by identity.
using Held = std::map<std::string, std::string>;
std::string identity_of(const Value& object) {
  const Value& metadata = object["metadata"];
  return std::string(metadata["namespace"].text()) + "/" + std::string(metadata["name"].text());
}
void replay(const std::vector<Value>& events, Held& held) {
  for (const Value& event : events) {
    const Value& object = event["object"];
    const std::string type(event["type"].text()), identity = identity_of(object);
    const bool is_known = held.contains(identity);
    RC_ASSERT(type == "ADDED" || type == "MODIFIED" || type == "DELETED");
    RC_ASSERT((type == "ADDED") != is_known);
    if (type == "DELETED") {
      held.erase(identity);
    } else {
      held[identity] = std::string(object["metadata"]["resourceVersion"].text());
    }
  }
}
Held held_of(const Value& list) {
  Held held;
  for (const Value& item : list["items"].elements())
    held[identity_of(item)] = std::string(item["metadata"]["resourceVersion"].text());
  return held;
}

RC_GTEST_PROP(ClusterApiLaws, AWatchReplaysWhatAListShows, ()) {
  const auto view = view_with();
  ApiClient client(*view);
  const std::string selector = encoded(drawn_selector());
  const std::string place =
      *rc::gen::element<std::string>("/api/v1/configmaps", "/api/v1/namespaces/default/configmaps");
  const std::string list = place + "?labelSelector=" + selector;
  if (*rc::gen::arbitrary<bool>()) view->show(drawn_cluster(), "");
  const auto from_start = client.watch(list + "&watch=true");
  const Value first = client.get(list).body;
  const std::string version(first["metadata"]["resourceVersion"].text());
  Held started, resumed = held_of(first);
  for (int i = *rc::gen::inRange(1, 6); i > 0; --i) view->show(drawn_cluster(), "default");
  replay(events_of(*from_start), started);
  replay(events_of(*client.watch(list + "&watch=1&resourceVersion=" + version)), resumed);
  const Held shown = held_of(client.get(list).body);
  RC_ASSERT(started == shown);
  RC_ASSERT(resumed == shown);
}

RC_GTEST_PROP(ClusterApiLaws, AnUnchangedObjectKeepsItsVersion, ()) {
  const auto view = view_with();
  ApiClient client(*view);
  const cases::Cluster first = drawn_cluster(), second = drawn_cluster();
  view->show(first, "");
  const Value before = client.get("/api/v1/configmaps").body;
  view->show(second, "");
  view->show(second, "");
  const Value after = client.get("/api/v1/configmaps").body;
  for (const Value& item : after["items"].elements()) {
    for (const Value& old : before["items"].elements()) {
      if (identity_of(old) != identity_of(item)) continue;
      const bool has_kept = old["metadata"]["resourceVersion"] == item["metadata"]["resourceVersion"];
      RC_ASSERT(has_kept == (old["metadata"]["labels"] == item["metadata"]["labels"]));
    }
  }
}

RC_GTEST_PROP(ClusterApiLaws, TheSameClusterGivesTheSameBytes, ()) {
  const cases::Cluster cluster = drawn_cluster();
  const auto one = view_with(), other = view_with();
  one->show(cluster, "n");
  other->show(cluster, "n");
  for (const char* path : {"/api/v1/configmaps", "/api/v1/namespaces", "/apis", "/api/v1"}) {
    RC_ASSERT(document::write_json(ApiClient(*one).get(path).body) ==
              document::write_json(ApiClient(*other).get(path).body));
  }
}

TEST(ClusterApiView, ImpliesNamespacesAndTheirServiceAccounts) {
  const auto view = view_with();
  view->show(cluster_with({core_object("ConfigMap", "kserve", "c")}), "team");
  ApiClient client(*view);
  Titles names;
  const Value list = client.get("/api/v1/namespaces").body;
  for (const Value& item : list["items"].elements()) names.emplace_back(item["metadata"]["name"].text());
  EXPECT_EQ(names, (Titles{"default", "kserve", "kube-node-lease", "kube-public", "kube-system", "team"}));
  const Value team = client.get("/api/v1/namespaces/team").body;
  EXPECT_EQ(team["metadata"]["labels"]["kubernetes.io/metadata.name"].text(), "team");
  EXPECT_EQ(client.get("/api/v1/namespaces/team/serviceaccounts/default").status, 200);
  view->show({}, "other");
  EXPECT_EQ(client.get("/api/v1/namespaces/team").status, 404);
}

TEST(ClusterApiView, StoresWhatTheServerWouldHaveStored) {
  const auto view = view_with();
  Value secret = core_object("Secret", "", "s");
  secret.set("stringData", {{"key", "value"}});
  view->show(cluster_with({secret}), "");
  const Value found = ApiClient(*view).get("/api/v1/namespaces/default/secrets/s").body;
  EXPECT_EQ(found["data"]["key"].text(), "dmFsdWU=");
  EXPECT_EQ(found["type"].text(), "Opaque");
  EXPECT_TRUE(found["stringData"].is_null());
  EXPECT_EQ(found["metadata"]["uid"].text().size(), 36u);
  EXPECT_FALSE(found["metadata"]["creationTimestamp"].text().empty());
}

TEST(ClusterApiView, WordsFailuresAsTheServerDoes) {
  const auto view = view_with();
  ApiClient client(*view);
  const struct {
    std::string path;
    int code;
    std::string reason, message;
  } rows[] = {
      {"/api/v1/namespaces/default/secrets/x", 404, "NotFound", "secrets \"x\" not found"},
      {"/apis/apps/v1/namespaces/default/deployments/x", 404, "NotFound", "deployments.apps \"x\" not found"},
      {"/api/v1/nothings", 404, "NotFound", "the server could not find the requested resource"},
      {"/apis/none.io", 404, "NotFound", "the server could not find the requested resource"},
      {"/api/v1/pods/x", 404, "NotFound", "the server could not find the requested resource"},
      {"/api/v1/pods?fieldSelector=spec.foo%3D1", 400, "BadRequest", "field label not supported: spec.foo"},
      {"/api/v1/configmaps?fieldSelector=data%3D1", 400, "BadRequest",
       "\"data\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\""},
      {"/api/v1/pods?resourceVersion=999", 504, "Timeout",
       "Timeout: Too large resource version: 999, current: "},
      {"/api/v1/pods?resourceVersionMatch=Exact", 422, "Invalid",
       "ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is "
       "forbidden unless resourceVersion is provided"},
      {"/api/v1/pods?watch=true&sendInitialEvents=true", 422, "Invalid",
       "ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires "
       "setting resourceVersionMatch to NotOlderThan"},
      {"/apis/authorization.k8s.io/v1/subjectaccessreviews", 405, "MethodNotAllowed",
       "the server does not allow this method on the requested resource"}};
  for (const auto& row : rows) {
    const auto answer = client.get(row.path);
    EXPECT_EQ(answer.status, row.code) << row.path;
    EXPECT_EQ(answer.body["kind"].text(), "Status") << row.path;
    EXPECT_EQ(answer.body["code"].integer(), row.code) << row.path;
    EXPECT_EQ(answer.body["reason"].text(), row.reason) << row.path;
    EXPECT_TRUE(answer.body["message"].text().starts_with(row.message)) << answer.body["message"].text();
  }
}

TEST(ClusterApiView, AnswersInJsonWhateverStandsFirst) {
  const auto view = view_with();
  ApiClient client(*view);
  EXPECT_EQ(client.get("/api/v1/pods", "application/vnd.kubernetes.protobuf,application/json").status, 200);
  EXPECT_EQ(client.get("/api/v1/pods", "*/*").status, 200);
  EXPECT_EQ(client.get("/api/v1/pods", "application/vnd.kubernetes.protobuf").status, 406);
}

TEST(ClusterApiView, GivesMetadataAndTables) {
  const auto view = view_with();
  Value pod = core_object("Pod", "default", "p");
  pod.set("spec", {{"containers", Value::list({Value{{"name", "c"}}})}});
  view->show(cluster_with({pod}), "");
  ApiClient client(*view);
  const std::string as = "application/json;as=";
  const auto partial = client.get("/api/v1/namespaces/default/pods/p",
                                  as + "PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json");
  EXPECT_EQ(partial.body["kind"].text(), "PartialObjectMetadata");
  EXPECT_EQ(partial.body["metadata"]["name"].text(), "p");
  EXPECT_TRUE(partial.body["spec"].is_null());
  const auto partials = client.get("/api/v1/pods", as + "PartialObjectMetadataList;g=meta.k8s.io;v=v1");
  EXPECT_EQ(partials.body["kind"].text(), "PartialObjectMetadataList");
  EXPECT_EQ(partials.body["items"].size(), 1u);
  const auto table = client.get("/api/v1/pods", as + "Table;v=v1;g=meta.k8s.io");
  EXPECT_EQ(table.body["kind"].text(), "Table");
  EXPECT_EQ(table.body["rows"].at(0)["cells"].size(), table.body["columnDefinitions"].size());
  EXPECT_EQ(table.body["rows"].at(0)["cells"].at(1).text(), "0/1");
}

TEST(ClusterApiView, ServesCustomResourcesInEachVersion) {
  const auto view = view_with();
  const Value definition = *document::read_json(R"({"apiVersion":"apiextensions.k8s.io/v1",
    "kind":"CustomResourceDefinition","metadata":{"name":"widgets.example.io"},"spec":{"group":"example.io",
    "scope":"Namespaced","names":{"plural":"widgets","kind":"Widget"},
    "versions":[{"name":"v1beta1","served":true,"selectableFields":[{"jsonPath":".spec.size"}]},
                {"name":"v1","served":true},{"name":"v1alpha1","served":false}]}})");
  const Value widget = *document::read_json(R"({"apiVersion":"example.io/v1beta1","kind":"Widget",
    "metadata":{"name":"w","namespace":"default"},"spec":{"size":"3"}})");
  view->show(cluster_with({widget}), "");
  ApiClient client(*view);
  EXPECT_EQ(client.get("/apis/example.io/v1/widgets").status, 404);
  EXPECT_EQ(client.get("/apis/example.io/v1beta1/namespaces/default/widgets/w").status, 200)
      << "a kind that only an object has is served, too";
  EXPECT_EQ(view->notes().size(), 1u);
  view->show(cluster_with({widget, definition}), "");
  EXPECT_TRUE(view->notes().empty());
  for (const std::string version : {"v1", "v1beta1"}) {
    const auto found = client.get("/apis/example.io/" + version + "/namespaces/default/widgets/w");
    EXPECT_EQ(found.body["apiVersion"].text(), "example.io/" + version);
  }
  EXPECT_EQ(client.get("/apis/example.io").body["preferredVersion"]["version"].text(), "v1");
  EXPECT_EQ(client.get("/apis/example.io/v1alpha1").status, 404);
  const std::string by_size = "/apis/example.io/v1beta1/widgets?fieldSelector=spec.size%3D";
  EXPECT_EQ(client.get(by_size + "3").body["items"].size(), 1u);
  EXPECT_EQ(client.get(by_size + "4").body["items"].size(), 0u);
}

TEST(ClusterApiView, MakesReadsFailOnPurpose) {
  const auto view = view_with();
  ApiClient client(*view);
  const cases::Cluster with = cluster_with({core_object("Secret", "default", "s")});
  const std::string path = "/api/v1/namespaces/default/secrets/s";
  view->show({}, "");
  const struct {
    std::string fault;
    int get, list;
  } rows[] = {
      {"403", 403, 403}, {"404", 404, 404}, {"500", 500, 500}, {"timeout", 504, 504}, {"stale", 404, 200}};
  for (const auto& row : rows) {
    view->show({}, "");
    view->show(with, "", {{.resource = "secrets", .fault = row.fault}});
    EXPECT_EQ(client.get(path).status, row.get) << row.fault;
    const auto list = client.get("/api/v1/secrets");
    EXPECT_EQ(list.status, row.list) << row.fault;
    EXPECT_EQ(list.body["items"].size(), 0u) << row.fault;
    EXPECT_EQ(client.get("/api/v1/configmaps").status, 200) << "another resource";
    view->show(with, "");
    EXPECT_EQ(client.get(path).status, 200) << "after " << row.fault;
  }
  view->show(with, "", {{.resource = "*", .fault = "403"}});
  EXPECT_EQ(client.get(path).body["message"].text(),
            "secrets \"s\" is forbidden: User \"system:serviceaccount:default:default\" cannot get resource "
            "\"secrets\" in API group \"\" in the namespace \"default\"");
}

TEST(ClusterApiView, RecordsWhatWasReadWithinTheLimit) {
  const auto view = view_with({.cluster_accesses_max = 2});
  ApiClient client(*view);
  client.get("/apis");
  EXPECT_FALSE(view->was_read());
  EXPECT_TRUE(view->take_accesses().empty());
  client.get("/api/v1/namespaces/default/secrets/x");
  EXPECT_TRUE(view->was_read());
  for (int i = 0; i < 5; ++i) client.get("/api/v1/pods?labelSelector=a%3Db");
  client.send("DELETE", "/api/v1/namespaces/default", {});
  const auto accesses = view->take_accesses();
  ASSERT_EQ(accesses.size(), 3u) << "two reads and the write";
  EXPECT_EQ(describe(accesses[0]), "read Secret default/x: not found");
  EXPECT_EQ(describe(accesses[1]), "list pods with labels a=b");
  EXPECT_EQ(describe(accesses[2]), "delete Namespace default");
  EXPECT_FALSE(accesses[1].is_write());
  EXPECT_TRUE(accesses[2].is_write());
}

}  // namespace
}  // namespace fixpoint::external
