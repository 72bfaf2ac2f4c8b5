#include <algorithm>

#include "harness/document/json.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/refused_values.h"
#include "harness/properties/validity.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallError;
using apiserver::CallResult;

constexpr std::size_t kAnnotationsMax = 4;  ///< of one Pod that are asked about
constexpr const char* kOwnKey = "fixpoint.example.io/text";
constexpr std::string_view kPlain = "fixpoint-plain";
/// Quotes, backslashes, a newline, a control character, a non-BMP character, and the syntax of templates.
constexpr std::string_view kTrying =
    "say \"hi\" 'there' \\n\\\\ \n\x01\xF0\x9F\x9A\x80 {{ .Values }} ${X:-y} $(date) %s </a>&";
/// The same without the syntax of templates.
constexpr std::string_view kQuoting = "say \"hi\" 'there' \\n\\\\ \n\x01\xF0\x9F\x9A\x80 </a>&";

std::string with_text(std::string_view plain, std::string_view other) {
  std::string text(plain);
  for (auto at = text.find(kPlain); at != std::string::npos; at = text.find(kPlain, at + other.size())) {
    text.replace(at, kPlain.size(), other);
  }
  return text;
}

void put_text(Value& value, std::string_view other) {
  if (value.is_string()) value = with_text(value.text(), other);
  for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) put_text(value.edit(i), other);
  if (!value.is_object()) return;
  for (auto& member : value.edit_members()) put_text(member.value, other);
}

/// Returns true if `got` is the result `plain` with the other text in it: as it is; with $ for Kubernetes,
/// where $$ means $; or inside a JSON document, in any valid escaping.
bool says_the_same(std::string_view plain, std::string_view got, std::string_view other) {
  const std::string wanted = with_text(plain, other);
  if (got == wanted) return true;
  std::string once;
  for (std::size_t i = 0; i < got.size(); ++i) {
    once += got[i];
    if (got.substr(i).starts_with("$$")) ++i;
  }
  if (once == wanted) return true;
  auto before = document::read_json(plain);
  const auto after = document::read_json(got);
  if (!before || !after || !(before->is_object() || before->is_array())) return false;
  put_text(*before, other);
  return *before == *after;
}

class TextQuestion {
 public:
  TextQuestion(const Examination& examination, const FirstCall& call, std::vector<Violation>& violations,
               std::vector<Observation>& observations)
      : examination_(examination), call_(call), violations_(violations), observations_(observations) {}

  void ask() {
    const Value& annotations = call_.event.before["metadata"]["annotations"];
    std::vector<std::string_view> keys, ignored;
    for (const auto& member : annotations.members().first(std::min(annotations.size(), kAnnotationsMax)))
      keys.push_back(member.key.text());
    keys.emplace_back(kOwnKey);
    if (are_ignored(keys)) return;
    for (std::string_view key : keys) ask_annotation(key, ignored);
    if (ignored.size() == keys.size() || are_ignored(ignored)) return;
    for (std::string_view key : ignored) try_alone(key, call_with({key}, kPlain));
  }

 private:
  static void annotate(Value& pod, const std::vector<std::string_view>& keys, std::string_view text) {
    Value& annotations = pod.edit("metadata").edit("annotations");
    for (std::string_view key : keys) annotations.set(key, text);
  }
  Value annotated(const std::vector<std::string_view>& keys, std::string_view text) const {
    Value pod = call_.event.before;
    annotate(pod, keys, text);
    return pod;
  }
  CallResult call_with(const std::vector<std::string_view>& keys, std::string_view text) const {
    return call_afresh(examination_, call_.webhook, annotated(keys, text));
  }
  /// Returns true if the call left the same Pod as the first one, except for the texts of these annotations.
  bool is_as_ever(const CallResult& result, const std::vector<std::string_view>& keys,
                  std::string_view text) const {
    Value wanted = call_.event.result.after;
    annotate(wanted, keys, text);
    return result.after == wanted;
  }

  /// An annotation that a call with a plain text shows to be ignored is tried later, together with the
  /// others.
  void ask_annotation(std::string_view key, std::vector<std::string_view>& ignored) {
    const CallResult reference = call_with({key}, kPlain);
    if (!went_well(reference)) return;
    if (is_as_ever(reference, {key}, kPlain)) return ignored.push_back(key);
    try_alone(key, reference);
  }
  bool are_ignored(const std::vector<std::string_view>& keys) const {
    if (keys.empty()) return true;
    const CallResult result = call_with(keys, kTrying);
    return went_well(result) && is_as_ever(result, keys, kTrying);
  }

