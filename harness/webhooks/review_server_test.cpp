#include "harness/webhooks/review_server.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "harness/document/json.h"
#include "harness/document/random_document_model.h"
#include "harness/webhooks/review.h"

namespace fixpoint::webhooks {
namespace {

std::string text() { return *rc::gen::container<std::string>(rc::gen::inRange(' ', '~')); }
Value document() {
  return document::random_document([](std::uint32_t bound) { return *rc::gen::inRange(0U, bound); }, 3,
                                   false);
}

/// Requests survive being written by one side and read by the other.
RC_GTEST_PROP(ReviewServer, ReadsTheRequestsThatTheClientWrites, ()) {
  cases::Request request;
  request.operation = *rc::gen::element<std::string>("CREATE", "UPDATE");
  request.namespace_name = text();
  request.sub_resource = *rc::gen::element<std::string>("", "resize");
  request.dry_run = *rc::gen::arbitrary<bool>();
  auto& user = request.user_info.emplace();
  user.username = text();
  user.groups = {text(), text()};
  user.extra["key"] = {text()};
  request.object = document();
  request.old_object = *rc::gen::arbitrary<bool>() ? document() : Value();
  const cases::Cluster cluster;
  const std::string name = text(), version = *rc::gen::element<std::string>("v1", "v1beta1");
  const std::string body = write_review({.object = request.object,
                                         .old_object = request.old_object,
                                         .request = request,
                                         .cluster = cluster,
                                         .webhook = "c/w",
                                         .review_version = version,
                                         .uid = "u",
                                         .name = name},
                                        "the-uid");
  const auto review = read_request(body, {});
  RC_ASSERT(review.ok());
  RC_ASSERT(review->version == version);
  RC_ASSERT(review->uid == "the-uid");
  RC_ASSERT(review->name == name);
  RC_ASSERT(review->request == request);
}

/// Answers survive it, too, including those that violate the protocol.
RC_GTEST_PROP(ReviewServer, WritesTheAnswersThatTheClientReads, ()) {
  const Review review{.version = *rc::gen::element<std::string>("v1", "v1beta1"), .uid = "u"};
  Answer answer;
  answer.allowed = *rc::gen::arbitrary<bool>();
  answer.uid_echoed = *rc::gen::arbitrary<bool>();
  answer.kind = *rc::gen::element<std::string>("AdmissionReview", "ConversionReview");
  answer.api_version = *rc::gen::element<std::string>("", "admission.k8s.io/v2", kNoApiVersion);
  if (*rc::gen::arbitrary<bool>()) {
    answer.has_status = true;
    answer.status = {.code = *rc::gen::inRange(0, 600), .reason = text(), .message = text()};
  }
  if (*rc::gen::arbitrary<bool>()) answer.patch = Value::list({document()});
  if (*rc::gen::arbitrary<bool>()) answer.patch = Value("this is not JSON");
  if (*rc::gen::arbitrary<bool>())
    answer.patch_type = *rc::gen::element<std::string>("JSONPatch", "MergePatch");
  answer.warnings = {text(), text()};
  answer.audit_annotations["key"] = text();
  const auto written = write_answer(review, answer);
  RC_ASSERT(written.has_value());
  const Answer read = read_review(*written, "u", {});
  RC_ASSERT(read.problem.empty());
  const std::string asked = "admission.k8s.io/" + review.version;
  RC_ASSERT(read.api_version == (answer.api_version.empty() ? asked : answer.api_version));
  RC_ASSERT(read.kind == answer.kind);
  RC_ASSERT(read.uid_echoed == answer.uid_echoed);
  RC_ASSERT(read.allowed == answer.allowed);
  RC_ASSERT(read.has_status == answer.has_status);
  RC_ASSERT(read.status == answer.status);
  RC_ASSERT(read.patch == answer.patch);
  RC_ASSERT(read.patch_type == answer.patch_type);
  RC_ASSERT(read.warnings == answer.warnings);
  RC_ASSERT(read.audit_annotations == answer.audit_annotations);
}

TEST(ReviewServer, HasNoAnswerWhereTheWebhookHasNone) {
  EXPECT_FALSE(write_answer({.version = "v1", .uid = "u"}, fail("crash")));
  Answer silent = allow();
  silent.has_response = false;
  EXPECT_EQ(*write_answer({.version = "v1", .uid = "u"}, silent),
            R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"})");
}

TEST(ReviewServer, RefusesWhatIsNoRequest) {
  for (const char* body : {"", "[]", "{", R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v2"})",
                           R"({"kind":"Pod","apiVersion":"admission.k8s.io/v1","request":{"uid":"u"}})",
                           R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"})",
                           R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{}})"}) {
    EXPECT_FALSE(read_request(body, {})) << body;
  }
}

}  // namespace
}  // namespace fixpoint::webhooks
