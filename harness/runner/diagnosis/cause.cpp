#include "harness/runner/diagnosis/cause.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "harness/cases/webhook_configuration.h"
#include "harness/properties/variants.h"
#include "harness/properties/webhook_caller.h"
#include "harness/runner/diagnosis/denial.h"
#include "harness/runner/diagnosis/failure_place.h"
#include "harness/runner/diagnosis/guard.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::runner {

namespace {

using cases::Case;
using document::Name;
using document::Value;
using properties::Violation;

bool is_probe(std::string_view member) {
  return member == "livenessProbe" || member == "readinessProbe" || member == "startupProbe";
}

/// Returns true if a list (or map) of that name, at any depth, has an element (or entry) of that key.
/// `member` identifies the elements; a key may end with `#`, which matches a number or a hash.
bool has_key(const Value& value, std::string_view list, std::string_view member, std::string_view key) {
  const auto is_it = [&](std::string_view text) {
    return key.ends_with('#') ? text.starts_with(key.substr(0, key.size() - 1)) : text == key;
  };
  const auto is_in = [&](const Value& there) {
    for (const Value& element : there.elements())
      if (is_it(member.empty() ? element.text() : element[Name(member)].text())) return true;
    return std::any_of(there.members().begin(), there.members().end(),
                       [&](const auto& entry) { return is_it(entry.key.text()); });
  };
  for (const Value& element : value.elements())
    if (has_key(element, list, member, key)) return true;
  for (const auto& entry : value.members())
    if ((entry.key.text() == list && is_in(entry.value)) || has_key(entry.value, list, member, key))
      return true;
  return false;
}

/// Returns `spec.containers[*].args[*]` for `/spec/containers/0/args/-`.
std::string dotted(std::string_view pointer) {
  std::string place;
  for (std::size_t at = 1; at <= pointer.size();) {
    const auto end = std::min(pointer.find('/', at), pointer.size());
    std::string token(pointer.substr(at, end - at));
    for (auto escape = token.find("~1"); escape != std::string::npos; escape = token.find("~1"))
      token.replace(escape, 2, "/");
    const bool is_index = token == "-" || token.find_first_not_of("0123456789") == std::string::npos;
    place = is_index ? place + "[*]" : properties::member_path(place, token);
    at = end + 1;
  }
  return place;
}

/// Returns the JSON pointer that a message quotes; empty if it quotes none.
std::string quoted_pointer(std::string_view message) {
  const auto begin = message.find("\"/");
  if (begin == std::string_view::npos) return {};
  return std::string(message.substr(begin + 1, message.find('"', begin + 1) - begin - 1));
}

class CauseQuestion {
 public:
  CauseQuestion(const Prepared& prepared, const Violation& violation, std::string symptom,
                const Limits& limits)
      : examination_(examination_of(prepared, limits)), violation_(violation), symptom_(std::move(symptom)) {
    if (const auto call = first_call_of(examination_, violation.webhook)) call_.emplace(*call);
  }

  std::string place() {
    if (symptom_ == "fails-inside")
      return place_of_failure(violation_.value.text(), examination_.value.request.object);
    if (symptom_ == "panic")
      return std::string(violation_.value.text().substr(std::string_view("panic: ").size()));
    if (symptom_ == "answers" && quoted_pointer(violation_.value.text()).empty())
      return without_digits(violation_.value.text());
    if (symptom_ == "numbers" || symptom_ == "zeros") return "Pod";
    const std::string full = full_place();
    if (!full.starts_with("spec") && !full.starts_with("metadata")) return full;
    std::vector<PlaceStep> steps = steps_of(full);
    for (std::size_t i = 1; i < steps.size(); ++i) {
      if (!steps[i].is_key || steps[i].text == "*") continue;
      steps[i].text = role_of(steps[i - 1].text, steps[i].text);
    }
    cut(steps);
    return text_of(steps);
  }

