#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

#include "harness/cases/webhook_configuration.h"
#include "harness/document/json.h"
#include "harness/document/lower_case.h"
#include "harness/properties/injected_containers.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/spellings.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallResult;

constexpr int kListCallsMax = 3;  ///< of one webhook in one Case

/// A value of the user's in a list that the webhook writes as one text.
struct Listed {
  std::string key, value;  ///< of the annotation
  char separator;
  std::string path;  ///< of the text
  std::string text;
};

/// Variables that are useless without one another, by the ends of their names.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kCredentials{
    {{"ACCESS_KEY_ID", "SECRET_ACCESS_KEY"},
     {"CLIENT_ID", "CLIENT_SECRET"},
     {"USERNAME", "PASSWORD"},
     {"USER", "PASSWORD"}}};

const Value* named(const Value& list, const Value& name) {
  for (const Value& one : list.elements())
    if (one["name"] == name) return &one;
  return nullptr;
}

/// Returns true if a container of that name (an invalid Pod may have several) was sent with such an
/// element.
bool is_sent(const Value& containers, const Value& container, const char* list, const char* key,
             const Value& element) {
  const document::Name lists(list), keys(key);
  const auto all = containers.elements();
  return std::any_of(all.begin(), all.end(), [&](const Value& one) {
    const auto elements = one[lists].elements();
    return one["name"] == container["name"] &&
           std::any_of(elements.begin(), elements.end(),
                       [&](const Value& other) { return other[keys] == element[keys]; });
  });
}

bool has_number(std::string_view text, std::string_view number) {
  const auto is_digit = [&](std::size_t at) {
    return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
  };
  for (auto at = text.find(number); at != std::string_view::npos; at = text.find(number, at + 1)) {
    if ((at == 0 || !is_digit(at - 1)) && !is_digit(at + number.size())) return true;
  }
  return false;
}

/// Checks the values that one call wrote.
class WrittenQuestion {
 public:
  WrittenQuestion(const Examination& examination, const FirstCall& call,
                  std::vector<Observation>& observations)
      : examination_(examination),
        call_(call),
        observations_(observations),
        sent_(call.event.before),
        result_(call.event.result.after),
        written_(added(sent_, result_)) {}

  void ask() {
    ask_ports();
    for (const char* list : {"containers", "initContainers"}) {
      const document::Name name(list);
      for (const Value& container : result_["spec"][name].elements()) {
        ask_mounts(container, sent_["spec"][name]);
        ask_credentials(container, sent_["spec"][name]);
      }
    }
    ask_lists();
  }

 private:
  void observe(std::string kind, std::string path, std::string reason) {
    observations_.push_back({.kind = std::move(kind),
                             .webhook = call_.webhook.key,
                             .path = std::move(path),
                             .reason = std::move(reason)});
  }

  /// Reports a port for a scraper that no container of the Pod declares.
  void ask_ports() {
    constexpr std::string_view kAnnotations = "metadata.annotations";
    for (const PathValue& path_value : written_) {
      if (!path_value.path.starts_with(kAnnotations)) continue;
      const std::string key = document::lower_case(path_value.path.substr(kAnnotations.size() + 1));
      const std::string name(name_of_key(key.ends_with(']') ? key.substr(0, key.size() - 1) : key));
      const auto port = whole_number(path_value.value.text());
      if (!name.ends_with("port") || !port || *port < 1 || *port > 65535 || speaks_of(path_value)) continue;
      observe("undeclared-port", path_value.path,
              "writes " + path_value.text() + " to " + path_value.path +
                  ", a port that no container declares or names");
    }
  }
  bool speaks_of(const PathValue& port) const {
    const auto path_values = path_values_of(result_);
    return std::any_of(path_values.begin(), path_values.end(), [&](const PathValue& path_value) {
      return path_value.path != port.path && has_number(path_value.value.text(), port.value.text());
    });
  }

  /// Reports a mount inside a volume that is mounted read-only: the kubelet cannot create its mount point.
  void ask_mounts(const Value& container, const Value& sent) {
    for (const Value& outer : container["volumeMounts"].elements()) {
      const Value volume = volume_of(outer);
      if (is_sent(sent, container, "volumeMounts", "mountPath", outer) || !is_read_only(volume)) continue;
      const std::string folder = std::string(outer["mountPath"].text()) + "/";
      for (const Value& inner : container["volumeMounts"].elements()) {
        const std::string_view path = inner["mountPath"].text();
        if (!path.starts_with(folder) || inner["name"] == outer["name"]) continue;
        if (is_sent(sent, container, "volumeMounts", "mountPath", inner) || !inner["subPath"].is_null())
          continue;
        if (document::write_json(volume).find(path.substr(folder.size())) != std::string::npos) continue;
        return observe("nested-mount", "spec.containers[*].volumeMounts",
                       "mounts " + std::string(path) + " of the container " +
                           std::string(container["name"].text()) + " within its mount " +
                           std::string(outer["mountPath"].text()) + ", whose volume is read-only");
      }
    }
  }
  Value volume_of(const Value& mount) const {
    const Value* const volume = named(result_["spec"]["volumes"], mount["name"]);
    return volume == nullptr ? Value() : *volume;
  }
  static bool is_read_only(const Value& volume) {
    constexpr auto kSources = std::to_array<const char*>({"configMap", "secret", "projected", "downwardAPI"});
    return std::any_of(kSources.begin(), kSources.end(),
                       [&](const char* source) { return volume[document::Name(source)].is_object(); });
  }

