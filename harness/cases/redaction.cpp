#include "harness/cases/redaction.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "harness/cases/secrets.h"
#include "harness/document/base64.h"
#include "harness/document/check.h"
#include "harness/document/pointer.h"

namespace fixpoint::cases {

using document::Member;

namespace {

/// Maps of Kubernetes from names to values; a name may suggest that its value is a secret.
constexpr std::array<std::string_view, 6> kMaps{"annotations", "labels",           "matchLabels",
                                                "parameters",  "volumeAttributes", "options"};
/// Lists whose elements are the words of one command line.
constexpr std::array<std::string_view, 3> kCommands{"args", "command", "exec"};
/// The least length of a secret that is searched for in sentences, and of one that is hidden within a word.
constexpr std::size_t kSoughtMin = 4, kSoughtWithinMin = 8;

bool is_one_of(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Hides a secret in a text. A short one is hidden only where it is a whole word: "info" is not hidden in
/// "information".
void hide(std::string& text, const std::string& secret) {
  std::size_t at = 0;
  while ((at = text.find(secret, at)) != std::string::npos) {
    const std::size_t end = at + secret.size();
    const bool is_within =
        (at > 0 && is_of_word(text[at - 1])) || (end < text.size() && is_of_word(text[end]));
    if (is_within && secret.size() < kSoughtWithinMin) {
      at = end;
      continue;
    }
    text.replace(at, secret.size(), kRedacted);
    at += kRedacted.size();
  }
}

/// Returns true for a flag whose value, a secret, is the next word: --token, but not --token=x.
bool is_flag_of_secret(std::string_view word) {
  return word.starts_with('-') && word.find('=') == std::string_view::npos &&
         word.find(' ') == std::string_view::npos && names_a_secret(word);
}

/// The end of a JSON pointer in a patch: the last name, the name before it, and the kind of value there.
struct PatchedPlace {
  std::string last = {}, map = {};  ///< `map`: the name that contains `last`
  bool is_env_value = false, is_command = false;
};

PatchedPlace place_of(std::string_view path) {
  PatchedPlace place;
  const auto pointer = document::parse_pointer(path);
  if (!pointer) return place;
  std::vector<std::string> names;
  for (const std::string& token : *pointer)
    if (token != "-" && token.find_first_not_of("0123456789") != std::string::npos) names.push_back(token);
  if (names.empty()) return place;
  place.last = names.back();
  if (names.size() < 2) return place;
  place.map = names[names.size() - 2];
  place.is_env_value = place.map == "env" && place.last == "value";
  place.is_command = is_one_of(kCommands, place.last);
  return place;
}

}  // namespace

std::string without(std::string_view text, const std::vector<std::string_view>& secrets,
                    std::string_view replacement) {
  std::string out;
  std::size_t at = 0;
  for (const std::string_view secret : secrets) {
    const auto place = static_cast<std::size_t>(secret.data() - text.data());
    out.append(text.substr(at, place - at)).append(replacement);
    at = place + secret.size();
  }
  return out.append(text.substr(at));
}

void Redaction::remember(std::string_view secret) {
  if (secret.empty() || secret == kRedacted) return;
  secrets_.insert(std::string(secret));
}

Value Redaction::hidden(std::string_view text) {
  remember(text);
  return kRedacted;
}

Value Redaction::without_tokens(const Value& value, bool is_value) {
  if (!value.is_string()) return value;
  const auto secrets = secrets_in(value.text(), is_value ? TextKind::value : TextKind::any);
  if (secrets.empty()) return value;
  for (const std::string_view secret : secrets) remember(secret);
  return without(value.text(), secrets);
}

Value Redaction::env_value(const Value& value) {
  if (options_.keeps_env || !value.is_string() || is_plain(value.text())) return value;
  return hidden(value.text());
}

/// Redacts a value of a map or a header, which is a secret if its name or its form suggests it.
Value Redaction::named(std::string_view name, const Value& value) {
  if (!value.is_string()) return walk(value, name);
  if (names_a_secret(name) && !is_plain_beside_secret(value.text())) return hidden(value.text());
  return without_tokens(value, true);
}

Value Redaction::map_of_values(const Value& map, bool is_secret) {
  if (!map.is_object()) return walk(map, "");
  std::vector<Member> members;
  for (const auto& [key, value] : map.members()) {
    if (!is_secret || !value.is_string()) {
      members.push_back({key, named(key.text(), value)});
      continue;
    }
    if (const auto decoded = document::decode_base64(value.text()); decoded) remember(*decoded);
    members.push_back({key, hidden(value.text())});
  }
  return members;
}

/// Redacts a command line word by word, since a flag may have its value in the next word.
Value Redaction::command(const Value& list) {
  std::vector<Value> out;
  bool is_secret = false;
  for (const Value& word : list.elements()) {
    if (!word.is_string()) {
      out.push_back(walk(word, ""));
      is_secret = false;
      continue;
    }
    const bool is_value = is_secret && !word.text().starts_with("--");
    is_secret = is_flag_of_secret(word.text());
    if (is_value && !is_plain_beside_secret(word.text())) {
      out.push_back(hidden(word.text()));
      continue;
    }
    const auto secrets = secrets_in(word.text(), TextKind::command);
    for (const std::string_view secret : secrets) remember(secret);
    out.push_back(secrets.empty() ? word : Value(without(word.text(), secrets)));
  }
  return out;
}

Value Redaction::walk_list(const Value& list, std::string_view name) {
  if (is_one_of(kCommands, name)) return command(list);
  std::vector<Value> out;
  for (const Value& each : list.elements()) out.push_back(walk(each, name));
  return out;
}

/// Redacts the value of a JSON Patch operation, of a condition of a script, or of a change; its path decides
/// how.
Value Redaction::patched(const Value& value, std::string_view path) {
  const PatchedPlace place = place_of(path);
  if (place.is_env_value) return env_value(value);
  if (is_one_of(kMaps, place.map)) return named(place.last, value);
  if (value.is_string() && place.is_command) return command(Value::list({value})).at(0);
  return value.is_string() ? without_tokens(value, true) : walk(value, place.last);
}

Value Redaction::walk_object(const Value& object, std::string_view name) {
  const bool is_pair = object["name"].is_string() && object["value"].is_string();
  const bool is_secret = object["kind"].text() == "Secret", is_map = object["kind"].text() == "ConfigMap";
  std::vector<Member> members;
  for (const auto& [key, member] : object.members()) {
    visible_.insert(std::string(key.text()));
    const bool is_data = key.text() == "data" || key.text() == "stringData" || key.text() == "binaryData";
    if (is_one_of(kMaps, key.text()) || (is_data && (is_secret || is_map))) {
      members.push_back({key, map_of_values(member, is_data && is_secret)});
    } else if (is_pair && key.text() == "value") {
      members.push_back(
          {key, name == "httpHeaders" ? named(object["name"].text(), member) : env_value(member)});
    } else if (key.text() == "value" && object["path"].is_string()) {
      members.push_back({key, patched(member, object["path"].text())});
    } else {
      members.push_back({key, walk(member, key.text())});
    }
  }
  return members;
}

Value Redaction::walk(const Value& value, std::string_view name) {
  if (value.is_array()) return walk_list(value, name);
  if (value.is_object())
    return is_one_of(kMaps, name) ? map_of_values(value, false) : walk_object(value, name);
  if (!value.is_string()) return value;
  Value shown = without_tokens(value, false);
  visible_.insert(std::string(shown.text()));
  return shown;
}

Value Redaction::document(const Value& value) { return walk(value, ""); }

std::string Redaction::text(std::string text) const {
  for (const std::string& secret : secrets_) {
    if (text == secret) return std::string(kRedacted);
    if (secret.size() < kSoughtMin || visible_.contains(secret)) continue;
    hide(text, secret);
  }
  return without(text, secrets_in(text, TextKind::any));
}

Value Redaction::texts(const Value& value) const {
  if (value.is_string()) return text(std::string(value.text()));
  if (value.is_array()) {
    std::vector<Value> out;
    for (const Value& each : value.elements()) out.push_back(texts(each));
    return out;
  }
  if (!value.is_object()) return value;
  std::vector<Member> out;
  for (const auto& [key, member] : value.members())
    out.push_back({text(std::string(key.text())), texts(member)});
  return out;
}

std::string Redaction::sentence(std::string text) const {
  static const std::string quoted = '"' + std::string(kRedacted) + '"';
  text = this->text(std::move(text));
  for (std::size_t at = 0; (at = text.find(quoted, at)) != std::string::npos; at += kHiddenValue.size())
    text.replace(at, quoted.size(), kHiddenValue);
  return text;
}

void Redaction::learn_evidence(const Evidence& evidence) {
  // The evidence is the value of one field, here of an env: spec.containers[0].env[0].value.
  if (evidence.path.ends_with(".value") && evidence.path.find("env[") != std::string::npos)
    learn({{"name", evidence.path}, {"value", evidence.value}});
}

void Redaction::learn(const Finding& finding) {
  learn(finding.sequence ? write_sequence(*finding.sequence) : write_case(finding.value));
  learn_evidence(finding.evidence);
}

Finding Redaction::finding(const Finding& finding) {
  Value document = write_finding(finding);
  document.set("case", this->document(document["case"]));
  const auto read = read_finding(document);
  document::check(read.ok(), "a redacted finding reads back");
  Finding out = *read;
  Evidence& evidence = out.evidence;
  learn_evidence(evidence);
  if (!evidence.value.is_string()) evidence.value = this->document(evidence.value);
  evidence.value = texts(evidence.value);
  evidence.reason = sentence(std::move(evidence.reason));
  evidence.excerpt = sentence(std::move(evidence.excerpt));
  if (out.cause) out.cause->place = text(std::move(out.cause->place));
  if (out.repair) out.repair->operation = text(std::move(out.repair->operation));
  evidence.calls = calls(std::move(evidence.calls));
  return out;
}

std::vector<TraceStep> Redaction::calls(std::vector<TraceStep> calls) const {
  for (TraceStep& call : calls) {
    call.check = text(std::move(call.check));
    for (auto* rows : {&call.effect, &call.again})
      for (std::string& row : *rows) row = text(std::move(row));
  }
  return calls;
}

Value redacted(const Value& document) { return Redaction().document(document); }
Finding redacted(const Finding& finding) { return Redaction().finding(finding); }

}  // namespace fixpoint::cases