 private:
  /// Returns the place with the key of every element, the webhook's own or not.
  std::string full_place() const {
    const std::string& path = violation_.path;
    if (violation_.shape == "unknown-fields") return violation_.shape;
    if (path.starts_with('/')) return dotted(path);
    if (symptom_ == "answers") return dotted(quoted_pointer(violation_.value.text()));
    if (const Value pod = pod_with(path); !pod.is_null()) {
      const Value there = properties::at_path(pod, path);
      const bool has_grown = symptom_ == "duplicate" && there.is_array() && !there.empty();
      const std::string newest = has_grown ? "[" + std::to_string(there.size() - 1) + "]" : "";
      return properties::shape_of(path + newest, pod, pod);
    }
    if (violation_.shape.starts_with("annotations:") || violation_.shape.starts_with("labels:"))
      return "metadata." + violation_.shape.substr(0, violation_.shape.find(':'));
    // The server names some fields by a path that no Pod has. The type of its error is no part of the place.
    const std::string type = ":" + std::string(violation_.value.text());
    std::string shape = violation_.shape;
    if (symptom_ == "invalid" && shape.ends_with(type)) shape.resize(shape.size() - type.size());
    return shape.empty() ? path : shape;
  }

  /// Returns the Pod in which the path leads to the evidence; null if there is none.
  Value pod_with(const std::string& path) const {
    std::vector<Value> pods;
    for (auto call = violation_.calls.rbegin(); call != violation_.calls.rend(); ++call) {
      pods.push_back(call->result.after);
      pods.push_back(call->before);
    }
    for (auto event = examination_.admission.calls.rbegin(); event != examination_.admission.calls.rend();
         ++event)
      pods.push_back(event->result.after);
    pods.push_back(examination_.admission.object);
    pods.push_back(examination_.admission.first);
    Value any;
    for (const Value& pod : pods) {
      const Value there = pod.is_null() ? Value() : properties::at_path(pod, path);
      if (there.is_null()) continue;
      if (there == violation_.value) return pod;
      if (any.is_null()) any = pod;
    }
    return any;
  }

  /// Returns the key if the webhook also writes it when the user's things, those in the cluster and the
  /// object have other names, or looks for it; `added` if it adds an element under a name from the cluster;
  /// else `*`.
  std::string role_of(const std::string& list, const std::string& step) {
    const auto equals = step.find('=');
    const std::string member = equals == std::string::npos ? "" : step.substr(0, equals);
    const std::string key = equals == std::string::npos ? step : step.substr(equals + 1);
    if (!call_) return step;
    const Value& before = call_->event.before;
    const std::string other_key = key + "-other";
    Value other = renamed(before, key, other_key);
    // A webhook may use a name that the object does not have yet.
    other.edit("metadata").set("generateName", "another-");
    other.edit("metadata").set("name", "another-name");
    const auto adds = [&](const apiserver::CallResult& result, const std::string& name) {
      return properties::went_well(result) && has_key(result.after, list, member, name) &&
             !has_key(other, list, member, name);
    };
    if (!adds(call_with(examination_.value.cluster, other), key))
      return !is_list_of_containers(list) && looks_for(examination_, *call_, list, key) ? step : "*";
    const auto result = call_with(renamed_cluster(key, other_key), other);
    return !adds(result, key) && adds(result, other_key) ? "added" : step;
  }
  cases::Cluster renamed_cluster(const std::string& key, const std::string& other) const {
    cases::Cluster cluster = examination_.value.cluster;
    for (Value& object : cluster.objects)
      if (!cases::is_webhook_configuration(object)) object = renamed(object, key, other);
    return cluster;
  }
  apiserver::CallResult call_with(cases::Cluster cluster, const Value& pod) const {
    Case value = examination_.value;
    value.cluster = std::move(cluster);
    const properties::Examination other{.value = value,
                                        .handlers = examination_.handlers,
                                        .admission = examination_.admission,
                                        .limits = examination_.limits};
    return properties::WebhookCaller(other).call(call_->webhook, pod);
  }

