#include "harness/external/cluster_api/api_writes.h"

#include <gtest/gtest.h>

#include "harness/external/cluster_api/api_client_model.h"

namespace fixpoint::external {
namespace {

using document::Value;

class ClusterApiWrites : public testing::Test {
 protected:
  ClusterApiWrites() { view_.show(cluster_with({core_object("ConfigMap", "default", "a", "x")}), ""); }
  ApiAccess last() { return view_.take_accesses().back(); }

  ViewState view_{{.cluster_leases_max = 2}, "own", std::make_shared<std::atomic<std::size_t>>(0)};
  ApiClient client_{view_};
};

constexpr const char* kMaps = "/api/v1/namespaces/default/configmaps";

TEST_F(ClusterApiWrites, KeepsWritesUntilTheNextClusterIsShown) {
  const std::string a = std::string(kMaps) + "/a", b = std::string(kMaps) + "/b";
  const Value new_map = core_object("ConfigMap", "default", "b"),
              old_map = core_object("ConfigMap", "default", "a");
  const struct {
    const char* method;
    std::string path;
    Value body;
    int status;
    std::string reason;
  } rows[] = {{"POST", kMaps, old_map, 409, "AlreadyExists"},
              {"PUT", b, new_map, 404, "NotFound"},
              {"DELETE", b, {}, 404, "NotFound"},
              {"POST", kMaps, new_map, 201, ""},
              {"PUT", b, new_map, 200, ""},
              {"PATCH", b, {{"data", {{"k", "v"}}}}, 200, ""},
              {"DELETE", a, {}, 200, ""},
              {"DELETE", a, {}, 404, "NotFound"},
              {"PUT", kMaps, new_map, 405, "MethodNotAllowed"}};
  for (const auto& row : rows) {
    const auto answer = client_.send(row.method, row.path, row.body);
    EXPECT_EQ(answer.status, row.status) << row.method << row.path;
    EXPECT_EQ(answer.body["reason"].text(), row.reason) << row.method << row.path;
    EXPECT_EQ(last().is_write(), row.status != 405) << row.method << row.path;
  }
  EXPECT_EQ(client_.get(b).body["data"]["k"].text(), "v");
  view_.show(cluster_with({core_object("ConfigMap", "default", "a", "x")}), "");
  EXPECT_EQ(client_.get(a).body["metadata"]["labels"]["app"].text(), "x");
  EXPECT_EQ(client_.get(b).status, 404);
  EXPECT_EQ(client_.send("DELETE", std::string(kMaps) + "?labelSelector=app%3Dx", {}).status, 200);
  EXPECT_EQ(client_.get(a).status, 404);
  EXPECT_EQ(client_.get(std::string(kMaps) + "/kube-root-ca.crt").status, 200);
}

TEST_F(ClusterApiWrites, EndWithALimit) {
  ViewState view{{.cluster_accesses_max = 2}, "own", std::make_shared<std::atomic<std::size_t>>(0)};
  view.show({}, "");
  ApiClient client(view);
  for (const auto& [name, status] : {std::pair("a", 201), std::pair("b", 201), std::pair("c", 429)})
    EXPECT_EQ(client.send("POST", kMaps, core_object("ConfigMap", "default", name)).status, status) << name;
  view.show({}, "");
  EXPECT_EQ(client.send("POST", kMaps, core_object("ConfigMap", "default", "c")).status, 201);
}

TEST_F(ClusterApiWrites, OfAStatusLeaveTheRestAlone) {
  const std::string nodes = "/api/v1/nodes";
  client_.send("POST", nodes, core_object("Node", "", "n", "x"));
  Value node = core_object("Node", "", "n", "other");
  node.set("status", {{"phase", "Running"}});
  const Value stored = client_.send("PUT", nodes + "/n/status", node).body;
  EXPECT_EQ(stored["metadata"]["labels"]["app"].text(), "x");
  EXPECT_EQ(stored["status"]["phase"].text(), "Running");
}

TEST_F(ClusterApiWrites, AnswersDryRunsAsIfTheyHadWorked) {
  const std::string dry = "?dryRun=All", a = std::string(kMaps) + "/a";
  const auto made = client_.send("POST", kMaps + dry, core_object("ConfigMap", "default", "b"));
  EXPECT_EQ(made.status, 201);
  EXPECT_FALSE(made.body["metadata"]["uid"].text().empty());
  EXPECT_FALSE(last().is_write());
  const auto merged =
      client_.send("PATCH", a + dry, {{"data", {{"k", "v"}}}}, "application/merge-patch+json");
  EXPECT_EQ(merged.body["data"]["k"].text(), "v");
  EXPECT_EQ(merged.body["metadata"]["labels"]["app"].text(), "x");
  const Value list = Value::list({Value{{"op", "add"}, {"path", "/data"}, {"value", {{"k", "w"}}}}});
  const auto patched = client_.send("PATCH", a + dry, list, "application/json-patch+json");
  EXPECT_EQ(patched.body["data"]["k"].text(), "w");
  view_.take_accesses();
  EXPECT_EQ(client_.send("DELETE", a, {{"dryRun", Value::list({"All"})}}).body["status"].text(), "Success");
  EXPECT_TRUE(last().is_dry_run);
  EXPECT_EQ(client_.get(std::string(kMaps) + "/b").status, 404);
}

TEST_F(ClusterApiWrites, AnswersReviewsOfAccessAndTokens) {
  const std::string access = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  const auto allowed = client_.send("POST", access, {{"spec", Value::empty_object()}});
  EXPECT_EQ(allowed.status, 201);
  EXPECT_TRUE(allowed.body["status"]["allowed"].is_true());
  EXPECT_FALSE(last().is_write());
  const std::string tokens = "/apis/authentication.k8s.io/v1/tokenreviews";
  const auto review = [&](const char* token) {
    return client_.send("POST", tokens, {{"spec", {{"token", token}}}}).body["status"];
  };
  EXPECT_TRUE(review("own")["authenticated"].is_true());
  EXPECT_FALSE(review("forged")["authenticated"].is_true());
  const auto token = client_.send("POST", "/api/v1/namespaces/default/serviceaccounts/default/token",
                                  {{"spec", Value::empty_object()}});
  EXPECT_EQ(token.status, 201);
  EXPECT_TRUE(review(std::string(token.body["status"]["token"].text()).c_str())["authenticated"].is_true());
}

TEST_F(ClusterApiWrites, ForgetsEvents) {
  const auto event = client_.send("POST", "/api/v1/namespaces/default/events",
                                  {{"metadata", {{"generateName", "e"}}}, {"reason", "r"}});
  EXPECT_EQ(event.status, 201);
  EXPECT_EQ(event.body["metadata"]["name"].text().size(), 6u);
  EXPECT_FALSE(last().is_write());
  EXPECT_TRUE(client_.get("/api/v1/events").body["items"].empty());
}

TEST_F(ClusterApiWrites, RemembersLeasesForLeaderElection) {
  const std::string leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  const auto lease = [](const char* name) {
    return Value{{"metadata", {{"name", name}}}, {"spec", {{"holderIdentity", "me"}}}};
  };
  EXPECT_EQ(client_.get(leases + "/l").status, 404);
  const auto made = client_.send("POST", leases, lease("l"));
  EXPECT_EQ(made.status, 201);
  EXPECT_FALSE(last().is_write());
  EXPECT_EQ(client_.send("POST", leases, lease("l")).status, 409);
  EXPECT_EQ(client_.send("PUT", leases + "/l", made.body).status, 200);
  EXPECT_EQ(client_.send("PUT", leases + "/l", made.body).body["reason"].text(), "Conflict");
  view_.show({}, "");
  EXPECT_EQ(client_.get(leases + "/l").body["spec"]["holderIdentity"].text(), "me");
  client_.send("POST", leases, lease("m"));
  client_.send("POST", leases, lease("n"));
  EXPECT_EQ(client_.get(leases).body["items"].size(), 2u) << "cluster_leases_max";
  EXPECT_EQ(client_.get(leases + "/l").status, 404);
  EXPECT_EQ(client_.send("DELETE", leases + "/n", {}).status, 200);
}

TEST_F(ClusterApiWrites, AnotherReplicaHoldsAndRenewsAllLeases) {
  const std::string leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  const Value own{{"metadata", {{"name", "l"}}}, {"spec", {{"holderIdentity", "me"}}}};
  view_.let_lead(false);
  const auto seen = client_.get(leases + "/l");
  ASSERT_EQ(seen.status, 200);
  EXPECT_EQ(seen.body["spec"]["leaseDurationSeconds"].integer(), 15);
  EXPECT_NE(seen.body["spec"]["holderIdentity"].text(), "me");
  EXPECT_EQ(client_.send("POST", leases, own).body["reason"].text(), "AlreadyExists");
  EXPECT_EQ(client_.send("PUT", leases + "/l", seen.body).body["reason"].text(), "Conflict");
  const auto again = client_.get(leases + "/l");
  EXPECT_GT(again.body["spec"]["renewTime"].text(), seen.body["spec"]["renewTime"].text()) << "renewed";
  view_.let_lead(true);
  EXPECT_EQ(client_.get(leases + "/l").status, 404);
  EXPECT_EQ(client_.send("POST", leases, own).status, 201);
}

/// Writes a field of a message that is a text or a message.
std::string field(char number, const std::string& bytes) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(bytes.size())} + bytes;
}
std::string envelope(const char* kind, const std::string& raw) {
  return std::string("k8s\0", 4) + field(1, field(1, "v1") + field(2, kind)) + field(2, raw);
}

