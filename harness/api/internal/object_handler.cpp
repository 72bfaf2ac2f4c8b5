#include "harness/api/object_handler.h"

#include "harness/document/base64.h"
#include "harness/document/diff.h"
#include "harness/document/json.h"

namespace fixpoint {

namespace {

using document::Value;

Value read(const std::string& text, const char* what) {
  auto value = document::read_json(text, {}, document::Strictness::foreign);
  if (!value) throw std::invalid_argument(std::string(what) + ": " + value.error().text());
  return *std::move(value);
}

Value request_of(const std::string& review) {
  const Value document = read(review, "AdmissionReview");
  if (!document["request"]["uid"].is_string())
    throw std::invalid_argument("AdmissionReview: expected a request with a uid");
  return document;
}

std::string answer(const Value& review, Value response) {
  response.set("uid", review["request"]["uid"]);
  const Value& version = review["apiVersion"];
  return document::write_json({{"apiVersion", version.is_string() ? version : Value("admission.k8s.io/v1")},
                               {"kind", "AdmissionReview"},
                               {"response", std::move(response)}});
}

std::string allow_patched(const Value& review, const Value& patch) {
  Value response{{"allowed", true}};
  if (!patch.empty()) {
    response.set("patchType", "JSONPatch");
    response.set("patch", document::encode_base64(document::write_json(patch)));
  }
  return answer(review, std::move(response));
}

std::string deny_review(const Value& review, const std::string& message, int code) {
  return answer(review, {{"allowed", false}, {"status", {{"code", code}, {"message", message}}}});
}

}  // namespace

ReviewHandler on_object(ObjectHandler handler) {
  return [handler = std::move(handler)](const std::string& text) {
    const Value review = request_of(text);
    const Value& before = review["request"]["object"];
    std::string changed;
    try {
      changed = handler(document::write_json(before));
    } catch (const Denied& denied) {
      return deny_review(review, denied.what(), denied.code);
    }
    const Value after = read(changed, "the returned object");
    if (!after.is_object()) throw std::invalid_argument("the returned object: expected an object");
    return allow_patched(review, document::diff(before, after));
  };
}

std::string object_of_review(const std::string& review) {
  return document::write_json(request_of(review)["request"]["object"]);
}

std::string allow(const std::string& review, const std::string& patch) {
  return allow_patched(request_of(review), read(patch, "patch"));
}

std::string deny(const std::string& review, const std::string& message, int code) {
  return deny_review(request_of(review), message, code);
}

std::string json_patch(const std::string& before, const std::string& after) {
  return document::write_json(document::diff(read(before, "before"), read(after, "after")));
}

}  // namespace fixpoint
