#include "harness/apiserver/dispatch/dispatch.h"

#include <algorithm>
#include <array>

#include "harness/apiserver/decoding/decoding_texts.h"
#include "harness/apiserver/decoding/kinds.h"
#include "harness/apiserver/decoding/nanoseconds.h"
#include "harness/apiserver/decoding/patch_library.h"
#include "harness/apiserver/decoding/server_status.h"
#include "harness/apiserver/matching/request_match.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/apiserver/text/formats.h"
#include "harness/document/cut.h"
#include "harness/document/patch.h"
#include "harness/document/patch_order.h"
#include "harness/document/server_text.h"
#include "harness/webhooks/review.h"

namespace fixpoint::apiserver {

namespace {

using cases::Status;
using document::go_quoted;
using document::Text;
using webhooks::Answer;

constexpr std::string_view kUid = "00000000-0000-0000-0000-000000000000";

/// Up to 1.33 the dispatcher treated an undecodable patch as an internal error.
constexpr int kLastMinorOfInternalPatchErrors = 33;

/// The reason of a failure, in our words and in the server's.
struct Reason {
  std::string problem, said;
};

/// A calling failure obeys failurePolicy (class C of docs/simulator.md#3-6).
void fail_call(CallResult& result, const ConfiguredWebhook& webhook, Reason reason) {
  result.problem = std::move(reason.problem);
  // A policy is called only by a property, which asks it alone.
  result.said = webhook.is_policy
                    ? result.problem
                    : Text("failed calling webhook {}: {}").with({go_quoted(webhook.name), reason.said});
  if (webhook.ignores_failure) {
    result.error = CallError::ignored;
    return;
  }
  result.error = CallError::call;
  result.status = internal_error(result.said);
}

/// An internal error is never ignored (class X of docs/simulator.md#3-6).
void fail_internally(CallResult& result, Reason reason) {
  result.error = CallError::internal;
  result.status = internal_error(reason.said);
  result.problem = std::move(reason.problem);
  result.said = std::move(reason.said);
}

/// The client gets no answer, and the audit log no entry of the call.
void crash(CallResult& result) {
  result.crashed = true;
  result.error = CallError::internal;
  result.status = no_answer();
  result.said = result.problem = result.status->message;
}

void reject(CallResult& result, const ConfiguredWebhook& webhook) {
  const cases::Denial& said = result.answer.status;
  Status status{.code = said.code < 400 ? 400 : said.code, .reason = said.reason, .message = {}};
  const std::string name = go_quoted(webhook.name);
  if (said.message.empty() && said.reason.empty()) {
    status.message = Text("admission webhook {} denied the request without explanation").with({name});
  } else {
    status.message = Text("admission webhook {} denied the request: {}")
                         .with({name, said.message.empty() ? said.reason : said.message});
  }
  result.error = CallError::denied;
  result.status = std::move(status);
}
/// The server's error for a call without a usable answer.
std::string call_failure(const Answer& answer, const ConfiguredWebhook& webhook) {
  const bool is_refused = answer.problem == "connection refused";
  if (!answer.timed_out && !is_refused) return answer.said.empty() ? answer.problem : answer.said;
  const std::string url = url_of(webhook) + "?timeout=" + std::to_string(webhook.timeout_seconds) + "s";
  if (answer.timed_out) return Text("Post {}: context deadline exceeded").with({go_quoted(url)});
  const auto host_begin = url.find("//") + 2;
  std::string host = url.substr(host_begin, url.find_first_of("/?", host_begin) - host_begin);
  if (host.rfind(':') == std::string::npos) host += ":443";
  return Text("Post {}: dial tcp {}: connect: connection refused").with({go_quoted(url), host});
}

/// The server's error for an answer of another version or kind.
std::string wrong_type(const Answer& answer, const std::string& asked, int minor) {
  const std::string version = answer.api_version.empty() ? asked : answer.api_version;
  const bool is_known = version == "admission.k8s.io/v1" || version == "admission.k8s.io/v1beta1";
  if (!is_known || answer.kind != "AdmissionReview") {
    return Text("failed to call webhook: {}").with({unregistered_kind(answer.kind, version, minor)});
  }
  return Text(
             "received invalid webhook response: expected webhook response of {}, Kind=AdmissionReview, got "
             "{}, Kind=AdmissionReview")
      .with({asked, version});
}

Reason invalid(const char* problem, const std::string& said) {
  return {problem, Text("received invalid webhook response: {}").with({said})};
}

/// Returns what is wrong with a patch and its type in an answer of v1.
std::optional<Reason> verify_patch(const Answer& answer, const ConfiguredWebhook& webhook) {
  struct Row {
    bool is_so;
    Text text;
    const char* problem;
  };
  const bool is_patched = has_patch(answer), has_type = answer.patch_type.has_value();
  if (webhook.is_validating && (is_patched || has_type)) {
    const std::string said =
        Text("validating webhook may not return response.{}").with({is_patched ? "patch" : "patchType"});
    return invalid(said.c_str(), said);
  }
  const Row rows[] = {
      {is_patched && !has_type, Text("webhook returned response.patch but not response.patchType"), nullptr},
      {!is_patched && has_type, Text("webhook returned response.patchType but not response.patch"), nullptr},
      {has_type && answer.patch_type->empty(), Text("webhook returned invalid response.patchType of \"\""),
       "webhook returned an empty response.patchType"}};
  for (const Row& row : rows) {
    if (!row.is_so) continue;
    const std::string said(row.text.words());
    return invalid(row.problem == nullptr ? said.c_str() : row.problem, said);
  }
  return {};
}

/// The error of VerifyAdmissionResponse for an answer (docs/simulator.md#3-5); nothing for a valid one.
std::optional<Reason> verify(const Answer& answer, const ConfiguredWebhook& webhook, int minor) {
  if (!answer.problem.empty()) {
    return Reason{answer.problem, Text("failed to call webhook: {}").with({call_failure(answer, webhook)})};
  }
  const bool v1 = webhook.review_version == "v1";
  const std::string asked = "admission.k8s.io/" + webhook.review_version;
  const bool api_version_missing = answer.api_version == webhooks::kNoApiVersion,
             kind_missing = answer.kind.empty();
  if (v1 && (api_version_missing || kind_missing)) {
    const std::string problem = "the answer has no apiVersion or kind";
    return Reason{problem, Text("failed to call webhook: {}").with({problem})};
  }
  if (!answer.api_version.empty() && !api_version_missing && answer.api_version != asked) {
    return Reason{"expected an answer of " + asked, wrong_type(answer, asked, minor)};
  }
  if (!kind_missing && answer.kind != "AdmissionReview") {
    return Reason{"expected an AdmissionReview", wrong_type(answer, asked, minor)};
  }
  if (!answer.has_response) {
    return invalid("webhook response was absent", Text("webhook response was absent").with({}));
  }
  if (!v1) return {};
  if (!answer.uid_echoed) {
    return invalid("expected the request's uid in the response",
                   Text("expected response.uid={}, got {}").with({go_quoted(kUid), go_quoted(answer.said)}));
  }
  return verify_patch(answer, webhook);
}

/// The server's error for a patch that is none: a text without quotes is no JSON at all.
std::string undecodable(const Value& patch, const std::string& said) {
  const bool is_json = !patch.is_string() || patch.text().starts_with('"');
  return is_json ? said : "the patch is no JSON";
}

bool is_applicable(CallResult& result, const ConfiguredWebhook& webhook, int minor, const Limits& limits) {
  const Value& patch = *result.answer.patch;
  if (const auto problem = document::decoding_problem(patch, limits)) {
    const std::string said = undecodable(patch, problem->message);
    if (minor <= kLastMinorOfInternalPatchErrors) {
      fail_internally(result, {problem->sketch, said});
    } else {
      fail_call(result, webhook,
                {problem->sketch, Text("received undecodable patch in webhook response: {}").with({said})});
    }
    return false;
  }
  return !document::is_empty_patch(patch);
}

cases::Kind kind_of(const CallInput& input) {
  return input.kind != nullptr ? *input.kind : cases::kind_of(input.request, input.cluster);
}

Value as_sent(const CallInput& input, const Strategy& strategy) {
  return strategy.as_sent == nullptr ? input.object : strategy.as_sent(input.object);
}

void apply(CallResult& result, const ConfiguredWebhook& webhook, const CallInput& input,
           const Limits& limits) {
  const Value* made = result.answer.patch.made_from(input.object);  // by a webhook in this process
  if (made == nullptr && !is_applicable(result, webhook, input.minor, limits)) return;
  const std::string type = result.answer.patch_type.value_or("JSONPatch");
  if (webhook.review_version == "v1" && type != "JSONPatch") {
    return fail_call(result, webhook,
                     {"webhook returned response.patchType=" + type,
                      Text("unsupported patch type {}").with({go_quoted(type)})});
  }
  const cases::Kind kind = kind_of(input);
  const Strategy& strategy = strategy_of(input.request, kind);
  const document::Patched patched =
      made != nullptr ? document::Patched{.document = *made, .problem = {}}
                      : document::apply_patch(as_sent(input, strategy), *result.answer.patch, limits,
                                              patch_library(input.minor));
  if (!patched.ok()) {
    if (patched.problem->kind == document::PatchProblem::Kind::panic) return crash(result);
    return fail_internally(result, {patched.problem->sketch, patched.problem->message});
  }
  auto decoded = strategy.decode(patched.document, kind, input.minor);
  if (!decoded) {
    // The error that is named first depends on the order in which the patch library writes the document.
    const auto written = strategy.decode(document::as_library_writes(patched.document, *result.answer.patch),
                                         kind, input.minor);
    const std::string& said = (written ? decoded : written).error().message;
    return fail_internally(result, {std::string(decoding_sketch(said)), said});
  }
  result.applied = true;
  if (strategy.has_nanoseconds) result.nanoseconds = nanoseconds_of(patched.document);
  result.changed = input.nanoseconds != result.nanoseconds || !strategy.is_same(input.object, *decoded);
  result.after = strategy.with_defaults(*std::move(decoded), kind, input.minor);
}

constexpr std::array<std::string_view, 8> kWords{"",       "call",      "ignored", "internal",
                                                 "denied", "condition", "dry-run", "policy"};

/// Returns false for a call that fails before it begins.
bool may_begin(CallResult& result, const ConfiguredWebhook& webhook, const CallInput& input) {
  if (input.request.dry_run && webhook.side_effects != "None" && webhook.side_effects != "NoneOnDryRun") {
    if (webhook.side_effects.empty()) {
      fail_call(result, webhook, {"webhook SideEffects is nil", Text("Webhook SideEffects is nil").with({})});
      return false;
    }
    result.error = CallError::dry_run;
    result.status = Status{
        .code = 400,
        .reason = "BadRequest",
        .message = Text("admission webhook {} does not support dry run").with({go_quoted(webhook.name)})};
    return false;
  }
  if (webhook.review_version.empty()) {
    const std::string problem = "webhook does not accept known AdmissionReview versions (v1, v1beta1)";
    fail_call(result, webhook, {problem, Text("could not create admission objects: {}").with({problem})});
    return false;
  }
  // A Case may hold such a time, and the call then fails before it begins (callAttrMutatingHook in
  // k8s.io/apiserver/pkg/admission/plugin/webhook/mutating/dispatcher.go).
  if (webhook.timeout_seconds <= 0) {
    const std::string problem = "context deadline exceeded";
    fail_call(result, webhook, {problem, Text("failed to call webhook: {}").with({problem})});
    return false;
  }
  return true;
}

}  // namespace

std::string_view word(CallError error) { return kWords[static_cast<std::size_t>(error)]; }

bool is_audit_key(std::string_view key) {
  return std::count(key.begin(), key.end(), '/') == 1 && validation::check_qualified_name(key).empty();
}

CallResult call_webhook(const ConfiguredWebhook& webhook, const webhooks::Handler& handler,
                        const CallInput& input, const Limits& limits) {
  document::heed_end();
  CallResult result;
  result.after = input.object;
  if (!may_begin(result, webhook, input)) return result;
  result.called = true;
  const cases::Kind kind = kind_of(input);
  const bool is_own =
      input.kind == nullptr || kind.version == cases::kind_of(input.request, input.cluster).version;
  result.answer = handler({.object = as_sent(input, strategy_of(input.request, kind)),
                           .old_object = in_version(input.request.old_object, input.request, kind),
                           .request = input.request,
                           .cluster = input.cluster,
                           .webhook = webhook.key,
                           .review_version = webhook.review_version,
                           .uid = kUid,
                           .name = input.name,
                           .version = is_own ? std::string_view() : kind.version,
                           .number = input.number,
                           .timeout_seconds = webhook.timeout_seconds});
  result.timed_out = result.answer.timed_out;
  if (auto reason = verify(result.answer, webhook, input.minor)) {
    result.answer.warnings.clear();
    result.answer.audit_annotations.clear();
    fail_call(result, webhook, *std::move(reason));
  } else if (!result.answer.allowed) {
    reject(result, webhook);
  } else if (has_patch(result.answer) && !webhook.is_validating) {
    apply(result, webhook, input, limits);
  }
  return result;
}

}  // namespace fixpoint::apiserver