TEST_F(ClusterApiWrites, ReadsOfProtobufWhatDecides) {
  const std::string type = "application/vnd.kubernetes.protobuf";
  const auto send = [&](const std::string& method, const std::string& path, const std::string& body) {
    return client_.send_text(method, path, body, type);
  };
  const std::string leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  const std::string spec = field(1, "me") + std::string("\x10\x0f", 2) + field(4, "\x08\x01\x10\xe8\x07");
  const auto made = send("POST", leases, envelope("Lease", field(1, field(1, "l")) + field(2, spec)));
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.body["spec"]["holderIdentity"].text(), "me");
  EXPECT_EQ(made.body["spec"]["leaseDurationSeconds"].integer(), 15);
  EXPECT_EQ(made.body["spec"]["renewTime"].text(), "1970-01-01T00:00:01.000001Z");
  const std::string b = envelope("ConfigMap", field(1, field(1, "b")));
  EXPECT_EQ(send("POST", std::string(kMaps) + "?dryRun=All", b).status, 415);
  EXPECT_EQ(send("POST", kMaps, b).status, 201);
  EXPECT_EQ(describe(last()), "create ConfigMap default/b");
  EXPECT_EQ(send("DELETE", std::string(kMaps) + "/a", envelope("DeleteOptions", field(5, "All"))).status,
            200);
  EXPECT_TRUE(last().is_dry_run);
  const std::string token = envelope("TokenReview", field(2, field(1, "own")));
  const auto review = send("POST", "/apis/authentication.k8s.io/v1/tokenreviews", token);
  EXPECT_TRUE(review.body["status"]["authenticated"].is_true());
  for (std::size_t size = 0; size < token.size(); ++size) send("POST", kMaps, token.substr(0, size));
  EXPECT_EQ(send("POST", kMaps, "no protobuf").status, 415);
}

TEST_F(ClusterApiWrites, TakesHostileBodies) {
  for (const char* body :
       {"", "[]", "[1]", "1", "{", "{\"metadata\":1}", "{\"metadata\":{\"name\":[]}}", "null"}) {
    for (const char* method : {"POST", "PUT", "PATCH", "DELETE"}) {
      for (const char* type :
           {"application/json", "application/json-patch+json", "application/apply-patch+yaml"}) {
        for (const std::string& path :
             {std::string(kMaps) + "/a", std::string(kMaps),
              std::string("/api/v1/namespaces/default/events/e"),
              std::string("/apis/coordination.k8s.io/v1/namespaces/default/leases")}) {
          EXPECT_GE(client_.send_text(method, path + "?dryRun=All", body, type).status, 200);
          EXPECT_GE(client_.send_text(method, path, body, type).status, 200);
        }
      }
    }
  }
}

}  // namespace
}  // namespace fixpoint::external
