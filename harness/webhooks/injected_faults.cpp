#include <algorithm>
#include <array>
#include <charconv>

#include "harness/cases/faults.h"
#include "harness/document/pointer.h"
#include "harness/document/server_text.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::webhooks {

namespace {

using Apply = void (*)(Answer& answer);

struct Row {
  std::string_view fault;
  Apply apply;
};

void break_off(Answer& answer, std::string problem, std::string said = {}) {
  answer = fail(std::move(problem), std::move(said));
}

/// The server's error for an answer without a body.
std::string no_body(int code, std::string_view content_type) {
  return document::Text("0-length response with status code: {} and content type: {}")
      .with({std::to_string(code), content_type});
}

Value operation(const char* op, const char* path, Value value) {
  return {{"op", op}, {"path", path}, {"value", std::move(value)}};
}

/// Gives the answer a patch if it has none, for the faults that break a patch.
void ensure_patch(Answer& answer) {
  if (!answer.patch)
    answer.patch = Value::list({operation("add", "/metadata/annotations", {{"fault", "patch"}})});
  answer.patch_type = "JSONPatch";
}

void send(Answer& answer, Value patch) {
  answer.patch = std::move(patch);
  answer.patch_type = "JSONPatch";
}

void deny_with(Answer& answer, int code) {
  answer.allowed = false;
  answer.patch.reset();
  answer.patch_type.reset();
  answer.has_status = true;
  answer.status = {.code = code, .reason = "", .message = "fault"};
}

/// The effect of each fault on the answer (docs/formats.md#case); with_code() handles those with a status
/// code.
constexpr auto kFaults = std::to_array<Row>({
    {"timeout",
     [](Answer& answer) {
       break_off(answer, "context deadline exceeded");
       answer.timed_out = true;
     }},
    {"refused", [](Answer& answer) { break_off(answer, "connection refused"); }},
    {"not-json", [](Answer& answer) { break_off(answer, "the body is not JSON", refused_body("string")); }},
    {"empty-body",
     [](Answer& answer) { break_off(answer, "the body is empty", no_body(200, "application/json")); }},
    {"wrong-uid", [](Answer& answer) { answer.uid_echoed = false, answer.said = "another"; }},
    {"wrong-kind", [](Answer& answer) { answer.kind = "ConversionReview"; }},
    {"wrong-api-version", [](Answer& answer) { answer.api_version = "admission.k8s.io/v2"; }},
    {"no-response", [](Answer& answer) { answer.has_response = false; }},
    {"patch-without-type",
     [](Answer& answer) {
       ensure_patch(answer);
       answer.patch_type.reset();
     }},
    {"type-without-patch",
     [](Answer& answer) {
       answer.patch.reset();
       answer.patch_type = "JSONPatch";
     }},
    {"unknown-patch-type",
     [](Answer& answer) {
       ensure_patch(answer);
       answer.patch_type = "MergePatch";
     }},
    {"patch-with-deny",
     [](Answer& answer) {
       ensure_patch(answer);
       answer.allowed = false;
       answer.has_status = true;
       answer.status = {.code = 0, .reason = "", .message = "fault"};
     }},
    {"patch-not-json", [](Answer& answer) { send(answer, "this is not JSON"); }},
    {"patch-not-a-patch", [](Answer& answer) { send(answer, {{"fault", "patch"}}); }},
    {"patch-unknown-op",
     [](Answer& answer) {
       send(answer, Value::list({operation("merge", "/metadata", Value::empty_object())}));
     }},
    {"patch-cannot-apply",
     [](Answer& answer) { send(answer, Value::list({Value{{"op", "remove"}, {"path", "/fault"}}})); }},
    {"patch-makes-non-pod",
     [](Answer& answer) { send(answer, Value::list({operation("replace", "/spec/containers", "fault")})); }},
    {"deny", [](Answer& answer) { deny_with(answer, 0); }},
    {"deny-without-status",
     [](Answer& answer) {
       deny_with(answer, 0);
       answer.has_status = false;
       answer.status = {};
     }},
});

static_assert(std::ranges::equal(kFaults, cases::kPlainFaults, {}, &Row::fault));

int code_of(std::string_view fault) {
  int code = 0;
  const auto digits = fault.substr(fault.rfind('-') + 1);
  std::from_chars(digits.data(), digits.data() + digits.size(), code);
  return code;
}

/// Applies `status-<code>`, `retry-after-<code>` or `deny-<code>`.
void with_code(std::string_view fault, Answer& answer) {
  const int code = code_of(fault);
  if (fault.starts_with("deny-")) return deny_with(answer, code);
  // The API server retries after a 429 or a 5xx with Retry-After, and gets the normal answer
  // (docs/simulator.md#3-3).
  if (fault.starts_with("retry-after-") && (code == 429 || code / 100 == 5)) return;
  const bool is_read = code >= 200 && code <= 206;
  break_off(answer, "status " + std::to_string(code),
            !is_read      ? refused_status(code, "fault")
            : code == 204 ? no_body(code, "text/plain; charset=utf-8")
                          : refused_body("string"));
}

void disturb(std::string_view fault, Answer& answer) {
  for (const Row& row : kFaults) {
    if (row.fault == fault) return row.apply(answer);
  }
  with_code(fault, answer);
}

}  // namespace

