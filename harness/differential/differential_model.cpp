#include "harness/differential/differential_model.h"

#include <algorithm>
#include <set>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/decoding/objects.h"
#include "harness/apiserver/decoding/patch_library.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/registry/registry.h"
#include "harness/apiserver/registry/whole_request.h"
#include "harness/apiserver/types/repeated_keys.h"
#include "harness/apiserver/validation/validate.h"
#include "harness/differential/expressions_model.h"
#include "harness/document/base64.h"
#include "harness/document/json.h"
#include "harness/document/patch.h"
#include "harness/oracle/oracle_defaulting.h"
#include "harness/oracle/oracle_lists.h"
#include "harness/oracle/oracle_patch.h"
#include "harness/oracle/oracle_validation.h"

namespace fixpoint::apiserver {

namespace {

constexpr std::size_t kShownMax = 600;

std::string number(bool value) { return value ? "true" : "false"; }
std::string number(int value) { return std::to_string(value); }

/// Returns the errors in those fields for which the reference model has the rules.
oracle::Judgement::Errors known_errors(const std::vector<cases::FieldError>& all,
                                       const oracle::Judgement& by) {
  oracle::Judgement::Errors known;
  for (const cases::FieldError& error : all) {
    if (by.speaks_of(error.field)) known.emplace(error.type, error.field);
  }
  return known;
}

std::string listed(const oracle::Judgement::Errors& errors) {
  std::string text;
  for (const auto& [type, field] : errors) text += type + " " + field + "\n";
  return text;
}

std::set<std::string> repeated_of(const Value& pod) {
  std::set<std::string> found;
  for (const Repeated& repeated : repeated_keys(pod))
    found.insert(repeated.path + (repeated.duplicate == Duplicate::error ? " error" : " warning"));
  return found;
}

/// The text of an answer that refuses the question; every other answer is compared as the text of its
/// document.
constexpr const char* kRefused = "refused";
using Texts = std::vector<std::string>;

Texts simulated_pod(const document::Result<Value>& answer) {
  if (!answer) return {kRefused};
  return {oracle::write(oracle_json(*answer)), oracle::Json(repeated_of(*answer)).dump()};
}

oracle::Json oracle_decoded(const oracle::Json& sent, int minor) {
  oracle::Json pod = oracle::decode_object(sent, minor, nullptr);
  if (!oracle::is_pod(pod)) throw oracle::Undecodable("another kind");
  pod["kind"] = "Pod";
  pod["apiVersion"] = "v1";
  return pod;
}

Texts oracle_pod(const oracle::Json& sent, int minor, bool with_defaults) {
  try {
    const oracle::Json pod = oracle_decoded(sent, minor);
    const oracle::Json answer = with_defaults ? oracle::with_defaults(pod, minor) : pod;
    return {oracle::write(answer), oracle::Json(oracle::repeated_in(answer)).dump()};
  } catch (const oracle::Undecodable&) {
    return {kRefused};
  }
}

Texts simulated_patch(const Value& line, int minor) {
  if (document::decoding_problem(line["patch"])) return {"syntax"};
  const auto patched = document::apply_patch(line["doc"], line["patch"], {}, patch_library(minor));
  if (!patched.ok()) return {kRefused};
  return {oracle::write(oracle_json(patched.document))};
}

Texts oracle_patch(const oracle::Json& line, int minor) {
  try {
    const oracle::Json patch = oracle::read_patch(oracle::write(oracle::at(line, "patch")));
    if (oracle::each(patch).empty()) return {oracle::write(oracle::at(line, "doc"))};
    return {oracle::write(oracle::apply_patch(oracle::at(line, "doc"), patch, minor, false))};
  } catch (const oracle::PatchRefused& refused) {
    return {refused.kind == oracle::PatchRefused::Kind::syntax ? "syntax" : kRefused};
  }
}

/// Returns the validation errors of both, in those fields for which the reference model has the rules.
std::pair<Texts, Texts> validated(const Value& line, const oracle::Json& sent, int minor) {
  const auto errors = errors_of_request("create", line["pod"], {}, minor);
  if (!errors) return {};
  oracle::Json pod = oracle::converted(oracle::with_defaults(oracle_decoded(sent, minor), minor));
  if (oracle::text_at(pod["metadata"], "namespace").empty()) pod["metadata"]["namespace"] = "default";
  const oracle::Judgement judgement(pod, minor);
  return {{listed(known_errors(*errors, judgement))}, {listed(judgement.errors())}};
}

/// Returns the answers of the simulator and of the reference model to a question.
std::pair<Texts, Texts> answers_to(const std::string& question) {
  const oracle::Json parsed = oracle::read(question);
  const Value line = *document::read_json(question, {}, document::Strictness::foreign);
  const auto kind = line["kind"].text();
  const std::string version = oracle::text_at(parsed, "version");
  const int minor = version.empty() ? kNewestMinor : std::stoi(version.substr(2));
  const oracle::Json& in = oracle::at(parsed, "in");
  if (kind == "decode") return {simulated_pod(received_pod(line["in"], minor)), oracle_pod(in, minor, false)};
  if (kind == "default")
    return {simulated_pod(defaulted_pod(line["in"], minor)), oracle_pod(in, minor, true)};
  if (kind == "patch") return {simulated_patch(line, minor), oracle_patch(parsed, minor)};
  if (line["operation"].text() == "create") return validated(line, oracle::at(parsed, "pod"), minor);
  return {};
}

}  // namespace

bool agree_on(const std::string& question) {
  const auto [simulated, reference] = answers_to(question);
  return simulated == reference;
}

std::string difference_on(const std::string& question) {
  const auto [simulated, reference] = answers_to(question);
  for (std::size_t i = 0; i < std::max(simulated.size(), reference.size()); ++i) {
    const std::string a = i < simulated.size() ? simulated[i] : "",
                      b = i < reference.size() ? reference[i] : "";
    if (a == b) continue;
    const bool are_documents = oracle::Json::accept(a) && oracle::Json::accept(b);
    if (!are_documents)
      return "simulated " + a.substr(0, kShownMax) + ", reference " + b.substr(0, kShownMax);
    return "simulated to reference " +
           oracle::write(oracle::Json::diff(oracle::Json::parse(a), oracle::Json::parse(b)))
               .substr(0, kShownMax);
  }
  return "";
}

oracle::Json oracle_json(const document::Value& value) { return oracle::read(document::write_json(value)); }

oracle::Answer on_the_wire(const webhooks::Answer& answer, const std::string& version,
                           const std::string& uid) {
  if (!answer.problem.empty()) return {.problem = answer.problem, .timed_out = answer.timed_out, .body = ""};
  oracle::Json review = oracle::Json::object(), response{{"allowed", answer.allowed}};
  response["uid"] = answer.uid_echoed ? uid : "another";
  if (answer.patch) {
    const bool is_text = answer.patch->is_string();
    response["patch"] = document::encode_base64(is_text ? std::string(answer.patch->text())
                                                        : document::write_json(*answer.patch));
  }
  if (answer.patch_type) response["patchType"] = *answer.patch_type;
  if (answer.has_status || answer.status.code != 0 || !answer.status.message.empty()) {
    response["status"] = {
        {"code", answer.status.code}, {"reason", answer.status.reason}, {"message", answer.status.message}};
  }
  response["warnings"] = answer.warnings;
  response["auditAnnotations"] = answer.audit_annotations;
  review["kind"] = answer.kind;
  if (answer.api_version != webhooks::kNoApiVersion)
    review["apiVersion"] = answer.api_version.empty() ? "admission.k8s.io/" + version : answer.api_version;
  if (answer.has_response) review["response"] = std::move(response);
  return {.problem = "", .timed_out = answer.timed_out, .body = oracle::write(review)};
}

Differential::Differential(const cases::Case& value, const std::map<std::string, webhooks::Handler>& handlers,
                           oracle::Forgotten forgotten)
    : value_(value), handlers_(handlers), forgotten_(forgotten), minor_(minor_of(value.cluster)) {}

oracle::Answer Differential::answer(const std::string& webhook, const std::string& review, int number) const {
  const Value read = *document::read_json(review, {}, document::Strictness::foreign);
  const Value& request = read["request"];
  // Webhooks in the process read members in the order in which the server writes them.
  const auto ordered = [&](const Value& sent) {
    const auto decoded = decode_object(sent, minor_);
    return decoded ? *decoded : sent;
  };
  const Value object = ordered(request["object"]);
  const Value old_object = request["oldObject"].is_null() ? Value() : ordered(request["oldObject"]);
  const std::string version(read["apiVersion"].text().substr(std::string("admission.k8s.io/").size()));
  const std::string name(request["name"].text()), uid(request["uid"].text());
  int seconds = 10;
  const auto configured = read_configurations(value_);
  for (const ConfiguredWebhook& each : *configured)
    seconds = each.key == webhook ? each.timeout_seconds : seconds;
  cases::Request around = value_.request;
  around.old_object = old_object;
  return on_the_wire(handlers_.at(webhook)({.object = object,
                                            .old_object = old_object,
                                            .request = around,
                                            .cluster = value_.cluster,
                                            .webhook = webhook,
                                            .review_version = version,
                                            .uid = uid,
                                            .name = name,
                                            .number = number,
                                            .timeout_seconds = seconds}),
                     version, uid);
}

void Differential::differ(const std::string& what, const std::string& simulated,
                          const std::string& reference) {
  if (simulated == reference) return;
  differences_.push_back(what + ": simulated " + simulated.substr(0, kShownMax) + ", reference " +
                         reference.substr(0, kShownMax));
}

void Differential::compare_json(const std::string& what, const Value& simulated,
                                const oracle::Json& reference) {
  const oracle::Json other = oracle_json(simulated);
  if (other == reference) return;
  for (const auto& change : oracle::Json::diff(other, reference)) {
    differences_.push_back(what + ": simulated to reference " + oracle::write(change).substr(0, kShownMax));
  }
}

void Differential::compare_policies(const cases::Outcome& outcome) {
  const auto listed = [](const auto& runs, const auto& errors_of) {
    oracle::Json all = oracle::Json::array();
    for (const auto& run : runs)
      all.push_back({run.pass, run.policy, run.binding, run.param, run.changed, errors_of(run)});
    return all.dump();
  };
  differ("policies",
         listed(outcome.policies, [](const auto& run) { return static_cast<int>(run.errors.size()); }),
         listed(reference_.policies, [](const auto& run) { return run.errors; }));
}

void Differential::compare_call(std::size_t index, const CallEvent& event, const cases::CallRecord& record) {
  const oracle::Call& other = reference_.calls[index];
  const std::string what = "call " + std::to_string(index + 1) + " of " + record.webhook;
  differ(what, record.webhook, other.webhook);
  differ(what + ": pass", number(record.pass), number(other.pass));
  differ(what + ": index", number(record.index), number(other.index));
  differ(what + ": error", record.error, other.error);
  differ(what + ": applied", number(event.result.applied), number(other.applied));
  differ(what + ": changed", number(record.changed), number(other.changed));
  if (!record.patch.is_string() && !other.patch.empty())
    compare_json(what + ": patch", record.patch, oracle::read(other.patch));
  compare_json(what + ": before", event.before, other.before);
  compare_json(what + ": after", event.result.after, other.after);
  ++calls_;
  if (other.applied) ++applied_;
}

void Differential::compare_outcomes(const Admission& admission) {
  const cases::Outcome outcome = outcome_of(value_, admission);
  differ("allowed", number(outcome.allowed), number(reference_.allowed));
  differ("passes", number(outcome.passes), number(reference_.passes));
  differ("code", number(outcome.status ? outcome.status->code : 0), number(reference_.code));
  differ("reason", outcome.status ? outcome.status->reason : "", reference_.reason);
  differ("crashed", number(admission.crashed), number(reference_.crashed));
  compare_json("first", admission.first, reference_.first);
  compare_json("object", outcome.object, reference_.object);
  if (admission.crashed || reference_.crashed) return;
  compare_policies(outcome);
  differ("calls", number(static_cast<int>(outcome.calls.size())),
         number(static_cast<int>(reference_.calls.size())));
  std::vector<const CallEvent*> events;  // without the runs of policies
  for (const CallEvent& event : admission.calls)
    if (!admission.webhooks[static_cast<std::size_t>(event.index)].is_policy) events.push_back(&event);
  for (std::size_t i = 0; i < std::min(outcome.calls.size(), reference_.calls.size()); ++i)
    compare_call(i, *events[i], outcome.calls[i]);
  auto warned = outcome.warnings, oracle_warned = reference_.warnings;
  std::sort(warned.begin(), warned.end());
  std::sort(oracle_warned.begin(), oracle_warned.end());
  differ("warnings", oracle::Json(warned).dump(), oracle::Json(oracle_warned).dump());
  const auto readable = [](const std::map<std::string, std::string>& annotations) {
    oracle::Json all = oracle::Json::object();
    for (const auto& [key, text] : annotations)
      all[key] = oracle::Json::accept(text) ? oracle::write(oracle::read(text)) : text;
    return all.dump();
  };
  differ("audit annotations", readable(outcome.audit_annotations), readable(reference_.annotations));
}

void Differential::compare_lists(const Admission& admission) {
  if (!admission.allowed || !reference_.allowed) return;
  const auto listed = [](const std::set<std::string>& all) { return oracle::Json(all).dump(); };
  differ("repeated keys", listed(repeated_of(admission.object)),
         listed(oracle::repeated_in(reference_.object)));
}

std::vector<std::string> Differential::differences() {
  const std::string text = document::write_json(cases::write_case(value_));
  const Expressions expressions(value_);
  reference_ = oracle::admit(
      text, {.call = [this](const std::string& webhook, const std::string& review,
                            int nth) { return answer(webhook, review, nth); },
             .evaluate = [&](const oracle::Expression& one) { return expressions.evaluate(one); },
             .forgotten = forgotten_});
  const auto simulated = admit(value_, handlers_, {}, {.store = false});
  if (!simulated) return {"the simulator refuses the Case: " + simulated.error().text()};
  compare_outcomes(*simulated);
  compare_lists(*simulated);
  compare_validation(*simulated);
  return differences_;
}

void Differential::compare_validation(const Admission& admission) {
  if (!admission.allowed || !reference_.allowed || value_.request.is_update()) return;
  const Stored stored = store(value_.request, value_.cluster, admission.object, {}, minor_, {.warns = false});
  if (stored.status && stored.status->code == 400) return;
  const oracle::Judgement judgement(reference_.object, minor_);
  const auto found = known_errors(stored.invalid, judgement);
  differ("validation", listed(found), listed(judgement.errors()));
  errors_ += static_cast<int>(found.size());
}

}  // namespace fixpoint::apiserver
