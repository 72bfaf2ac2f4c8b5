#include <algorithm>
#include <map>
#include <string>

#include "harness/cases/webhook_configuration.h"
#include "harness/document/base64.h"
#include "harness/document/lower_case.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

constexpr std::size_t kShortest = 8;  ///< a shorter value may stand anywhere

/// Returns true for a key whose value nobody else may read; many Secrets hold endpoints and regions, too.
bool is_of_secrets(std::string_view key) {
  constexpr std::string_view kWords[] = {"pass", "token", "secret", "cred", "private", "apikey", "api-key"};
  const std::string small = document::lower_case(key);
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return small.find(word) != std::string::npos; });
}

/// The decoded values of the Secrets of the cluster, with what they are of.
std::map<std::string, std::string> secrets_of(const cases::Cluster& cluster) {
  std::map<std::string, std::string> secrets;
  const auto add = [&](const Value& object, std::string_view key, std::string text) {
    if (text.size() >= kShortest && is_of_secrets(key))
      secrets.emplace(std::move(text),
                      std::string(key) + " of the Secret " + std::string(object["metadata"]["name"].text()));
  };
  for (const Value* object : cluster.of_kind("Secret")) {
    for (const auto& one : (*object)["data"].members())
      if (auto text = document::decode_base64(one.value.text()))
        add(*object, one.key.text(), *std::move(text));
    for (const auto& one : (*object)["stringData"].members())
      add(*object, one.key.text(), std::string(one.value.text()));
  }
  return secrets;
}

Judgement secrets_hidden(const Examination& examination) {
  const auto secrets = secrets_of(examination.value.cluster);
  if (secrets.empty()) return not_applicable("the cluster has no Secret with a value");
  const auto calls = effective_calls(examination);
  if (calls.empty()) return not_reached("no webhook changed the Pod");
  std::vector<Violation> violations;
  for (const FirstCall& call : calls) {
    if (!call.webhook.is_subject) continue;
    const Value& after = call.event.result.after;
    for (const PathValue& written : added(call.event.before, after)) {
      if (!written.value.is_string()) continue;
      for (const auto& [text, what] : secrets) {
        if (written.value.text().find(text) == std::string_view::npos) continue;
        Violation violation = violation_at(call.webhook, written.path, after, call.event.result);
        violation.severity = Severity::warning;
        violation.reason = "writes " + what + " into " + violation.path + " in clear";
        violations.push_back(std::move(violation));
        break;
      }
    }
  }
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kSecretsHidden = {
    .name = "secrets-hidden",
    .claim = "The value of a Secret is referred to, and never written into the Pod.",
    .is_cheap = false,
    .ask = secrets_hidden,
    .explanation = {.example = "A variable of the Pod has the password of a Secret as its value.",
                    .matters = "Whoever may read Pods, events or audit logs reads the password.",
                    .fix = "Use valueFrom.secretKeyRef, or mount the Secret."},
};

}  // namespace fixpoint::properties
