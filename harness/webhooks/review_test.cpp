#include "harness/webhooks/review.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "harness/document/base64.h"
#include "harness/document/json.h"

namespace fixpoint::webhooks {
namespace {

std::string review_with(const std::string& response) {
  return R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":)" + response + "}";
}
Answer read(const std::string& body) { return read_review(body, "u", {}); }
Answer read_patch(const std::string& bytes) {
  return read(review_with(R"({"uid":"u","allowed":true,"patchType":"JSONPatch","patch":")" +
                          document::encode_base64(bytes) + R"("})"));
}

TEST(Review, ReadsWhatIsThere) {
  const Answer answer =
      read(review_with(R"({"uid":"u","allowed":true,"warnings":["w"],"auditAnnotations":{"k":"v"},)"
                       R"("status":{"code":200},"x":1})"));
  EXPECT_EQ(answer.problem, "");
  EXPECT_EQ(answer.api_version, "admission.k8s.io/v1");
  EXPECT_TRUE(answer.allowed && answer.uid_echoed && answer.has_response && answer.has_status);
  EXPECT_EQ(answer.status.code, 200);
  EXPECT_EQ(answer.warnings, std::vector<std::string>{"w"});
  EXPECT_EQ(answer.audit_annotations, (std::map<std::string, std::string>{{"k", "v"}}));
  EXPECT_FALSE(answer.patch || answer.patch_type);
}

TEST(Review, TellsAbsentFromNullFromWrong) {
  EXPECT_EQ(read(R"({"response":{}})").api_version, kNoApiVersion);
  EXPECT_EQ(read(R"({"response":{}})").kind, "");
  EXPECT_FALSE(read(R"({"response":{}})").allowed) << "Go's zero value";
  EXPECT_FALSE(read(review_with("null")).has_response);
  EXPECT_FALSE(read(R"({"kind":"AdmissionReview"})").has_response);
  EXPECT_FALSE(read(review_with(R"({"allowed":true})")).uid_echoed);
  EXPECT_EQ(read(review_with(R"({"patchType":""})")).patch_type, "");
  EXPECT_FALSE(read(review_with(R"({"patchType":null})")).patch_type);
  for (const char* response :
       {"[]", "1", R"({"allowed":"true"})", R"({"allowed":1})", R"({"uid":7})", R"({"patch":{}})",
        R"({"patch":"a"})", R"({"patch":"===="})", R"({"patchType":1})", R"({"warnings":"w"})",
        R"({"warnings":[1]})", R"({"auditAnnotations":{"k":1}})", R"({"status":"no"})",
        R"({"status":{"code":"1"}})", R"({"status":{"code":1.5}})", R"({"status":{"code":2147483648}})",
        R"({"status":{"message":1}})"}) {
    EXPECT_TRUE(read(review_with(response)).problem.starts_with("cannot decode the answer")) << response;
  }
}

TEST(Review, KeepsBytesThatAreNoPatchAsTheyAre) {
  EXPECT_EQ(document::write_json(*read_patch(R"([{"op":"test"}])").patch), R"([{"op":"test"}])");
  EXPECT_EQ(read_patch("this is not JSON").patch, Value("this is not JSON"));
  EXPECT_EQ(read_patch(R"("")").patch, Value(R"("")")) << "two bytes are not no patch";
  EXPECT_FALSE(read_patch("").patch);
}

TEST(Review, WritesOneLineWithEverythingTheServerSends) {
  const Value object{{"metadata", {{"name", "a\nb"}}}}, none;
  cases::Request request;
  request.operation = "UPDATE";
  request.sub_resource = "resize";
  request.dry_run = true;
  const std::string text = write_review({.object = object,
                                         .old_object = none,
                                         .request = request,
                                         .cluster = {},
                                         .webhook = "c/w",
                                         .review_version = "v1beta1",
                                         .uid = "u",
                                         .name = "web"},
                                        "fresh");
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(
      text,
      R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1","request":{"uid":"fresh",)"
      R"("kind":{"group":"","version":"v1","kind":"Pod"},)"
      R"("resource":{"group":"","version":"v1","resource":"pods"},"subResource":"resize",)"
      R"("requestKind":{"group":"","version":"v1","kind":"Pod"},)"
      R"("requestResource":{"group":"","version":"v1","resource":"pods"},"requestSubResource":"resize",)"
      R"("name":"web","namespace":"default","operation":"UPDATE","userInfo":{"username":"kubernetes-admin",)"
      R"("groups":["system:masters","system:authenticated"]},"dryRun":true,)"
      R"("options":{"kind":"UpdateOptions","apiVersion":"meta.k8s.io/v1","dryRun":["All"],)"
      R"("fieldManager":"fixpoint","fieldValidation":"Ignore"},)"
      R"("object":{"metadata":{"name":"a\nb"}},"oldObject":null}})");
}

RC_GTEST_PROP(Review, ARecoveredPanicIsRead, (const std::string& text)) {
  RC_ASSERT(recovered_panic(recovered(text)) == text);
  RC_ASSERT(!recovered_panic(deny(500, "", text.starts_with("panic: ") ? "" : text)));
  RC_ASSERT(!recovered_panic(deny(403, "", "panic: " + text + " [recovered]")));
  RC_ASSERT(!recovered_panic(fail("EOF")));
}

TEST(Base64, GoesThereAndBack) {
  for (const std::string bytes : {"", "f", "fo", "foo", "foob", "\xff\xfe"})
    EXPECT_EQ(document::decode_base64(document::encode_base64(bytes)), bytes);
  EXPECT_EQ(document::encode_base64("foob"), "Zm9vYg==");
  EXPECT_EQ(document::decode_base64("Zm9v\r\nYg==\n"), "foob");
  for (const char* bad : {"Zg", "Zg=", "Z===", "====", "Z g=", "Zm9v*A=="})
    EXPECT_FALSE(document::decode_base64(bad)) << bad;
}

}  // namespace
}  // namespace fixpoint::webhooks
