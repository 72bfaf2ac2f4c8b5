#include "corpus/audit_log.h"

#include <charconv>
#include <optional>
#include <utility>

#include "corpus/seed_pod.h"
#include "harness/cases/redaction.h"
#include "harness/document/json.h"
#include "harness/document/pointer.h"

namespace fixpoint::corpus {

namespace {

using document::Error;
using document::Result;
using document::Value;

/// One webhook's call in a round.
struct LoggedCall {
  int round = 0, index = 0;
  std::string configuration = {}, webhook = {};
  Value patch = {};  ///< null if the webhook sent no patch
  std::string key() const { return configuration + "/" + webhook; }
};

/// Returns the round and index of "…/round_0_index_1"; nothing for any other annotation.
std::optional<std::pair<int, int>> place_of(std::string_view key, std::string_view prefix) {
  if (!key.starts_with(prefix)) return std::nullopt;
  key.remove_prefix(prefix.size());
  constexpr std::string_view kRound = "round_", kIndex = "_index_";
  const auto at = key.find(kIndex);
  if (!key.starts_with(kRound) || at == std::string_view::npos) return std::nullopt;
  std::pair<int, int> place;
  const std::string_view round = key.substr(kRound.size(), at - kRound.size()),
                         index = key.substr(at + kIndex.size());
  const auto read = [](std::string_view text, int& into) {
    const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), into);
    return bad == std::errc() && end == text.data() + text.size() && into >= 0;
  };
  if (!read(round, place.first) || !read(index, place.second)) return std::nullopt;
  return place;
}

/// Returns the calls of an event in their order.
Result<std::map<std::pair<int, int>, LoggedCall>> turns_of(const Value& annotations,
                                                           cases::Redaction& redaction,
                                                           const Limits& limits) {
  std::map<std::pair<int, int>, LoggedCall> logged_calls;
  for (const auto& member : annotations.members()) {
    const std::string_view key = member.key.text();
    for (const char* prefix : {"mutation.webhook.admission.k8s.io/", "patch.webhook.admission.k8s.io/"}) {
      const auto place = place_of(key, prefix);
      if (!place) continue;
      auto value = document::read_json(member.value.text(), limits, document::Strictness::foreign);
      if (!value) return std::move(value).error().within("annotation " + std::string(key));
      LoggedCall& logged_call = logged_calls[*place];
      logged_call.round = place->first;
      logged_call.index = place->second;
      logged_call.configuration = (*value)["configuration"].text();
      logged_call.webhook = (*value)["webhook"].text();
      if (!(*value)["patch"].is_null()) logged_call.patch = redaction.document((*value)["patch"]);
    }
  }
  return logged_calls;
}

bool is_index(const std::string& token) {
  return token == "-" || token.find_first_not_of("0123456789") == std::string::npos;
}

/// Returns "spec.volumes[certs]"; the whole element if it has no name.
std::string element_name(const std::string& list, const Value& element) {
  const std::string_view name = element["name"].text();
  return list + "[" + (name.empty() ? document::write_json(element) : std::string(name)) + "]";
}

/// Returns the elements that the operations add to lists, one by one or with the list; indices do not count.
std::set<std::string> additions(const Value& patch) {
  std::set<std::string> all;
  for (const Value& operation : patch.elements()) {
    if (operation["op"].text() != "add") continue;
    const auto pointer = document::parse_pointer(operation["path"].text());
    if (!pointer || pointer->empty()) continue;
    std::string path;
    for (const std::string& token : *pointer) {
      if (!is_index(token)) path.append(path.empty() ? "" : ".").append(token);
    }
    const Value& value = operation["value"];
    if (is_index(pointer->back())) all.insert(element_name(path, value));
    for (const Value& element : value.elements()) all.insert(element_name(path, element));
  }
  return all;
}

