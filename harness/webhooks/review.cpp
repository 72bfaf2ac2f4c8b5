#include "harness/webhooks/review.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <limits>

#include "harness/cases/request_user.h"
#include "harness/document/base64.h"
#include "harness/document/json.h"
#include "harness/document/yaml.h"

namespace fixpoint::webhooks {

namespace {

using document::Member;

/// The client's name for field tracking, as `live` sends it.
constexpr const char* kFieldManager = "fixpoint";

/// The query of the request: a Case is sent without field validation by the server.
Value options(const cases::Request& request) {
  Value out{{"kind", request.is_update() ? "UpdateOptions" : "CreateOptions"},
            {"apiVersion", "meta.k8s.io/v1"}};
  if (request.dry_run) out.set("dryRun", Value::list({"All"}));
  out.set("fieldManager", kFieldManager);
  out.set("fieldValidation", "Ignore");
  return out;
}

/// Reads typed members of a foreign object as Go's decoder does: null and absent members give the zero value,
/// and the first member of a wrong type is reported as the error.
class Typed {
 public:
  Typed(const Value& object, std::string path, std::string& problem)
      : object_(object), path_(std::move(path)), problem_(problem) {
    if (!object_.is_null() && !object_.is_object()) fail("", "an object");
  }

  std::string text(const char* name) {
    const Value& value = object_[name];
    if (!value.is_null() && !value.is_string()) fail(name, "a string");
    return std::string(value.text());
  }
  bool truth(const char* name) {
    const Value& value = object_[name];
    if (!value.is_null() && !value.is_boolean()) fail(name, "a boolean");
    return value.is_true();
  }
  int number(const char* name) {
    const Value& value = object_[name];
    if (value.is_null()) return 0;
    const auto whole = value.is_number() ? value.integer() : std::nullopt;
    const bool fits = whole && *whole >= std::numeric_limits<std::int32_t>::min() &&
                      *whole <= std::numeric_limits<std::int32_t>::max();
    if (!fits) fail(name, "a 32-bit integer");
    return fits ? static_cast<int>(*whole) : 0;
  }
  std::vector<std::string> texts(const char* name) {
    const Value& value = object_[name];
    if (!value.is_null() && !value.is_array()) fail(name, "a list of strings");
    std::vector<std::string> all;
    for (const Value& element : value.elements()) {
      if (!element.is_null() && !element.is_string()) fail(name, "a list of strings");
      all.emplace_back(element.text());
    }
    return all;
  }
  std::map<std::string, std::string> text_map(const char* name) {
    const Value& value = object_[name];
    if (!value.is_null() && !value.is_object()) fail(name, "a map of strings");
    std::map<std::string, std::string> all;
    for (const Member& member : value.members()) {
      if (!member.value.is_null() && !member.value.is_string()) fail(name, "a map of strings");
      all.insert_or_assign(std::string(member.key.text()), std::string(member.value.text()));
    }
    return all;
  }
  void fail(std::string_view name, const char* expected) {
    if (!problem_.empty()) return;
    problem_.append("cannot decode the answer: ").append(path_).append(name.empty() ? "" : ".").append(name);
    problem_.append(" is not ").append(expected);
  }

 private:
  const Value& object_;
  std::string path_;
  std::string& problem_;
};

/// Returns the content of a patch: JSON as its value, anything else as its text. A JSON string is not a patch
/// either, and is kept as text with its quotes, so that an empty string differs from an absent patch.
Value patch_of(const std::string& bytes, const Limits& limits) {
  auto value = document::read_json(bytes, limits, document::Strictness::foreign);
  return value && !value->is_string() ? *std::move(value) : Value(bytes);
}

void read_patch(Answer& answer, Typed& typed, const Value& response, const Limits& limits,
                std::string& problem) {
  const std::string encoded = typed.text("patch");
  if (const Value& type = response["patchType"]; !type.is_null()) answer.patch_type = typed.text("patchType");
  if (encoded.empty()) return;
  const auto bytes = document::decode_base64(encoded);
  if (!bytes && problem.empty()) problem = "cannot decode the answer: response.patch is not base64";
  if (bytes) answer.patch = patch_of(*bytes, limits);
}

void read_status(Answer& answer, const Value& source, std::string& problem) {
  if (source.is_null()) return;
  Typed typed(source, "response.status", problem);
  typed.text("status");
  answer.has_status = true;
  answer.status = {
      .code = typed.number("code"), .reason = typed.text("reason"), .message = typed.text("message")};
}

/// Returns the error message, without its middle if it contains a long path.
std::string shortened(const std::string& message) {
  std::size_t begin = 90, end = message.size() - std::min<std::size_t>(message.size(), 90);
  if (end <= begin) return message;
  const auto is_within_rune = [&](std::size_t at) { return (message[at] & 0xC0) == 0x80; };
  while (is_within_rune(begin)) --begin;
  while (end < message.size() && is_within_rune(end)) ++end;
  return message.substr(0, begin) + " … " + message.substr(end);
}

document::Result<Value> read_body(std::string_view body, const Limits& limits) {
  const auto first = body.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && body[first] == '{')
    return document::read_json(body, limits, document::Strictness::foreign);
  return document::read_yaml(body, limits);
}

}  // namespace