Handler with_faults(Handler inner, std::string_view webhook, const std::vector<cases::Fault>& faults) {
  std::vector<cases::Fault> own;
  for (const cases::Fault& fault : faults) {
    if (fault.webhook == webhook) own.push_back(fault);
  }
  if (own.empty()) return inner;
  return [inner = std::move(inner), own = std::move(own)](const Call& call) {
    const auto fault_of = [&](bool of_reads) {
      return std::find_if(own.begin(), own.end(), [&](const cases::Fault& fault) {
        return (!fault.call || *fault.call == call.number) && cases::is_read_fault(fault.fault) == of_reads;
      });
    };
    Call disturbed = call;
    if (const auto fault = fault_of(true); fault != own.end()) disturbed.read_fault = fault->fault;
    Answer answer = inner(disturbed);
    if (const auto fault = fault_of(false); fault != own.end()) disturb(fault->fault, answer);
    return answer;
  };
}

document::Result<std::map<std::string, Handler>> handlers(const cases::Case& value, const Resolve& resolve) {
  std::map<std::string, Handler> all;
  for (const auto& [name, backend] : value.webhooks) {
    Handler handler;
    if (const auto* injector = std::get_if<cases::InjectorName>(&backend)) {
      auto found = resolve ? resolve(injector->name) : document::Error{"no injectors are known here"};
      if (!found) return std::move(found).error().within("/webhooks/" + document::escape_token(name));
      handler = *std::move(found);
    } else if (const auto* script = std::get_if<cases::Script>(&backend)) {
      handler = scripted(std::make_shared<const cases::Script>(*script));
    } else {
      auto found = resolve.outside ? resolve.outside(backend)
                                   : document::Error{
                                         "a url or exec webhook runs only where it was allowed on "
                                         "the command line"};
      if (!found) return std::move(found).error().within("/webhooks/" + document::escape_token(name));
      handler = *std::move(found);
    }
    all.emplace(name, std::move(handler));
  }
  return all;
}

std::map<std::string, Handler> replicas(const cases::Case& value, const Resolve& resolve) {
  std::map<std::string, Handler> all;
  if (!resolve.replica) return all;
  for (const auto& [name, backend] : value.webhooks)
    if (auto handler = resolve.replica(backend)) all.emplace(name, *std::move(handler));
  return all;
}

std::map<std::string, Handler> with_all_faults(std::map<std::string, Handler> all,
                                               const std::vector<cases::Fault>& faults) {
  for (const cases::Fault& fault : faults) {
    const auto found = all.find(fault.webhook);
    // Wrap each webhook once, with all the faults that name it.
    const bool is_first = std::find_if(faults.begin(), faults.end(), [&](const cases::Fault& other) {
                            return other.webhook == fault.webhook;
                          }) == faults.begin() + (&fault - faults.data());
    if (found != all.end() && is_first)
      found->second = with_faults(std::move(found->second), fault.webhook, faults);
  }
  return all;
}

}  // namespace fixpoint::webhooks
