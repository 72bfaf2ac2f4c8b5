#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "harness/document/lower_case.h"
#include "injectors/defects/defect_helpers.h"
#include "injectors/defects/defects.h"

namespace fixpoint::injectors::defects {

namespace {

// Defects in handling values that a user writes into annotations, and in combining values.

constexpr const char* kLevel = "defects.example.io/log-level";
constexpr const char* kInject = "defects.example.io/inject";
constexpr const char* kProcessor = "defects.example.io/agent-cpu";
constexpr const char* kOrders = "orders-db";
constexpr const char* kSecret = "defects.example.io/db-secret";
constexpr const char* kTags = "tags.defects.example.io/";

std::string annotation(const Value& pod, const char* key) {
  return std::string(pod["metadata"]["annotations"][Name(key)].text());
}

/// Appends a container unless one of its name exists.
Answer with_sidecar(const Call& call, const Value& sidecar) {
  if (has_container(call.object, sidecar["name"].text())) return webhooks::allow();
  return changed(call, [&](Value& pod) { pod.edit("spec").edit("containers").push_back(sidecar); });
}

/// Treats a level that is missing in the table like no level, and uses the default.
Answer level_by_table(const Call& call, bool is_fixed) {
  constexpr std::array<std::string_view, 4> kLevels{"debug", "info", "warn", "error"};
  std::string level = annotation(call.object, kLevel);
  if (is_fixed) level = document::lower_case(level);
  if (std::find(kLevels.begin(), kLevels.end(), level) == kLevels.end()) {
    if (is_fixed && !level.empty()) return webhooks::deny(400, "BadRequest", "unknown log level " + level);
    level = "info";
  }
  Value agent = container("level-agent", "agent:1");
  agent.edit("env").push_back(env("LOG_LEVEL", level));
  return with_sidecar(call, agent);
}

/// Compares with one spelling of false, although YAML has several.
Answer off_if_false(const Call& call, bool is_fixed) {
  const std::string inject = annotation(call.object, kInject);
  const bool is_on = is_fixed ? document::lower_case(inject) == "true" : !inject.empty() && inject != "false";
  return is_on ? with_sidecar(call, container("switched-agent", "agent:1")) : webhooks::allow();
}

/// Looks for the annotation, and not at its value.
Answer on_if_there(const Call& call, bool is_fixed) {
  const std::string inject = annotation(call.object, kInject);
  const bool is_on = is_fixed ? document::lower_case(inject) == "true" : !inject.empty();
  return is_on ? with_sidecar(call, container("switched-agent", "agent:1")) : webhooks::allow();
}

/// Takes the default amounts for one setting, which any annotation replaces as a whole.
Answer amounts_of_annotation(const Call& call, bool is_fixed) {
  if (!call.object["spec"]["resources"].is_null())
    return webhooks::allow();  // bounds those of the containers
  const std::string asked = annotation(call.object, kProcessor);
  if (!asked.empty() && asked != "250m" && asked != "1")
    return webhooks::deny(400, "BadRequest", "not an amount of the catalog: " + asked);
  Value agent = container("measured-agent", "agent:1");
  Value amounts = Value::empty_object();
  if (is_fixed || asked.empty()) amounts = {{"cpu", "100m"}, {"memory", "64Mi"}};
  if (!asked.empty()) amounts.set("cpu", asked);
  agent.set("resources", {{"requests", amounts}});
  return with_sidecar(call, agent);
}

/// Joins pairs with commas, so that a comma inside a value looks like a separator.
Answer pairs_joined(const Call& call, bool is_fixed) {
  std::string pairs;
  for (const auto& member : call.object["metadata"]["annotations"].members()) {
    const std::string key(member.key.text()), value(member.value.text());
    if (!key.starts_with(kTags)) continue;
    if (is_fixed && value.find(',') != std::string::npos)
      return webhooks::deny(400, "BadRequest", "a tag cannot hold a comma: " + key);
    pairs += (pairs.empty() ? "" : ",") + key.substr(std::string_view(kTags).size()) + "=" + value;
  }
  if (pairs.empty()) return webhooks::allow();
  Value tagger = container("tagger", "tagger:1");
  tagger.edit("args").push_back("--tags=" + pairs);
  return with_sidecar(call, tagger);
}

/// Takes the password from the default database instead of the source of the user name.
Answer password_of_default(const Call& call, bool is_fixed) {
  constexpr std::string_view kDefault = "default-db";
  const std::string asked = annotation(call.object, kSecret), secret(asked.empty() ? kDefault : asked);
  if (secret != kDefault && secret != kOrders)
    return webhooks::deny(400, "BadRequest", "there is no database of that name");
  const auto from = [](const char* name, const std::string& of, const char* key) {
    return Value{{"name", name}, {"valueFrom", {{"secretKeyRef", {{"name", of}, {"key", key}}}}}};
  };
  Value client = container("db-client", "client:1");
  client.edit("env").push_back(from("DB_USER", secret, "user"));
  client.edit("env").push_back(from("DB_PASSWORD", is_fixed ? secret : std::string(kDefault), "password"));
  return with_sidecar(call, client);
}

/// Sets the annotation for a scraper to a port that no container declares.
Answer port_for_scraper(const Call& call, bool is_fixed) {
  constexpr const char* kKey = "prometheus.io/port";
  constexpr int kPort = 9102;
  if (!annotation(call.object, kKey).empty() || has_container(call.object, "exporter"))
    return webhooks::allow();
  Value exporter = container("exporter", "exporter:1");
  if (is_fixed) exporter.edit("ports").push_back({{"containerPort", kPort}, {"protocol", "TCP"}});
  return changed(call, [&](Value& pod) {
    pod.edit("metadata").edit("annotations").set(kKey, std::to_string(kPort));
    pod.edit("spec").edit("containers").push_back(exporter);
  });
}

/// Gives the level to one container, although the init container needs it, too.
Answer level_of_one(const Call& call, bool is_fixed) {
  const std::string asked = annotation(call.object, kLevel), level = asked.empty() ? "info" : asked;
  return changed(call, [&](Value& pod) {
    const auto add_with = [&](const char* list, const char* name, const std::string& value) {
      if (has_container(pod, name)) return;
      Value one = container(name, "log:1");
      one.edit("env").push_back(env("LOG_LEVEL", value));
      pod.edit("spec").edit(Name(list)).push_back(one);
    };
    add_with("initContainers", "log-setup", is_fixed ? level : "info");
    add_with("containers", "log-forwarder", level);
  });
}

/// Mounts a volume inside a mounted Secret, where the kubelet cannot create the mount point.
Answer mount_in_secret(const Call& call, bool is_fixed) {
  if (has_container(call.object, "cache-agent")) return webhooks::allow();
  Value agent = container("cache-agent", "agent:1");
  agent.edit("volumeMounts").push_back({{"name", "cache-keys"}, {"mountPath", "/etc/cache"}});
  agent.edit("volumeMounts")
      .push_back({{"name", "cache-data"}, {"mountPath", is_fixed ? "/var/cache" : "/etc/cache/data"}});
  return changed(call, [&](Value& pod) {
    Value& spec = pod.edit("spec");
    spec.edit("containers").push_back(agent);
    if (!has_named(spec["volumes"], "cache-keys"))
      spec.edit("volumes").push_back({{"name", "cache-keys"}, {"secret", {{"secretName", "cache-keys"}}}});
    if (!has_named(spec["volumes"], "cache-data")) spec.edit("volumes").push_back(empty_volume("cache-data"));
  });
}

void level(runner::Subject& subject) {
  subject.vocabulary.add_common(runner::Trigger::Where::annotation, {{kLevel, {"debug", "warn", "error"}}});
}

constexpr Defect kGivenValueDefects[] = {
    {"level-in-capitals", "Falls back to the default for a log level that its table lacks.", "ignored-value",
     level_by_table, level},
    {"false-with-a-capital", "Treats everything except \"false\" as true.", "odd-spelling", off_if_false,
     [](runner::Subject& subject) {
       subject.vocabulary.add_common(runner::Trigger::Where::annotation, {{kInject, {"true", "false"}}});
     }},
    {"false-as-good-as-true", "Takes an annotation that is \"false\" for one that is \"true\".",
     "annotation-values", on_if_there,
     [](runner::Subject& subject) {
       subject.vocabulary.add_common(runner::Trigger::Where::annotation, {{kInject, {"true", "false"}}});
     }},
    {"amounts-of-one-annotation", "Drops the default memory where an annotation sets the processor.",
     "drops-amounts", amounts_of_annotation,
     [](runner::Subject& subject) {
       subject.vocabulary.add_common(runner::Trigger::Where::annotation, {{kProcessor, {"250m", "1"}}});
     }},
    {"pairs-not-escaped", "Joins annotations with commas without escaping their values.", "cut-list",
     pairs_joined,
     [](runner::Subject& subject) {
       subject.vocabulary.add_common(runner::Trigger::Where::annotation,
                                     {{"tags.defects.example.io/team", {"search", "pay"}},
                                      {"tags.defects.example.io/cost-centre", {"4711", "42"}}});
     }},
    {"password-of-another-secret",
     "Reads the user name from the requested Secret and the password from its own.", "mixed-secrets",
     password_of_default,
     [](runner::Subject& subject) {
       subject.vocabulary.add_common(runner::Trigger::Where::annotation, {{kSecret, {kOrders}}});
     }},
    {"scrape-port-undeclared", "Tells the scraper a port that its exporter does not declare.",
     "undeclared-port", port_for_scraper, no_setup},
    {"level-of-one-container", "Gives the log level to one of its two containers.", "left-out", level_of_one,
     level},
    {"mount-within-a-secret", "Mounts a volume at a path within a mounted Secret.", "nested-mount",
     mount_in_secret, no_setup},
};

}  // namespace

std::span<const Defect> given_value_defects() { return kGivenValueDefects; }

}  // namespace fixpoint::injectors::defects