Value review_request(const cases::Request& request, const cases::Kind& of_kind, const cases::Kind& shown,
                     std::string_view name, std::string_view uid) {
  const auto kind = [&](const cases::Kind& one) -> Value {
    if (request.is_scale()) return {{"group", "autoscaling"}, {"version", "v1"}, {"kind", "Scale"}};
    return {{"group", one.group}, {"version", one.version}, {"kind", one.name}};
  };
  const auto resource = [](const cases::Kind& one) -> Value {
    return {{"group", one.group}, {"version", one.version}, {"resource", one.plural}};
  };
  std::vector<Member> out{{"uid", uid}, {"kind", kind(shown)}, {"resource", resource(shown)}};
  const auto put = [&](const char* member, Value value, bool present) {
    if (present) out.push_back({member, std::move(value)});
  };
  const bool has_sub_resource = !request.sub_resource.empty();
  put("subResource", request.sub_resource, has_sub_resource);
  put("requestKind", kind(of_kind), true);
  put("requestResource", resource(of_kind), true);
  put("requestSubResource", request.sub_resource, has_sub_resource);
  put("name", name, !name.empty());
  const std::string_view space = cases::namespace_of(request, of_kind);
  put("namespace", space, !space.empty());
  put("operation", request.operation, true);
  put("userInfo", cases::write_user(cases::user_of(request)), true);
  put("dryRun", request.dry_run, true);
  put("options", options(request), true);
  return out;
}

std::string write_review(const Call& call, std::string_view uid) {
  const cases::Kind kind = cases::kind_of(call.request, call.cluster);
  cases::Kind shown = kind;
  if (!call.version.empty()) shown.version = call.version;
  Value request = review_request(call.request, kind, shown, call.name, uid);
  request.set("object", call.object);
  request.set("oldObject", call.old_object);
  return document::write_go_json({{"kind", "AdmissionReview"},
                                  {"apiVersion", "admission.k8s.io/" + std::string(call.review_version)},
                                  {"request", std::move(request)}});
}

std::string fresh_uid() {
  static std::atomic<std::uint64_t> next{1};
  char text[40];
  std::snprintf(text, sizeof text, "f1c5b017-0000-4000-8000-%012llx",
                static_cast<unsigned long long>(next.fetch_add(1) & 0xFFFFFFFFFFFF));
  return text;
}

Answer read_review(std::string_view body, std::string_view uid, const Limits& limits) {
  if (body.find_first_not_of(" \t\r\n") == std::string_view::npos) return fail("the answer is empty");
  const auto read = read_body(body, limits);
  if (!read) return fail("cannot decode the answer: " + shortened(read.error().message));
  std::string problem;
  Typed review(*read, "the answer", problem);
  Answer answer;
  answer.api_version = review.text("apiVersion");
  if (answer.api_version.empty()) answer.api_version = kNoApiVersion;
  answer.kind = review.text("kind");
  const Value& response = (*read)["response"];
  answer.has_response = !response.is_null();
  Typed typed(response, "response", problem);
  if (std::string said = typed.text("uid"); said != uid) {
    answer.uid_echoed = false;
    answer.said = std::move(said);
  }
  answer.allowed = typed.truth("allowed");
  read_patch(answer, typed, response, limits, problem);
  read_status(answer, response["status"], problem);
  answer.warnings = typed.texts("warnings");
  answer.audit_annotations = typed.text_map("auditAnnotations");
  if (!problem.empty()) return fail(std::move(problem));
  return answer;
}

bool has_patch(const Answer& answer) {
  if (!answer.patch || answer.patch.is_made()) return answer.patch.has_value();
  return !(answer.patch->is_string() && answer.patch->text().empty());
}

cases::UserInfo read_user(const Value& source) {
  cases::UserInfo user{.username = std::string(source["username"].text()),
                       .uid = std::string(source["uid"].text())};
  for (const Value& group : source["groups"].elements()) user.groups.emplace_back(group.text());
  for (const document::Member& member : source["extra"].members()) {
    auto& values = user.extra[std::string(member.key.text())];
    for (const Value& value : member.value.elements()) values.emplace_back(value.text());
  }
  return user;
}

}  // namespace fixpoint::webhooks