  /// Reports a user name from one Secret and a password from another.
  void ask_credentials(const Value& container, const Value& sent) {
    for (const Value& one : container["env"].elements()) {
      const Value& secret = one["valueFrom"]["secretKeyRef"]["name"];
      if (secret.is_null() || is_sent(sent, container, "env", "name", one)) continue;
      for (const auto& [first, second] : kCredentials) {
        const std::string_view name = one["name"].text();
        if (!name.ends_with(first)) continue;
        const std::string partner = std::string(name.substr(0, name.size() - first.size())).append(second);
        const Value* const other = named(container["env"], Value(partner));
        if (other == nullptr || is_sent(sent, container, "env", "name", *other)) continue;
        const Value& from = (*other)["valueFrom"]["secretKeyRef"]["name"];
        if (from.is_null() || from == secret) continue;
        return observe("mixed-secrets", "spec.containers[*].env",
                       "takes " + std::string(name) + " of the container " +
                           std::string(container["name"].text()) + " from the Secret " +
                           std::string(secret.text()) + ", and " + partner + " from " +
                           std::string(from.text()));
      }
    }
  }

  /// Reports a value that contains the separator of its list.
  void ask_lists() {
    int calls_left = kListCallsMax;
    for (const Listed& one : listed()) {
      if (calls_left-- == 0) return;
      const std::string longer = one.value + one.separator + "more";
      Value pod = sent_;
      pod.edit("metadata").edit("annotations").set(document::Name(one.key), longer);
      if (!is_called(examination_, call_.webhook, pod)) continue;
      const CallResult result = call_afresh(examination_, call_.webhook, pod);
      if (!went_well(result) || !result.answer.warnings.empty()) continue;
      const auto path_values = added(pod, result.after);
      const PathValue* const path_value = find(path_values, one.path);
      if (path_value == nullptr || !reads_differently(path_value->value.text(), one, longer)) continue;
      if (!is_repeatable(examination_, call_.webhook, pod, result)) continue;
      return observe("cut-list", shape_of(locate(result.after, one.path), result.after, Value()),
                     "joins values with '" + std::string(1, one.separator) +
                         "' as they are: " + document::write_json(Value(longer)) + " in " +
                         member_path("metadata.annotations", one.key) + " makes " + path_value->text());
    }
  }
  /// Returns true if the value is neither escaped nor quoted, at the end of the list or inside it.
  static bool reads_differently(std::string_view text, const Listed& one, const std::string& longer) {
    const auto quotes = [](std::string_view of) {
      return std::count_if(of.begin(), of.end(), [](char c) { return c == '"' || c == '\''; });
    };
    return text.find(longer) != std::string_view::npos && quotes(text) == quotes(one.text);
  }
  /// Returns the annotations that stand next to one another in a text, as pairs.
  std::vector<Listed> listed() const {
    std::vector<Listed> all;
    for (const PathValue& path_value : written_) {
      const bool is_argument = path_value.path.find(".args[") != std::string::npos ||
                               path_value.path.find(".command[") != std::string::npos;
      if (!is_argument &&
          !(path_value.path.find(".env[") != std::string::npos && path_value.path.ends_with(".value")))
        continue;
      for (const char separator : {',', ';', '&', '|'}) {
        const std::string text(path_value.value.text());
        if (text.find(separator) == std::string::npos) continue;
        const auto keys = keys_in(text, separator);
        if (keys.size() < 2) continue;
        for (const auto& [key, value] : keys) all.push_back({key, value, separator, path_value.path, text});
      }
    }
    return all;
  }
  /// The annotations that are pairs of the list, with their names and values. A value without its name may be
  /// a list itself, which goes on in this one.
  std::vector<std::pair<std::string, std::string>> keys_in(const std::string& text, char separator) const {
    std::vector<std::pair<std::string, std::string>> keys;
    const std::string list = text + separator;
    for (const document::Member& one : sent_["metadata"]["annotations"].members()) {
      const std::string value(one.value.text());
      if (value.empty() || value.find(separator) != std::string::npos) continue;
      for (const char sign : {'=', ':'}) {
        const auto at = list.find(sign + value + separator);
        if (at == std::string::npos) continue;
        const std::string before = letters_of(list.substr(0, at));
        if (before.ends_with(letters_of(name_of_key(one.key.text()))))
          keys.emplace_back(one.key.text(), value);
      }
    }
    return keys;
  }
  /// Returns the letters of a name, so that TEAM_NAME and team-name are equal.
  static std::string letters_of(std::string_view text) {
    std::string letters = document::lower_case(text);
    std::erase_if(letters, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
    return letters;
  }

  const Examination& examination_;
  const FirstCall& call_;
  std::vector<Observation>& observations_;
  const Value &sent_, &result_;
  const std::vector<PathValue> written_;
};

Judgement injected_values(const Examination& examination) {
  if (first_calls(examination).empty()) return not_applicable("no webhook was called");
  std::vector<Observation> observations;
  for (const FirstCall& call : effective_calls(examination)) {
    if (!call.webhook.is_subject) continue;
    WrittenQuestion(examination, call, observations).ask();
    observe_injected_containers(call, observations);
  }
  return judged({}, std::move(observations));
}

}  // namespace

extern constinit const Property kInjectedValues = {
    .name = "injected-values",
    .claim = "What is injected fits together: lists, credentials, ports and mounts.",
    .is_cheap = false,
    .ask = injected_values,
    .explanation =
        {.example = "A list joined with commas holds a value with a comma in it.",
         .matters = "The Pod is created and does not do what it was given: an entry is cut, a password is "
                    "of another account, a mount fails, a port is silent.",
         .fix = "Escape or refuse separators, take a pair of credentials from one Secret, declare ports, and "
                "mount beside read-only volumes."},
};

}  // namespace fixpoint::properties