/// Returns configurations of the webhooks in the log; those called in a second round have reinvocationPolicy
/// IfNeeded.
std::vector<Value> configurations_of(const std::map<std::pair<int, int>, LoggedCall>& logged_calls) {
  std::vector<Value> configurations;
  std::set<std::string> seen, again;
  for (const auto& [place, logged_call] : logged_calls) {
    if (logged_call.round > 0) again.insert(logged_call.key());
  }
  std::map<int, const LoggedCall*> by_index;
  for (const auto& [place, logged_call] : logged_calls) by_index.emplace(logged_call.index, &logged_call);
  for (const auto& [index, logged_call] : by_index) {
    if (!seen.insert(logged_call->key()).second) continue;
    const Value rule{{"apiGroups", Value::list({""})},
                     {"apiVersions", Value::list({"v1"})},
                     {"operations", Value::list({"CREATE"})},
                     {"resources", Value::list({"pods"})}};
    const Value webhook{{"name", logged_call->webhook},
                        {"admissionReviewVersions", Value::list({"v1"})},
                        {"sideEffects", "None"},
                        {"reinvocationPolicy", again.contains(logged_call->key()) ? "IfNeeded" : "Never"},
                        {"rules", Value::list({rule})}};
    const bool is_last = !configurations.empty() &&
                         configurations.back()["metadata"]["name"].text() == logged_call->configuration;
    if (is_last) {
      configurations.back().edit("webhooks").push_back(webhook);
      continue;
    }
    configurations.push_back({{"apiVersion", "admissionregistration.k8s.io/v1"},
                              {"kind", "MutatingWebhookConfiguration"},
                              {"metadata", {{"name", logged_call->configuration}}},
                              {"webhooks", Value::list({webhook})}});
  }
  return configurations;
}

/// Returns scripts that send the recorded patch in each call.
Value scripts_of(const std::map<std::pair<int, int>, LoggedCall>& logged_calls) {
  std::map<std::string, std::pair<int, Value>> rules;
  for (const auto& [place, logged_call] : logged_calls) {
    auto& [calls, list] = rules.try_emplace(logged_call.key(), 0, Value::empty_list()).first->second;
    ++calls;
    if (!logged_call.patch.is_array() || logged_call.patch.empty()) continue;
    list.push_back({{"when", {{"call", calls}}}, {"patch", logged_call.patch}});
  }
  Value backends = Value::empty_object();
  for (auto& [key, rule] : rules) backends.set(key, {{"script", rule.second}});
  return backends;
}

/// Counts the calls of one webhook in one request.
void count(AuditLog::Seen& seen, const std::vector<const LoggedCall*>& own) {
  ++seen.requests;
  int patches = 0;
  std::set<std::string> added;
  for (const LoggedCall* logged_call : own) {
    patches += logged_call->patch.empty() ? 0 : 1;
    for (const std::string& addition : additions(logged_call->patch)) {
      if (!added.insert(addition).second) seen.added_again.insert(addition);
    }
  }
  seen.patched_again += patches > 1 ? 1 : 0;
}

}  // namespace

std::optional<Error> AuditLog::take(std::string_view line) {
  if (line.find_first_not_of(" \t\r\n") == std::string_view::npos) return std::nullopt;
  ++lines_;
  const auto event = document::read_json(line, limits_, document::Strictness::foreign);
  if (!event) return event.error();
  if ((*event)["kind"].text() != "Event" || !(*event)["apiVersion"].text().starts_with("audit.k8s.io/"))
    return Error{"expected an Event of audit.k8s.io"};
  if ((*event)["stage"].text().empty()) {
    ++without_stage_;
    return std::nullopt;
  }
  const Value& target = (*event)["objectRef"];
  const bool is_creation = (*event)["verb"].text() == "create" &&
                           (*event)["stage"].text() == "ResponseComplete" &&
                           target["resource"].text() == "pods" && target["subresource"].text().empty();
  if (!is_creation) return std::nullopt;
  if (!(*event)["requestObject"].is_object()) {
    ++without_object_;
    return std::nullopt;
  }
  cases::Redaction redaction({.keeps_env = keeps_env_});
  const auto logged_calls = turns_of((*event)["annotations"], redaction, limits_);
  if (!logged_calls) return logged_calls.error();
  std::map<std::string, std::vector<const LoggedCall*>> by_webhook;
  for (const auto& [place, logged_call] : *logged_calls)
    by_webhook[logged_call.key()].push_back(&logged_call);
  for (const auto& [key, own] : by_webhook) count(webhooks_[key], own);
  const Value pod = as_sent((*event)["requestObject"]);
  auto value = cases::read_case(
      {{"apiVersion", cases::kApiVersion},
       {"kind", "Case"},
       {"note", "From an audit log: the webhooks patch as they were seen to."},
       {"request", {{"namespace", target["namespace"]}, {"object", redaction.document(pod)}}},
       {"cluster", {{"objects", configurations_of(*logged_calls)}}},
       {"webhooks", scripts_of(*logged_calls)}});
  if (!value) return std::move(value).error().within("the Case of this request");
  seeds_.push_back(*std::move(value));
  return std::nullopt;
}

}  // namespace fixpoint::corpus
