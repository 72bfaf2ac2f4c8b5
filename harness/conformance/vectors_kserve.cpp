#include "harness/conformance/vectors_kserve.h"

#include <algorithm>

#include "harness/apiserver/admission/admission.h"
#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/cases/recorded_texts.h"
#include "harness/conformance/cluster_as_run.h"
#include "harness/document/diff.h"
#include "harness/document/json.h"
#include "harness/document/patch.h"
#include "injectors/bundled.h"

namespace fixpoint::conformance {

using document::Value;

namespace {

Compared judged(std::vector<std::string> differences) {
  if (differences.empty()) return {};
  return {Compared::Answer::disagreed, std::move(differences)};
}

std::string shown(const std::optional<Value>& value) {
  return value ? document::write_json(document::sorted(*value)) : "nothing";
}

/// Adds a line for each difference between two Pods.
void compare_pods(const Value& expected, const Value& found, const std::string& what,
                  std::vector<std::string>& differences) {
  constexpr std::size_t kChangesMax = 12;
  for (const document::Change& change : document::list_changes(expected, found, kChangesMax)) {
    differences.push_back(what + change.pointer + ": expected " + shown(change.before) + ", found " +
                          shown(change.after));
  }
}

/// Returns a Pod decoded by the newest types, or unchanged if they reject it.
Value decoded(const Value& pod) {
  const auto read = apiserver::decode_pod(pod);
  return read ? *read : pod;
}

/// Returns the cluster of a line's input.
cases::Cluster cluster_of(const Value& input) {
  cases::Cluster cluster;
  if (!input["configMap"].is_null()) {
    Value map = input["configMap"];
    map.set("kind", "ConfigMap");
    map.set("metadata", {{"name", "inferenceservice-config"}, {"namespace", "kserve"}});
    cluster.objects.push_back(std::move(map));
  }
  for (const char* list : {"secrets", "serviceAccounts", "inferenceServices"}) {
    for (Value object : input[list].elements()) {
      if (object["metadata"]["namespace"].is_null())
        object.edit("metadata").set("namespace", input["namespace"]);
      cluster.objects.push_back(std::move(object));
    }
  }
  for (const Value& object : input["clusterStorageContainers"].elements()) cluster.objects.push_back(object);
  return cluster;
}

struct Called {
  webhooks::Answer answer;
  Value object;  ///< after the patch; null if rejected
};

Called call(const webhooks::Handler& handler, const Value& pod, const cases::Cluster& cluster,
            std::string_view namespace_name) {
  cases::Request request;
  request.namespace_name = namespace_name;
  const Value none;
  Called called{handler({.object = pod,
                         .old_object = none,
                         .request = request,
                         .cluster = cluster,
                         .webhook = "",
                         .review_version = "v1",
                         .uid = "",
                         .name = pod["metadata"]["name"].text()}),
                {}};
  if (!called.answer.allowed || !called.answer.problem.empty()) return called;
  called.object = called.answer.patch ? document::apply_patch(pod, *called.answer.patch).document : pod;
  return called;
}

/// Compares one call with its recording; `sent` is the Pod that it received.
void compare_call(const Value& expected, const Called& found, const Value& sent, const std::string& what,
                  std::vector<std::string>& differences) {
  const auto differ = [&](const char* field, const std::string& wanted, const std::string& got) {
    if (wanted != got) differences.push_back(what + "." + field + ": expected " + wanted + ", found " + got);
  };
  const bool crashed = !found.answer.problem.empty() || webhooks::recovered_panic(found.answer),
             allowed = !crashed && found.answer.allowed;
  differ("panic", expected["panic"].is_null() ? "no" : "yes", crashed ? "yes" : "no");
  if (!expected["panic"].is_null() || crashed) return;
  differ("allowed", expected["allowed"].is_true() ? "true" : "false", allowed ? "true" : "false");
  differ("code", std::string(expected["code"].text()),
         std::to_string(allowed ? 200 : found.answer.status.code));
  const Value object = decoded(found.object);
  if (const Value* changed = expected.find("changed"))
    differ("changed", changed->is_true() ? "true" : "false", object == decoded(sent) ? "false" : "true");
  if (expected["object"].is_null() || !allowed) return;
  compare_pods(decoded(expected["object"]), object, what + ".object", differences);
}

/// Adds the simulator's own message, which helps to see why a line differs.
void add_reason(const Called& found, std::vector<std::string>& differences) {
  const std::string& reason =
      found.answer.problem.empty() ? found.answer.status.message : found.answer.problem;
  if (!differences.empty() && !reason.empty()) differences.push_back("  our answer: " + reason);
}

std::vector<Value> sorted_texts(const Value& list) {
  std::vector<Value> texts(list.elements().begin(), list.elements().end());
  std::sort(texts.begin(), texts.end(),
            [](const Value& a, const Value& b) { return document::write_json(a) < document::write_json(b); });
  return texts;
}

/// Returns the code of a refusal. A server takes that of the validating webhook which refuses first in time:
/// the recorded one, if any of them refuses so.
int code_of(const cases::Validating& validating, const Value& recorded_code) {
  const auto& calls = validating.calls;
  const auto refuses_so = [&](const cases::Validating::Call& call) {
    return call.code != 0 && recorded_code.integer() == call.code;
  };
  const auto found = std::find_if(calls.begin(), calls.end(), refuses_so);
  return found == calls.end() ? validating.code : found->code;
}

/// Returns the simulator's answer in the form of a `live` line.
Value live_answer(const cases::Case& value, const apiserver::Admission& admission,
                  const Value& recorded_code) {
  const cases::Outcome outcome = apiserver::outcome_of(value, admission);
  std::vector<Value> calls, invalid, warnings;
  if (!outcome.crashed) warnings.assign(outcome.warnings.begin(), outcome.warnings.end());
  const std::optional<cases::Validating>& validating = outcome.validating;
  for (const apiserver::CallEvent& event : admission.calls) {
    const std::string& key = admission.webhooks[static_cast<std::size_t>(event.index)].key;
    // The server calls no policy, which runs inside of it.
    if (event.result.called && value.webhooks.contains(key)) calls.emplace_back(key);
  }
  if (validating) {
    for (const cases::Validating::Call& call : validating->calls)
      if (call.is_sent) calls.emplace_back(call.webhook);
  }
  for (const cases::FieldError& error : outcome.invalid)
    invalid.push_back({{"type", error.type}, {"field", error.field}, {"message", error.message}});
  const bool is_judged = validating && validating->refuses();
  const bool is_stored = outcome.allowed && !is_judged;
  const bool has_template = apiserver::makes_pods(cases::kind_of(value.request, value.cluster));
  const Value object =
      is_stored ? without_fleeting(apiserver::shown_to_client(value, admission), has_template) : Value();
  const int success = value.request.is_update() ? 200 : 201;
  return {{"code", is_judged         ? code_of(*validating, recorded_code)
                   : outcome.allowed ? success
                   : outcome.status  ? outcome.status->code
                                     : 0},
          {"calls", calls},
          {"invalid", invalid},
          {"warnings", warnings},
          {"object", object}};
}

/// Puts another text in the place of each that is equal to the first: a Job has its name in labels.
Value with_texts(Value value, const std::string& from, const std::string& to) {
  if (value.is_string() && value.text() == from) return to;
  for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
    value.edit(i) = with_texts(value.at(i), from, to);
  if (value.is_object())
    for (auto& [key, member] : value.edit_members()) member = with_texts(std::move(member), from, to);
  return value;
}

/// Returns a recorded object with the simulator's suffix in the place of the random suffix of a generated
/// name.
Value with_known_suffix(Value object) {
  // The server cuts a long prefix (apiserver/pkg/storage/names/generate.go MaxGeneratedNameLength).
  constexpr std::size_t kPrefixBytesMax = 58;
  constexpr std::string_view kSuffix = "xxxxx";
  const std::string prefix(object["metadata"]["generateName"].text().substr(0, kPrefixBytesMax)),
      name(object["metadata"]["name"].text());
  if (prefix.empty() || !name.starts_with(prefix) || name.size() != prefix.size() + kSuffix.size())
    return object;
  return with_texts(std::move(object), name, prefix + std::string(kSuffix));
}

/// Returns the errors with their messages as they were recorded, where they agree, and without them where
/// none was.
Value with_known_texts(Value found, const Value& recorded) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Value expected = i < recorded.size() ? recorded.at(i)["message"] : Value();
    if (expected.is_null())
      found.edit(i).remove("message");
    else if (cases::agrees_with_recorded(expected.text(), found.at(i)["message"].text()))
      found.edit(i).set("message", expected);
  }
  return found;
}

}  // namespace

