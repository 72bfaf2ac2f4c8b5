#include "harness/apiserver/admission/dispatch.h"

#include <array>

#include "harness/apiserver/admission/nanoseconds.h"
#include "harness/apiserver/decoding/objects.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/types/equality.h"
#include "harness/document/patch.h"
#include "harness/webhooks/review.h"

namespace fixpoint::apiserver {

namespace {

/// Objects that are no Pods have no rules of equality here.
bool is_equal(const Value& before, const Value& after) {
  return is_pod(before) && is_pod(after) ? semantically_equal(before, after) : before == after;
}

using cases::Status;
using webhooks::Answer;

/// Up to 1.33 the dispatcher treated an undecodable patch as an internal error.
constexpr int kLastMinorOfInternalPatchErrors = 33;
/// Up to 1.34 the JSON Patch library was 4.12.
constexpr int kLastMinorOfOldPatchLibrary = 34;
constexpr std::string_view kPanicMessage =
    "This request caused apiserver to panic. Look in the logs for details.";

Status internal_error(const std::string& why) {
  return {.code = 500, .reason = "InternalError", .message = "Internal error occurred: " + why};
}

std::string quoted(const std::string& name) { return "\"" + std::string(name).append("\""); }

/// A calling failure obeys failurePolicy (class C of docs/simulator.md#3-6).
void fail_call(CallResult& result, const ConfiguredWebhook& webhook, std::string why) {
  result.problem = std::move(why);
  if (webhook.ignores_failure) {
    result.error = CallError::ignored;
    return;
  }
  result.error = CallError::call;
  result.status = internal_error("failed calling webhook " + quoted(webhook.name));
}

/// An internal error is never ignored (class X of docs/simulator.md#3-6).
void fail_internally(CallResult& result, std::string why) {
  result.error = CallError::internal;
  result.status = internal_error(why);
  result.problem = std::move(why);
}

/// The server's panic handler answers without a reason, and the audit log gets no entry of the call.
void crash(CallResult& result) {
  result.crashed = true;
  result.error = CallError::internal;
  result.problem = kPanicMessage;
  result.status = Status{.code = 500, .reason = "", .message = result.problem};
}

void reject(CallResult& result, const ConfiguredWebhook& webhook) {
  const cases::Denial& said = result.answer.status;
  Status status{.code = said.code < 400 ? 400 : said.code,
                .reason = said.reason,
                .message = "admission webhook " + quoted(webhook.name) + " denied the request"};
  if (!said.message.empty()) {
    status.message += ": " + said.message;
  } else if (!said.reason.empty()) {
    status.message += ": " + said.reason;
  } else {
    status.message += " without explanation";
  }
  result.error = CallError::denied;
  result.status = std::move(status);
}
/// The error of VerifyAdmissionResponse for an answer (docs/simulator.md#3-5); empty for a valid one.
std::string verify(const Answer& answer, const ConfiguredWebhook& webhook) {
  if (!answer.problem.empty()) return answer.problem;
  const bool v1 = webhook.review_version == "v1";
  const std::string asked = "admission.k8s.io/" + webhook.review_version;
  const bool api_version_missing = answer.api_version == webhooks::kNoApiVersion,
             kind_missing = answer.kind.empty();
  if (v1 && (api_version_missing || kind_missing)) return "the answer has no apiVersion or kind";
  if (!answer.api_version.empty() && !api_version_missing && answer.api_version != asked) {
    return "expected an answer of " + asked;
  }
  if (!kind_missing && answer.kind != "AdmissionReview") return "expected an AdmissionReview";
  if (!answer.has_response) return "webhook response was absent";
  if (!v1) return "";
  if (!answer.uid_echoed) return "expected the request's uid in the response";
  if (has_patch(answer) && !answer.patch_type)
    return "webhook returned response.patch but not response.patchType";
  if (!has_patch(answer) && answer.patch_type)
    return "webhook returned response.patchType but not response.patch";
  if (answer.patch_type && answer.patch_type->empty()) return "webhook returned an empty response.patchType";
  return "";
}

bool is_applicable(CallResult& result, const ConfiguredWebhook& webhook, int minor, const Limits& limits) {
  const Value& patch = *result.answer.patch;
  if (const auto problem = document::decoding_problem(patch, limits)) {
    if (minor <= kLastMinorOfInternalPatchErrors) {
      fail_internally(result, problem->message);
    } else {
      fail_call(result, webhook, problem->message);
    }
    return false;
  }
  return !document::is_empty_patch(patch);
}

void apply(CallResult& result, const ConfiguredWebhook& webhook, const CallInput& input,
           const Limits& limits) {
  const Value* made = result.answer.patch.made_from(input.object);  // by a webhook in this process
  if (made == nullptr && !is_applicable(result, webhook, input.minor, limits)) return;
  const std::string type = result.answer.patch_type.value_or("JSONPatch");
  if (webhook.review_version == "v1" && type != "JSONPatch") {
    return fail_call(result, webhook, "webhook returned response.patchType=" + type);
  }
  const document::Patched patched =
      made != nullptr
          ? document::Patched{.document = *made, .problem = {}}
          : document::apply_patch(input.object, *result.answer.patch, limits, patch_library(input.minor));
  if (!patched.ok()) {
    if (patched.problem->kind == document::PatchProblem::Kind::panic) return crash(result);
    return fail_internally(result, patched.problem->message);
  }
  auto decoded = decode_object(patched.document, input.minor);
  if (!decoded) return fail_internally(result, decoded.error().message);
  result.applied = true;
  result.nanoseconds = nanoseconds_of(patched.document);
  result.changed = input.nanoseconds != result.nanoseconds || !is_equal(input.object, *decoded);
  result.after = is_pod(*decoded) ? default_pod(*decoded, input.minor) : *decoded;
}

constexpr std::array<std::string_view, 7> kWords{"",       "call",      "ignored", "internal",
                                                 "denied", "condition", "dry-run"};

}  // namespace

std::string_view word(CallError error) { return kWords[static_cast<std::size_t>(error)]; }

document::PatchLibrary patch_library(int minor) {
  return minor <= kLastMinorOfOldPatchLibrary ? document::PatchLibrary::before_4_13
                                              : document::PatchLibrary::newest;
}

CallResult call_webhook(const ConfiguredWebhook& webhook, const webhooks::Handler& handler,
                        const CallInput& input, const Limits& limits) {
  CallResult result;
  result.after = input.object;
  if (input.request.dry_run && webhook.side_effects != "None" && webhook.side_effects != "NoneOnDryRun") {
    if (webhook.side_effects.empty()) {
      fail_call(result, webhook, "webhook SideEffects is nil");
      return result;
    }
    result.error = CallError::dry_run;
    result.status =
        Status{.code = 400,
               .reason = "BadRequest",
               .message = "admission webhook " + quoted(webhook.name) + " does not support dry run"};
    return result;
  }
  if (webhook.review_version.empty()) {
    fail_call(result, webhook, "webhook does not accept known AdmissionReview versions (v1, v1beta1)");
    return result;
  }
  // A Case may hold such a time, and the call then fails before it begins (callAttrMutatingHook in
  // k8s.io/apiserver/pkg/admission/plugin/webhook/mutating/dispatcher.go).
  if (webhook.timeout_seconds <= 0) {
    fail_call(result, webhook, "context deadline exceeded");
    return result;
  }
  result.called = true;
  result.answer = handler({.object = input.object,
                           .old_object = input.request.old_object,
                           .request = input.request,
                           .cluster = input.cluster,
                           .webhook = webhook.key,
                           .review_version = webhook.review_version,
                           .uid = "00000000-0000-0000-0000-000000000000",
                           .name = input.name,
                           .number = input.number,
                           .timeout_seconds = webhook.timeout_seconds});
  result.timed_out = result.answer.timed_out;
  if (std::string problem = verify(result.answer, webhook); !problem.empty()) {
    result.answer.warnings.clear();
    result.answer.audit_annotations.clear();
    fail_call(result, webhook, std::move(problem));
  } else if (!result.answer.allowed) {
    reject(result, webhook);
  } else if (has_patch(result.answer)) {
    apply(result, webhook, input, limits);
  }
  return result;
}

}  // namespace fixpoint::apiserver
