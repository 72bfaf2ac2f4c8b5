#include "harness/differential/differential_model.h"

#include <algorithm>

#include "harness/apiserver/decoding/objects.h"
#include "harness/differential/expressions_model.h"
#include "harness/differential/server_steps_model.h"
#include "harness/document/base64.h"
#include "harness/document/json.h"

namespace fixpoint::apiserver {

namespace {

constexpr std::size_t kShownMax = 600;

std::string number(bool value) { return value ? "true" : "false"; }
std::string number(int value) { return std::to_string(value); }

/// The same value, in which every text has a spelling: write_json() keeps it. A text without one has Go's.
Value with_spellings(const Value& value) {
  if (value.is_string())
    return value.spelling().empty() ? Value::spelled(value.text(), document::write_go_json(value)) : value;
  Value spelled = value;
  for (std::size_t i = 0; i < value.elements().size(); ++i)
    spelled.edit(i) = with_spellings(value.elements()[i]);
  for (std::size_t i = 0; i < value.members().size(); ++i)
    spelled.edit_members()[i].value = with_spellings(value.members()[i].value);
  return spelled;
}

}  // namespace

oracle::Answer on_the_wire(const webhooks::Answer& answer, const std::string& version,
                           const std::string& uid) {
  if (!answer.problem.empty()) return {.problem = answer.problem, .timed_out = answer.timed_out, .body = ""};
  oracle::Json review = oracle::Json::object(), response{{"allowed", answer.allowed}};
  response["uid"] = answer.uid_echoed ? uid : "another";
  if (answer.patch) {
    const bool is_text = answer.patch->is_string();
    response["patch"] = document::encode_base64(
        is_text ? std::string(answer.patch->text()) : document::write_json(with_spellings(*answer.patch)));
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

std::vector<std::string> Differential::differences() {
  const std::string text = document::write_json(cases::write_case(value_));
  const Expressions expressions(value_);
  reference_ = oracle::admit(
      text, {.call = [this](const std::string& webhook, const std::string& review,
                            int nth) { return answer(webhook, review, nth); },
             .evaluate = [&](const oracle::Expression& one) { return expressions.evaluate(one); },
             .steps = steps_of(value_),
             .forgotten = forgotten_});
  const auto simulated = admit(value_, handlers_, {}, {.store = false});
  if (!simulated) return {"the simulator refuses the Case: " + simulated.error().text()};
  compare_outcomes(*simulated);
  return differences_;
}

}  // namespace fixpoint::apiserver