Compared check_kserve(const Value& line, int) {
  const std::string_view version = line["version"].text();
  const std::string name = "kserve/pod-mutator@" + std::string(version.substr(version.starts_with('v')));
  const auto handler = injectors::bundled().resolve(name);
  if (!handler) return unsupported(handler.error().text());
  const Value& input = line["input"];
  const cases::Cluster cluster = cluster_of(input);
  const std::string_view namespace_name = input["namespace"].text();
  std::vector<std::string> differences;
  const Called first = call(*handler, input["pod"], cluster, namespace_name);
  compare_call(line["first"], first, input["pod"], "first", differences);
  add_reason(first, differences);
  if (!line["second"].is_null()) {
    const Called second = call(*handler, line["first"]["object"], cluster, namespace_name);
    compare_call(line["second"], second, line["first"]["object"], "second", differences);
    add_reason(second, differences);
  }
  return judged(std::move(differences));
}

Compared check_live(const Value& line, int) {
  const auto value = cases::read_case(line["case"], injectors::bundled().known_injectors());
  if (!value) return unsupported(value.error().text());
  const auto handlers = webhooks::handlers(*value, injectors::bundled().resolve);
  if (!handlers) return unsupported(handlers.error().text());
  const auto admission = apiserver::admit(*value, webhooks::with_all_faults(*handlers, value->faults));
  if (!admission) return unsupported(admission.error().text());
  Value found = live_answer(*value, *admission, line["code"]);
  found.set("invalid", with_known_texts(found["invalid"], line["invalid"]));
  std::vector<std::string> differences;
  for (const char* field : {"code", "calls", "invalid"})
    compare_pods(line[field], found[field], field, differences);
  compare_pods(sorted_texts(line["warnings"]), sorted_texts(found["warnings"]), "warnings", differences);
  compare_pods(with_known_suffix(line["object"]), found["object"], "object", differences);
  return judged(std::move(differences));
}

}  // namespace fixpoint::conformance
