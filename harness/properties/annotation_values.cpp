#include <algorithm>
#include <optional>
#include <utility>

#include "harness/cases/webhook_configuration.h"
#include "harness/document/json.h"
#include "harness/document/lower_case.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/siblings.h"
#include "harness/properties/spellings.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallResult;

constexpr int kAnnotationCallsMax = 12;  ///< of one webhook in one Case
constexpr int kAnnotationsRead = 3;      ///< annotations with an effect that are examined in one Case
constexpr std::size_t kValueLengthMax = 200;

std::string in_quotes(std::string_view text) { return document::write_json(Value(text)); }

/// The Pod with that annotation, or without it.
Value with_annotation(Value pod, std::string_view key, const std::optional<std::string>& value) {
  Value& annotations = pod.edit("metadata").edit("annotations");
  const document::Name name(key);
  if (value)
    annotations.set(name, *value);
  else
    annotations.remove(name);
  if (annotations.empty()) pod.edit("metadata").remove("annotations");
  return pod;
}

/// Asks a webhook about the values of the annotations that it reads.
class AnnotationQuestion {
 public:
  AnnotationQuestion(const Examination& examination, const FirstCall& call,
                     std::vector<Violation>& violations, std::vector<Observation>& observations)
      : examination_(examination), call_(call), violations_(violations), observations_(observations) {}

  /// Examines the annotations of the Pod one by one; returns true if at least one has an effect.
  bool ask() {
    const Value& annotations = call_.event.before["metadata"]["annotations"];
    if (annotations.size() > 1 && !have_an_effect(annotations)) return false;
    int read = 0;
    for (const document::Member& one : annotations.members()) {
      const std::string_view value = one.value.text();
      if (read == kAnnotationsRead || calls_left_ <= 0) break;
      if (value.empty() || value.size() > kValueLengthMax) continue;
      if (ask_about(std::string(one.key.text()), std::string(value))) ++read;
    }
    return read > 0;
  }

 private:
  /// A call and the Pod that it was made with.
  struct Made {
    Value pod;
    CallResult result;
    std::string value = {};
  };

  std::optional<Made> call_with(const Value& pod, std::string value = {}) {
    if (calls_left_-- <= 0 || !is_called(examination_, call_.webhook, pod)) return {};
    CallResult result = call_afresh(examination_, call_.webhook, pod);
    if (!went_well(result) || !result.answer.warnings.empty()) return {};
    return Made{pod, std::move(result), std::move(value)};
  }
  std::optional<Made> call_with_value(const std::string& value) {
    if (value == as_sent_.value) return as_sent_;
    return call_with(with_annotation(call_.event.before, key_, value), value);
  }

  bool have_an_effect(const Value& annotations) {
    Value pod = call_.event.before;
    pod.edit("metadata").remove("annotations");
    const auto bare = call_with(pod);
    if (!bare) return true;
    Differing two = differing(call_.event.result.after, bare->result.after);
    for (auto* list : {&two.before, &two.after}) {
      std::erase_if(*list, [&](const PathValue& path_value) {
        return std::any_of(annotations.members().begin(), annotations.members().end(), [&](const auto& one) {
          return path_value.path == member_path("metadata.annotations", one.key.text());
        });
      });
    }
    return !first_difference(two).empty();
  }

  /// Returns true if two calls left the same Pod, apart from the annotation itself.
  bool is_alike(const Made& a, const Made& b) const {
    Differing two = differing(a.result.after, b.result.after);
    for (auto* list : {&two.before, &two.after})
      std::erase_if(*list, [&](const PathValue& path_value) { return path_value.path == path_; });
    return first_difference(two).empty();
  }

  /// Examines one annotation with its value as sent, absent and varied; returns true if it has an effect.
  bool ask_about(std::string key, std::string value) {
    key_ = std::move(key);
    path_ = member_path("metadata.annotations", key_);
    as_sent_ = {call_.event.before, call_.event.result, std::move(value)};
    auto absent = call_with(with_annotation(call_.event.before, key_, std::nullopt));
    if (!absent || is_alike(as_sent_, *absent)) return false;
    // The webhook wrote the annotation itself as a mark that it ran; the value is not the user's.
    if (absent->result.after["metadata"]["annotations"].find(document::Name(key_)) != nullptr) return true;
    absent_ = *std::move(absent);
    ask_siblings();
    ask_amounts();
    if (const auto words = switch_words(as_sent_.value)) {
      ask_switch(*words);
      return true;
    }
    for (const auto& group : values_alike(as_sent_.value, key_)) ask_group(group);
    ask_loose(loose_spelling(as_sent_.value));
    return true;
  }

  /// A webhook may treat everything but "true" as false; it must not treat "False" as true.
  void ask_switch(const SwitchWords& words) {
    const auto on = call_with_value(words.on), off = call_with_value(words.off);
    if (!on || !off || is_alike(*on, absent_)) return;
    const auto acts_as_on = [&](const Made& made) {
      observe("odd-spelling", made,
              "does with " + in_quotes(made.value) + " in " + path_ + " what it does with " +
                  in_quotes(words.on) + ", and not what it does without it");
    };
    if (is_alike(*on, *off)) {
      if (is_name_of_switch(key_)) take_off_for_on(*on, *off);
      return;
    }
    const auto odd = call_with_value(words.odd_off);
    if (odd && is_alike(*on, *odd)) acts_as_on(*odd);
  }
  /// The webhook looks for the annotation and not at its value.
  void take_off_for_on(const Made& on, const Made& off) {
    for (const Made* made : {&on, &off})
      if (!is_repeatable(examination_, call_.webhook, made->pod, made->result)) return;
    Violation violation{.severity = Severity::warning, .webhook = call_.webhook.key, .path = path_};
    violation.value = off.value;
    violation.shape = path_;
    violation.reason =
        "does with " + in_quotes(off.value) + " in " + path_ + " what it does with " + in_quotes(on.value);
    violation.calls = {{"with " + in_quotes(on.value), call_.webhook.key, on.pod, on.result},
                       {"with " + in_quotes(off.value), call_.webhook.key, off.pod, off.result}};
    violations_.push_back(std::move(violation));
  }

