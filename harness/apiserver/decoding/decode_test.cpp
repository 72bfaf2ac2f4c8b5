#include "harness/apiserver/decoding/decode.h"

#include <gtest/gtest.h>

#include "harness/apiserver/decoding/internal_type.h"
#include "harness/apiserver/decoding/kinds.h"
#include "harness/apiserver/types/equality.h"
#include "harness/document/json.h"

namespace fixpoint::apiserver {
namespace {

using document::Value;

Value read(std::string_view text) { return *document::read_json(text, {}, document::Strictness::foreign); }
std::string decoded(std::string_view text) { return document::write_json(*decode_pod(read(text))); }

TEST(Decode, FollowsTheTypes) {
  EXPECT_EQ(
      decoded(
          R"({"spec":{"containers":[{"image":"x","nope":1,"name":"a","env":[]}]},"metadata":{"labels":{}}})"),
      R"({"metadata":{},"spec":{"containers":[{"name":"a","image":"x","resources":{}}]},"status":{}})");
  EXPECT_FALSE(decode_pod(read(R"({"spec":{"priority":1.0}})")).ok());
  EXPECT_EQ(decode_pod(read(R"({"spec":{"containers":[{"name":1}]}})")).error().place,
            "/spec/containers/0/name");
}

TEST(Decode, TellsTheFirstMemberThatIsWrong) {
  for (const auto& [container, member] :
       {std::pair{R"({"image":1,"name":2})", "image"}, std::pair{R"({"name":2,"image":1})", "name"},
        std::pair{R"({"tty":true,"env":1,"command":2,"image":"x"})", "env"},
        std::pair{R"({"image":1,"name":"a","image":"x","name":2})", "image"}}) {
    const auto pod = decode_pod(read(std::string(R"({"spec":{"containers":[)") + container + "]}}"));
    ASSERT_FALSE(pod.ok()) << container;
    EXPECT_EQ(pod.error().place, std::string("/spec/containers/0/") + member) << container;
  }
}

TEST(Decode, ForgetsTheSpelling) {
  const Value pod = *decode_pod(read(R"({"metadata":{"name":"\u0061<"}})"));
  EXPECT_EQ(pod["metadata"]["name"].spelling(), "");
  EXPECT_EQ(pod["metadata"]["name"].text(), "a<");
}

TEST(Decode, MergesDuplicates) {
  EXPECT_EQ(decoded(R"({"spec":{"containers":[{"name":"a","image":"x"}],"containers":[{"name":"b"}]}})"),
            R"({"metadata":{},"spec":{"containers":[{"name":"b","image":"x","resources":{}}]},"status":{}})");
}

TEST(Decode, OlderMinorsKnowLess) {
  const Value sent = read(R"({"spec":{"containers":null,"hostnameOverride":"x"}})");
  EXPECT_TRUE((*decode_pod(sent, 33))["spec"]["hostnameOverride"].is_null());
  EXPECT_EQ((*decode_pod(sent, 34))["spec"]["hostnameOverride"].text(), "x");
  EXPECT_NE((*decode_pod(sent, 33))["metadata"].find("creationTimestamp"), nullptr);
}

/// A stamp of one minor speeds up another, and never hides a field that only one of them knows.
TEST(Decode, MinorsShareWhatTheyAgreeOn) {
  const Value sent = read(R"({"metadata":{"name":"p"},"spec":{"hostnameOverride":"x","schedulingGroup":{},
      "containers":[{"name":"a","resizePolicy":[{"resourceName":"cpu","restartPolicy":"NotRequired"}],
      "restartPolicyRules":[{"action":"Restart"}],"volumeMounts":[{"name":"v","mountPath":"/v"}]}]}})");
  const Value newest = *decode_pod(sent);
  EXPECT_TRUE(decode_pod(newest, 34)->operator[]("spec")["containers"].same(newest["spec"]["containers"]));
  for (int from = kOldestLibrary; from <= kNewestMinor; ++from) {
    for (int to = kOldestLibrary; to <= kNewestMinor; ++to) {
      const Value stamped = *decode_pod(sent, from);
      const Value plain = read(document::write_json(stamped));
      EXPECT_EQ(document::write_json(*decode_pod(stamped, to)), document::write_json(*decode_pod(plain, to)))
          << from << " to " << to;
    }
  }
}