  /// Shortens the place to the steps that a maintainer would name: the duplicate element, the wrong part of
  /// the webhook's own element, the field of the user's.
  void cut(std::vector<PlaceStep>& steps) const {
    if (symptom_ == "duplicate")
      while (!steps.empty() && !steps.back().is_key) steps.pop_back();
    const auto own = std::find_if(steps.begin(), steps.end(),
                                  [](const PlaceStep& step) { return step.is_key && step.text != "*"; });
    if (own == steps.end()) return;
    const auto behind = static_cast<std::size_t>(own - steps.begin()) + 1;
    // A mount is known by its volume; a variable is one of many of its kind.
    const bool is_mount =
        symptom_ == "duplicate" && behind < steps.size() && steps[behind].text == "volumeMounts";
    const std::size_t kept = symptom_ == "order" || symptom_ == "request-context" ? 0 : is_mount ? 2 : 1;
    if (steps.size() > behind + kept) steps.resize(behind + kept);
  }

  static bool has_own_key(const std::vector<PlaceStep>& steps) {
    return std::any_of(steps.begin(), steps.end(),
                       [](const PlaceStep& step) { return step.is_key && step.text != "*"; });
  }

  /// Lists of containers, and kinds of volumes and of probes, are left out: the user chooses them.
  static std::string text_of(const std::vector<PlaceStep>& steps) {
    std::string text;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const PlaceStep& step = steps[i];
      if (step.is_key) {
        text += "[" + step.text.substr(step.text.find('=') + 1) + "]";
        continue;
      }
      const bool is_users = i + 1 < steps.size() && steps[i + 1].is_key && steps[i + 1].text == "*";
      const bool is_kind_of_volume = i >= 2 && steps[i - 2].text == "volumes" && steps[i - 1].text == "*";
      if (!text.empty()) text += '.';
      text += is_users && is_list_of_containers(step.text) ? "containers"
              : is_kind_of_volume                          ? "*"
              : is_probe(step.text) && !has_own_key(steps) ? "*Probe"
                                                           : step.text;
    }
    return text;
  }

  properties::Examination examination_;
  const Violation& violation_;
  std::string symptom_;
  std::optional<properties::FirstCall> call_ = {};
};

std::string symptom_of(const properties::Property& property, const Violation& violation) {
  if (!violation.symptom.empty()) return violation.symptom;
  const bool is_about_repetition = property.symptom == "unstable" || property.symptom == "duplicate";
  if (is_about_repetition && violation.verdict == "growing") {
    // A text that grows is not an element that is added again; a duplicate name is.
    const bool is_text = violation.value.is_string() && !violation.path.ends_with(']');
    return is_text && property.name != "no-duplicate-names" ? "unstable" : "duplicate";
  }
  return std::string(property.symptom.empty() ? property.name : property.symptom);
}

/// Returns true if the Case shows the same violation with that injector behind the webhook.
bool shows_with(const Case& value, const std::string& injector, const properties::Property& property,
                const Violation& violation, const webhooks::Resolve& resolve, const Limits& limits) {
  Case other = value;
  other.webhooks.insert_or_assign(violation.webhook, cases::InjectorName{injector});
  const auto prepared = prepare(std::move(other), resolve, limits, kWithoutWarnings);
  if (!prepared) return false;
  const auto judgement = judged_by(property, examination_of(*prepared, limits));
  const auto* violated = std::get_if<properties::Violated>(&judgement);
  if (violated == nullptr) return false;
  return std::any_of(violated->violations.begin(), violated->violations.end(), [&](const Violation& one) {
    return one.webhook == violation.webhook && one.verdict == violation.verdict &&
           one.shape == violation.shape;
  });
}