  void ask_group(const std::vector<std::string>& group) {
    std::optional<Made> first;
    for (const std::string& value : group) {
      auto made = call_with_value(value);
      if (!made || !is_alike(*made, absent_)) return;
      if (!first) first = std::move(made);
    }
    if (!first) return;
    std::string values;
    for (const std::string& value : group) values += (values.empty() ? "" : " and ") + in_quotes(value);
    observe("ignored-value", *first,
            "does with " + values + " in " + path_ + " what it does without it, and with " +
                in_quotes(as_sent_.value) + " something else: neither done, nor refused, nor warned of");
  }

  void ask_loose(const std::string& loose) {
    if (loose.empty() || misspelt_value(as_sent_)) return;
    const auto made = call_with_value(loose);
    const auto path_value = made ? misspelt_value(*made) : std::nullopt;
    if (!path_value) return;
    observe("odd-spelling", *made,
            "writes " + in_quotes(path_value->value.text()) + " to " +
                shape_of(locate(made->result.after, path_value->path), made->result.after, Value()) +
                " for " + in_quotes(made->value) + " in " + path_);
  }
  std::optional<PathValue> misspelt_value(const Made& made) const {
    for (const PathValue& path_value : added(made.pod, made.result.after)) {
      if (path_value.path != path_ && path_value.value.is_string() && is_misspelt(path_value.value.text()))
        return path_value;
    }
    return std::nullopt;
  }

  void ask_siblings() {
    const auto split = split_setting(
        {.sent = call_.event.before, .with = as_sent_.result.after, .without = absent_.result.after},
        as_sent_.value, name_of_key(key_));
    if (!split) return;
    observe("left-out", absent_,
            "writes " + in_quotes(as_sent_.value) + " of " + path_ + " to " + split->name +
                " of its container " + split->reached + " and leaves " + in_quotes(split->kept) +
                " in that of its container " + split->left_out);
  }

  /// An annotation that sets one amount of an injected container leaves the others as they are without it.
  void ask_amounts() {
    constexpr std::string_view kAmounts = ".resources.";
    const auto with = added(as_sent_.pod, as_sent_.result.after),
               without = added(absent_.pod, absent_.result.after);
    for (const PathValue& set : with) {
      const auto at = set.path.find(kAmounts);
      if (at == std::string::npos || set.value.text() != as_sent_.value) continue;
      const std::string amounts = set.path.substr(0, at + kAmounts.size());
      for (const PathValue& one : without) {
        if (!one.path.starts_with(amounts) || find(with, one.path) != nullptr) continue;
        return observe("drops-amounts", absent_,
                       "drops " + one.path.substr(at + 1) + " " + one.text() + " of its container where " +
                           in_quotes(as_sent_.value) + " in " + path_ + " sets " + set.path.substr(at + 1));
      }
    }
  }

  /// Observes nothing if the webhook answers the same request in two ways.
  void observe(std::string kind, const Made& other, std::string reason) {
    for (const Made* made : {&std::as_const(as_sent_), &other}) {
      if (!is_repeatable(examination_, call_.webhook, made->pod, made->result)) return;
    }
    observations_.push_back(
        {.kind = std::move(kind), .webhook = call_.webhook.key, .path = path_, .reason = std::move(reason)});
  }

  const Examination& examination_;
  const FirstCall& call_;
  std::vector<Violation>& violations_;
  std::vector<Observation>& observations_;
  int calls_left_ = kAnnotationCallsMax;
  std::string key_, path_;  ///< of the annotation that is asked about
  Made as_sent_, absent_;   ///< the webhook's first call, and one without the annotation
};

Judgement annotation_values(const Examination& examination) {
  const auto calls = first_calls(examination);
  if (calls.empty()) return not_applicable("no webhook was called");
  std::vector<Violation> violations;
  std::vector<Observation> observations;
  bool asked = false;
  for (const FirstCall& call : calls) {
    if (!call.webhook.is_subject) continue;
    if (AnnotationQuestion(examination, call, violations, observations).ask()) asked = true;
  }
  if (!asked) return not_applicable("no annotation of the Pod has an effect");
  return judged(std::move(violations), std::move(observations));
}

}  // namespace

extern constinit const Property kAnnotationValues = {
    .name = "annotation-values",
    .claim = "An annotation's value does what it says in every legal spelling, or is refused.",
    .is_cheap = false,
    .ask = annotation_values,
    .takes_any_kind = true,
    .explanation = {.example = "\"False\" switches the injection on, and the level \"DEBUG\" does nothing.",
                    .matters = "The user asked for something, got something else, and got no message.",
                    .fix = "Parse values with a library, and refuse or warn of what is not understood."},
};

}  // namespace fixpoint::properties
