#include "harness/api/object_handler.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "harness/api/append_model.h"
#include "harness/api/rapidcheck.h"
#include "harness/document/base64.h"
#include "harness/document/json.h"
#include "harness/document/patch.h"

namespace fixpoint {
namespace {

using document::Value;

Value read(const std::string& text) { return document::read_json(text).value(); }

std::string admission_review(const std::string& pod, const std::string& version = "v1") {
  return R"({"apiVersion":"admission.k8s.io/)" + version +
         R"(","kind":"AdmissionReview","request":{"uid":"7","object":)" + pod + "}}";
}

TEST(ObjectHandler, AnswersAReviewInItsVersion) {
  const ReviewHandler label = on_object([](const std::string& pod) {
    EXPECT_EQ(pod, R"({"a":1})");
    return R"({"a":1,"b":"x"})";
  });
  const Value answer = read(label(admission_review(R"({"a":1})", "v1beta1")));
  EXPECT_EQ(answer["apiVersion"].text(), "admission.k8s.io/v1beta1");
  EXPECT_EQ(answer["kind"].text(), "AdmissionReview");
  const Value& response = answer["response"];
  EXPECT_EQ(response["uid"].text(), "7");
  EXPECT_TRUE(response["allowed"].is_true());
  EXPECT_EQ(response["patchType"].text(), "JSONPatch");
  EXPECT_EQ(document::decode_base64(response["patch"].text()), R"([{"op":"add","path":"/b","value":"x"}])");
}

TEST(ObjectHandler, SendsNoPatchWithoutAChange) {
  const Value answer = read(on_object([](const std::string& pod) { return pod; })(admission_review("{}")));
  EXPECT_EQ(answer["response"], (Value{{"allowed", true}, {"uid", "7"}}));
}

TEST(ObjectHandler, RefusesWhatItsHandlerDenies) {
  const auto refuse = [](const std::string&) -> std::string { throw Denied("not today", 422); };
  const Value response = read(on_object(refuse)(admission_review("{}")))["response"];
  EXPECT_FALSE(response["allowed"].is_true());
  EXPECT_EQ(response["status"], (Value{{"code", 422}, {"message", "not today"}}));
  EXPECT_EQ(read(deny(admission_review("{}"), "no"))["response"]["status"]["code"], Value(403));
  const Webhook refusing = on_object(refuse);
  for (std::uint64_t number = 0; number < 20; ++number) {
    const Admitted admitted = admit(draw_case(1, number, guarded()).only(Part::object), refusing);
    EXPECT_FALSE(admitted.allowed);
  }
}

TEST(ObjectHandler, SaysWhatIsWrongWithATextThatIsNoReviewOrNoObject) {
  const ReviewHandler same = on_object([](const std::string& pod) { return pod; });
  for (const char* text : {"", "{", "{}", R"({"request":{}})", "[]"})
    EXPECT_THROW(same(text), std::invalid_argument) << text;
  const auto returns = [](const std::string& text) {
    return on_object([text](const std::string&) { return text; });
  };
  for (const char* text : {"", "{", "[]", "1"})
    EXPECT_THROW(returns(text)(admission_review("{}")), std::invalid_argument) << text;
  EXPECT_THROW(json_patch("{", "{}"), std::invalid_argument);
  EXPECT_THROW(allow(admission_review("{}"), "{"), std::invalid_argument);
}

/// A patch leads from one Pod to the other.
RC_GTEST_PROP(ObjectHandler, ComputesThePatchBetweenPods, (const Pod& before, const Pod& after)) {
  const Value patch = read(json_patch(before.text(), after.text()));
  const auto patched = document::apply_patch(read(before.text()), patch, {});
  RC_ASSERT(patched.document == read(after.text()));
}

}  // namespace
}  // namespace fixpoint