  void try_alone(std::string_view key, const CallResult& reference) {
    const CallResult result = call_with({key}, kTrying);
    if (result.error == CallError::denied) return;  // nobody must accept every value
    const std::string path = went_well(result) ? spoiled(reference, result, kTrying) : "metadata.annotations";
    if (path.empty()) return try_to_store(key, reference, result);
    const CallResult quoted = call_with({key}, kQuoting);
    if (went_well(quoted) && spoiled(reference, quoted, kQuoting).empty()) return observe(key);
    if (!went_well(result)) return report(key, "a call fails", result);
    const std::string place = locate(result.after, path);
    if (is_split(result, place)) return observe(key);
    report(key, place + " gets it as another text", result);
  }

  /// Returns true if each word of the text stands for itself in the list: the webhook splits it at blanks.
  static bool is_split(const CallResult& result, const std::string& path) {
    const auto list = at_path(result.after, path.substr(0, path.rfind('['))).elements();
    std::size_t words = 0, found = 0;
    auto at = list.begin();
    for (std::string_view rest = kTrying; !rest.empty();) {
      const auto end = std::min(rest.find_first_of(" \n"), rest.size());
      const std::string_view word = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (word.empty()) continue;
      ++words;
      at = std::find_if(at, list.end(), [&](const Value& one) { return one.text() == word; });
      found += at != list.end() ? 1 : 0;
    }
    return found == words;
  }

  /// Returns the first path that gets the text otherwise than it was sent; empty if there is none.
  static std::string spoiled(const CallResult& reference, const CallResult& result, std::string_view text) {
    const auto [wanted, path_values] = differing(reference.after, result.after);
    for (const PathValue& path_value : wanted) {
      if (path_value.value.text().find(kPlain) == std::string_view::npos) continue;
      const PathValue* there = find(path_values, path_value.path);
      if (there == nullptr || says_the_same(path_value.value.text(), there->value.text(), text)) continue;
      if (path_value.path.starts_with("metadata.labels")) continue;  // not every text can be a label's
      return path_value.path;
    }
    return {};
  }

  /// A webhook that fills in templates does so on purpose: without their syntax the text comes through.
  void observe(std::string_view key) {
    const std::string path = member_path("metadata.annotations", key);
    observations_.push_back({.kind = "rewrites",
                             .webhook = call_.webhook.key,
                             .path = path,
                             .reason = "fills in the template in " + path});
  }

  /// Checks a text that is legal in an annotation but not elsewhere, as in a label's value or a part of a
  /// name. A webhook that copies it unchanged to a field of the spec leaves that field's value to the user.
  void try_to_store(std::string_view key, const CallResult& reference, const CallResult& result) {
    if (result.after == reference.after || !errors_of(examination_, reference.after).empty()) return;
    auto errors = errors_of(examination_, result.after);
    std::erase_if(errors, [&](const cases::FieldError& error) {
      return is_refused_as_it_is(result.after, error, kTrying);
    });
    if (errors.empty()) return;
    report(key, errors.front().field + " is refused (" + errors.front().message + ")", result);
  }

  void report(std::string_view key, const std::string& how, const CallResult& result) {
    Violation violation{.webhook = call_.webhook.key};
    violation.path = "metadata.annotations[" + std::string(key) + "]";
    violation.value = result.problem;
    violation.shape = key == kOwnKey ? "any-annotation" : violation.path;
    violation.reason = how + " when " + violation.path + " holds quotes, backslashes or template syntax";
    violation.calls = {{"with such a text", call_.webhook.key, annotated({key}, kTrying), result}};
    violations_.push_back(std::move(violation));
  }

  const Examination& examination_;
  const FirstCall& call_;
  std::vector<Violation>& violations_;
  std::vector<Observation>& observations_;
};

Judgement text_survives(const Examination& examination) {
  if (first_calls(examination).empty()) return not_reached("no webhook was called");
  std::vector<Violation> violations;
  std::vector<Observation> observations;
  for (const FirstCall& call : effective_calls(examination))
    TextQuestion(examination, call, violations, observations).ask();
  return judged(std::move(violations), std::move(observations));
}

}  // namespace

extern constinit const Property kTextSurvives = {
    .name = "text-survives",
    .claim = "Quotes, backslashes, newlines and template syntax in values come through.",
    .is_cheap = false,
    .ask = text_survives,
    .takes_any_kind = true,
    .explanation = {.example = "An annotation is pasted into a JSON template, and its quote ends the string.",
                    .matters =
                        "One user's value makes creation fail, or writes a patch of the user's choice.",
                    .fix = "Encode values with a JSON library."},
};

}  // namespace fixpoint::properties
