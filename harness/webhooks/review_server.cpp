#include "harness/webhooks/review_server.h"

#include <array>

#include "harness/document/base64.h"
#include "harness/document/json.h"

namespace fixpoint::webhooks {

namespace {

using document::Error;
using document::Member;
using document::Result;

constexpr std::string_view kGroup = "admission.k8s.io/";
constexpr std::array<std::string_view, 2> kVersions{"v1", "v1beta1"};

Value status_of(const cases::Denial& status) {
  std::vector<Member> out{{"metadata", Value::empty_object()}};
  if (!status.message.empty()) out.push_back({"message", status.message});
  if (!status.reason.empty()) out.push_back({"reason", status.reason});
  if (status.code != 0) out.push_back({"code", status.code});
  return out;
}

std::string bytes_of(const Value& patch) {
  return patch.is_string() ? std::string(patch.text()) : document::write_go_json(patch);
}

Value response_of(const Review& review, const Answer& answer) {
  std::vector<Member> out{{"uid", answer.uid_echoed ? review.uid : std::string("another")},
                          {"allowed", answer.allowed}};
  if (answer.has_status || answer.status.code != 0) out.push_back({"status", status_of(answer.status)});
  if (answer.patch) out.push_back({"patch", document::encode_base64(bytes_of(*answer.patch))});
  if (answer.patch_type) out.push_back({"patchType", *answer.patch_type});
  if (!answer.warnings.empty()) {
    out.push_back({"warnings", std::vector<Value>(answer.warnings.begin(), answer.warnings.end())});
  }
  if (!answer.audit_annotations.empty()) {
    Value annotations = Value::empty_object();
    for (const auto& [key, value] : answer.audit_annotations) annotations.set(key, value);
    out.push_back({"auditAnnotations", annotations});
  }
  return out;
}

}  // namespace

Result<Review> read_request(std::string_view body, const Limits& limits) {
  auto read = document::read_json(body, limits, document::Strictness::foreign);
  if (!read) return std::move(read).error();
  const std::string_view version = (*read)["apiVersion"].text();
  Review review;
  for (std::string_view known : kVersions) {
    if (version == std::string(kGroup).append(known)) review.version = known;
  }
  if (review.version.empty() || (*read)["kind"].text() != "AdmissionReview")
    return Error{"expected an AdmissionReview of admission.k8s.io/v1 or v1beta1"};
  const Value& source = (*read)["request"];
  if (!source.is_object()) return Error{"expected a request", "/request"};
  if (!source["uid"].is_string()) return Error{"expected a string", "/request/uid"};
  review.uid = source["uid"].text();
  review.name = source["name"].text();
  cases::Request& request = review.request;
  request.operation = source["operation"].text();
  request.namespace_name = source["namespace"].text();
  request.sub_resource = source["subResource"].text();
  request.dry_run = source["dryRun"].is_true();
  request.user_info = read_user(source["userInfo"]);
  request.object = source["object"];
  request.old_object = source["oldObject"];
  return review;
}

std::optional<std::string> write_answer(const Review& review, const Answer& answer) {
  if (!answer.problem.empty()) return std::nullopt;
  std::vector<Member> out;
  if (!answer.kind.empty()) out.push_back({"kind", answer.kind});
  if (answer.api_version != kNoApiVersion) {
    const std::string asked = std::string(kGroup) + review.version;
    out.push_back({"apiVersion", answer.api_version.empty() ? asked : answer.api_version});
  }
  if (answer.has_response) out.push_back({"response", response_of(review, answer)});
  return document::write_go_json(Value(std::move(out)));
}

}  // namespace fixpoint::webhooks