TEST(Decode, LooksOnlyAtWhatChanged) {
  Value pod =
      *decode_pod(read(R"({"spec":{"containers":[{"name":"a"},{"name":"b"}],"volumes":[{"name":"v"}]}})"));
  EXPECT_TRUE(decode_pod(pod)->same(pod));
  const Value before = pod;
  pod.edit("spec").edit("containers").edit(0).set("image", "x");
  const Value after = *decode_pod(pod);
  EXPECT_TRUE(after["spec"]["containers"].at(1).same(before["spec"]["containers"].at(1)));
  EXPECT_TRUE(after["spec"]["volumes"].same(before["spec"]["volumes"]));
  EXPECT_FALSE(semantically_equal(before, after));
}

TEST(Kinds, AreTheSchemes) {
  EXPECT_EQ(kind_of(read("{}")), ObjectKind::expected);
  EXPECT_EQ(kind_of(read("null")), ObjectKind::expected);
  EXPECT_EQ(kind_of(read(R"({"apiVersion":"v1","kind":"Service"})")), ObjectKind::registered);
  EXPECT_EQ(kind_of(read(R"({"apiVersion":"apps/v1","kind":"Pod"})")), ObjectKind::unregistered);
  EXPECT_EQ(kind_of(read(R"({"kind":"Nonsense"})")), ObjectKind::unregistered);
  EXPECT_EQ(kind_of(read(R"({"apiVersion":"a/b/c"})")), ObjectKind::malformed);
  EXPECT_EQ(kind_of(read(R"({"kind":1})")), ObjectKind::malformed);
  for (const char* pod :
       {R"({"kind":"Pod","apiVersion":"v1","spec":{}})", R"({"apiVersion":"v1","kind":"Pod"})"})
    EXPECT_EQ(kind_of(read(pod)), ObjectKind::expected) << pod;
  EXPECT_EQ(kind_of(read(R"({"kind":"Pod","apiVersion":"v1","KIND":"Service"})")), ObjectKind::registered);
  EXPECT_EQ(kind_of(read(R"({"kind":"v1","apiVersion":"Pod"})")), ObjectKind::unregistered);
}

TEST(Equality, ComparesQuantitiesByValueAndPointersByPresence) {
  const auto equal = [](std::string_view a, std::string_view b) {
    return semantically_equal(*decode_pod(read(a)), *decode_pod(read(b)));
  };
  EXPECT_TRUE(equal(R"({"spec":{"overhead":{"cpu":"1000m"}}})", R"({"spec":{"overhead":{"cpu":"1"}}})"));
  EXPECT_TRUE(equal(R"({"spec":{"containers":[]}})", R"({"spec":{"containers":null}})"));
  EXPECT_FALSE(equal(R"({"spec":{"securityContext":{}}})", R"({"spec":{}})"));
  EXPECT_FALSE(equal(R"({"kind":"Pod"})", R"({})"));
}

TEST(InternalType, KeepsAliasesInStep) {
  const Value pod = through_internal_type(*decode_pod(read(
      R"({"spec":{"serviceAccount":"old","terminationGracePeriodSeconds":-5},
          "status":{"podIP":"10.0.0.1"}})")));
  EXPECT_EQ(pod["spec"]["serviceAccountName"].text(), "old");
  EXPECT_EQ(pod["spec"]["terminationGracePeriodSeconds"].text(), "1");
  EXPECT_EQ(pod["status"]["podIPs"].at(0)["ip"].text(), "10.0.0.1");
  EXPECT_EQ(pod["kind"].text(), "Pod");
  EXPECT_TRUE(through_internal_type(pod).same(pod));
}

}  // namespace
}  // namespace fixpoint::apiserver
