#include "harness/oracle/oracle_answer.h"

namespace fixpoint::oracle {

namespace {

std::string decode_base64(const std::string& text) {
  static const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text.substr(0, text.find('='))) {
    const auto place = alphabet.find(c);
    if (place == std::string::npos) throw CallFailed("no base64");
    bits = (bits << 6 | static_cast<unsigned>(place)) & 0xFFFFFF;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFF);
  }
  if (text.size() % 4 != 0) throw CallFailed("no base64");
  return bytes;
}

std::string typed_text(const Json& object, const char* member) {
  const Json& value = at(object, member);
  if (!value.is_null() && !value.is_string()) throw CallFailed("a member of another type");
  return text_at(object, member);
}

void verify(const Json& review, const Json& response, const std::string& version, const std::string& uid) {
  const std::string api_version = typed_text(review, "apiVersion"), kind = typed_text(review, "kind");
  const bool v1 = version == "v1";
  if (v1 && (api_version.empty() || kind.empty())) throw CallFailed("neither apiVersion nor kind");
  if (!api_version.empty() && api_version != "admission.k8s.io/" + version)
    throw CallFailed("another apiVersion");
  if (!kind.empty() && kind != "AdmissionReview") throw CallFailed("another kind");
  if (response.is_null()) throw CallFailed("no response");
  if (!v1) return;
  if (typed_text(response, "uid") != uid) throw CallFailed("another uid");
  const bool has_patch = !typed_text(response, "patch").empty(),
             has_type = !at(response, "patchType").is_null();
  if (has_patch != has_type) throw CallFailed("patch and patchType do not come together");
  if (has_type && typed_text(response, "patchType").empty()) throw CallFailed("an empty patchType");
}

}  // namespace

Review read_answer(const Answer& answer, const std::string& version, const std::string& uid,
                   std::string& sent) {
  if (!answer.problem.empty()) throw CallFailed(answer.problem);
  const Json review = read(answer.body);
  const Json& response = at(review, "response");
  Review good;
  good.patch = sent = decode_base64(typed_text(response, "patch"));
  verify(review, response, version, uid);
  if (!at(response, "patchType").is_null()) good.patch_type = typed_text(response, "patchType");
  good.allowed = at(response, "allowed") == Json(true);
  const Json& status = at(response, "status");
  good.code = at(status, "code").is_number_integer() ? status["code"].get<int>() : 0;
  good.reason = typed_text(status, "reason");
  for (const Json& warning : each(at(response, "warnings")))
    good.warnings.push_back(warning.get<std::string>());
  for (const auto& [key, text] : at(response, "auditAnnotations").items())
    good.audit_annotations[key] = text.get<std::string>();
  return good;
}

}  // namespace fixpoint::oracle