std::string part_of(const Prepared& prepared, const properties::Property& property,
                    const Violation& violation, const std::string& symptom, const webhooks::Resolve& resolve,
                    const Limits& limits) {
  const auto backend = prepared.value.webhooks.find(violation.webhook);
  if (backend == prepared.value.webhooks.end()) return {};
  const auto* injector = std::get_if<cases::InjectorName>(&backend->second);
  if (injector == nullptr) return {};
  const auto family = resolve.family ? resolve.family(injector->name) : std::vector<std::string>();
  if (family.empty()) return without_release(injector->name);
  std::vector<std::string> guilty;
  for (std::size_t i = 1; i < family.size(); ++i)
    if (shows_with(prepared.value, family[i], property, violation, resolve, limits))
      guilty.push_back(family[i]);
  // Work that most steps share is done by the whole, which also decodes Pods and reads the configuration.
  const bool is_common = symptom == "newer-fields" || 2 * guilty.size() > family.size() - 1 ||
                         (guilty.size() > 1 && (symptom == "panic" || symptom == "fails-inside"));
  const bool is_guilty = std::find(guilty.begin(), guilty.end(), injector->name) != guilty.end();
  if (guilty.empty() || is_common) return without_release(family.front());
  return without_release(is_guilty ? injector->name : guilty.front());
}

/// Notes who besides the webhook has a part in a refusal. One object that fails every request does so in each
/// part: that is one cause, of the whole webhook.
void note_refusal(cases::Cause& cause, const Refusal& refusal, const Prepared& prepared,
                  const webhooks::Resolve& resolve) {
  if (refusal.word == nullptr) return;
  cause.change = std::string("refuses; ") + refusal.word;
  cause.place = refusal.word == kByDesign ? "request" : refusal.object;
  if (refusal.word != kMisconfigured) return;
  cause.symptom = "fails-inside";
  for (const auto& [webhook, backend] : prepared.value.webhooks) {
    const auto* injector = std::get_if<cases::InjectorName>(&backend);
    const bool is_part = injector != nullptr && without_release(injector->name) == cause.part;
    const auto family =
        injector != nullptr && resolve.family ? resolve.family(injector->name) : std::vector<std::string>();
    if (!family.empty() &&
        (is_part || std::ranges::find(family, cause.part, without_release) != family.end()))
      cause.part = without_release(family.front());
  }
}

}  // namespace

std::string without_digits(std::string_view message) {
  std::string text(message);
  std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
  return text;
}

cases::Cause cause_of(const Prepared& prepared, const properties::Property& property,
                      const Violation& violation, const webhooks::Resolve& resolve, const Limits& limits,
                      std::span<const Value> examples) {
  cases::Cause cause;
  cause.symptom = symptom_of(property, violation);
  cause.change = violation.change;
  cause.place = CauseQuestion(prepared, violation, cause.symptom, limits).place();
  cause.part = part_of(prepared, property, violation, cause.symptom, resolve, limits);
  const auto examination = examination_of(prepared, limits);
  if (const std::string guard = cause.symptom == "duplicate" ? guard_of(examination, violation) : "";
      !guard.empty())
    cause.change = (cause.change.empty() ? "adds; " : cause.change + "; ") + guard;
  if (cause.symptom == "duplicate" && cause.change.empty() && is_copy(examination, violation))
    cause.change = "copies";
  if (property.name == "answers" || property.name == "protocol")
    note_refusal(cause, refusal_of(examination, violation), prepared, resolve);
  if (const std::string part = contrived_part(examination, violation, cause, examples); !part.empty())
    cause.change += std::string("; ") + kOnlyIf + part;
  return cause;
}

cases::Cause cause_of(const cases::Sequence& value, std::string_view property, const Violation& violation) {
  struct Verb {
    std::string_view word, change, member;
  };
  static constexpr Verb kVerbs[] = {
      {"create", "adds", ""}, {"update", "replaces", ".spec"}, {"delete", "removes", ""}};
  const std::string place = violation.shape.substr(0, violation.shape.find('['));
  for (const auto& [word, change, member] : kVerbs)
    if (const std::string end = "." + std::string(word); place.ends_with(end))
      return {without_release(value.subject), place.substr(0, place.size() - end.size()).append(member),
              std::string(property), std::string(change)};
  return {without_release(value.subject), place, std::string(property), {}};
}

}  // namespace fixpoint::runner
