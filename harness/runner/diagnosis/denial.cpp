#include "harness/runner/diagnosis/denial.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "harness/cases/webhook_configuration.h"
#include "harness/document/lower_case.h"
#include "harness/properties/variants.h"
#include "harness/properties/webhook_caller.h"
#include "harness/runner/diagnosis/guard.h"
#include "harness/runner/learning/message_words.h"
#include "harness/runner/own_key.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::runner {

namespace {

using document::Value;

/// Returns true if the message has the text as whole words, a short one in quotation marks.
bool names(std::string_view message, std::string_view text) {
  if (text.empty()) return false;
  return text.size() < kShortestNamed ? is_quoted_in(message, text)
                                      : find_word(message, text) != std::string_view::npos;
}

/// Returns true for a number with a unit or without, such as 10k, 1.5Gi, 30s, 1h30m, and for the words of a
/// switch.
bool is_legal_everywhere(std::string_view value) {
  static constexpr auto kSwitches =
      std::to_array<std::string_view>({"true", "false", "yes", "no", "on", "off", "enabled", "disabled"});
  const std::string lower = document::lower_case(value);
  if (std::ranges::find(kSwitches, lower) != kSwitches.end()) return true;
  constexpr std::size_t kLongestUnit = 2;
  std::size_t letters = 0;
  bool has_digit = false;
  for (const char c : value) {
    const bool is_letter = std::isalpha(static_cast<unsigned char>(c)) != 0;
    has_digit = has_digit || std::isdigit(static_cast<unsigned char>(c)) != 0;
    letters = is_letter ? letters + 1 : 0;
    if ((is_letter && !has_digit) || letters > kLongestUnit) return false;
    if (!is_letter && std::isdigit(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '+' && c != '-')
      return false;
  }
  return has_digit;
}

/// Words of messages that say what is lacking, or what stands in the way.
constexpr auto kSaysWhatIsWrong = std::to_array<std::string_view>(
    {"not found",         "cannot find",         "can not find",     "can't find",       "wasn't found",
     "couldn't find",     "unable to find",      "found with name",  "is missing",       "is required",
     "requires",          "unable to determine", "must be one of",   "already used",     "already exists",
     "already has",       "not provided",        " provided",        "been initialized", "not initialized",
     "not ready",         "not supported",       "does not support", "does not have",    "must be set",
     "must be specified", "not specified"});
/// Words of messages that say what is lacking, unless a runtime says so of a call.
constexpr std::string_view kMissing = "missing ", kMissingArgument = "required positional argument";

/// Returns true if a value of a label or an annotation stands in the message that every webhook must read.
bool names_legal_value(const Value& object, std::string_view message) {
  for (const char* map : {"annotations", "labels"})
    for (const auto& one : object["metadata"][document::Name(map)].members())
      if (is_legal_everywhere(one.value.text()) && message.find(one.value.text()) != std::string_view::npos)
        return true;
  return false;
}

/// Returns true if a list of containers has that message's last word as a name: what the object has is not
/// lacking.
bool has_container(const Value& object, std::string_view message) {
  for (const char* list : {"containers", "initContainers"})
    for (const Value& one : object["spec"][document::Name(list)].elements())
      if (names(message, one["name"].text())) return true;
  return false;
}

/// Returns why the webhook fails to answer; empty if it answers.
std::string failure_of(const apiserver::CallResult& result) {
  if (properties::went_well(result)) return {};
  return result.error == apiserver::CallError::denied ? result.answer.status.message : result.problem;
}

/// Calls the webhook of a refusal again, in other clusters and with other objects.
class RefusalQuestion {
 public:
  RefusalQuestion(const properties::Examination& examination, const apiserver::CallEvent& event)
      : examination_(examination),
        event_(event),
        webhook_(examination.admission.webhooks[static_cast<std::size_t>(event.index)]),
        message_(failure_of(event.result)) {}

  const std::string& message() const { return message_; }
  const Value& object() const { return event_.before; }

  /// Returns true if the plainest object that the webhook is called for is refused alike, and not for a label
  /// without which it may not be called.
  bool fails_all() const {
    Value plain = event_.before;
    if (!plain["spec"]["containers"].is_array()) return false;
    for (const auto& label : plain["metadata"]["labels"].members())
      if (names(message_, label.value.text())) return false;
    plain.edit("metadata").remove("annotations");
    plain.set("spec", {{"containers", Value::list({{{"name", "app"}, {"image", "app"}}})}});
    return properties::is_called(examination_, webhook_, plain) &&
           failure_in(examination_.value.cluster, plain) == message_;
  }

  /// Returns an object of the cluster that `is_it` takes and without which the answer is another.
  template <class Takes>
  const Value* needed_object(const Takes& is_it) const {
    const auto& objects = examination_.value.cluster.objects;
    for (std::size_t i = 0; i < objects.size(); ++i) {
      if (cases::is_webhook_configuration(objects[i]) || !is_it(objects[i])) continue;
      cases::Cluster less = examination_.value.cluster;
      less.objects.erase(less.objects.begin() + static_cast<std::ptrdiff_t>(i));
      if (failure_in(std::move(less), event_.before) != message_) return &objects[i];
    }
    return nullptr;
  }

  /// Returns true if the webhook refuses an empty one instead of that Secret for another reason: it reads
  /// what stands in it, and says what is wrong.
  bool demands_content() const {
    for (std::size_t i = 0; i < examination_.value.cluster.objects.size(); ++i) {
      if (examination_.value.cluster.objects[i]["kind"].text() != "Secret") continue;
      cases::Cluster empty = examination_.value.cluster;
      empty.objects[i].remove("data");
      empty.objects[i].remove("stringData");
      const std::string other = failure_in(std::move(empty), event_.before);
      if (!other.empty() && other != message_) return true;
    }
    return false;
  }

  /// Returns true if the message has a word of a ConfigMap: with another word there it has that one.
  bool repeats_configured_word() const {
    for (std::size_t begin = 0; begin < message_.size();) {
      const auto end = std::min(message_.find_first_of(" \"'():,;[]{}", begin), message_.size());
      const std::string word = message_.substr(begin, end - begin);
      begin = end + 1;
      if (word.size() < kShortestNamed || is_legal_everywhere(word)) continue;
      cases::Cluster other = examination_.value.cluster;
      const std::string instead = word + "-other";
      if (!replace_in_config_maps(other, word, instead)) continue;
      if (failure_in(std::move(other), event_.before).find(instead) != std::string::npos) return true;
    }
    return false;
  }

 private:
  static bool replace_in_config_maps(cases::Cluster& cluster, const std::string& word,
                                     const std::string& instead) {
    bool is_there = false;
    for (Value& object : cluster.objects) {
      if (object["kind"].text() != "ConfigMap") continue;
      Value data = Value::empty_object();
      for (const auto& member : object["data"].members()) {
        std::string text(member.value.text());
        for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + instead.size())) {
          text.replace(at, word.size(), instead);
          is_there = true;
        }
        data.set(member.key.name(), std::move(text));
      }
      object.set("data", std::move(data));
    }
    return is_there;
  }
  std::string failure_in(cases::Cluster cluster, const Value& object) const {
    cases::Case value = examination_.value;
    value.cluster = std::move(cluster);
    const properties::Examination other{.value = value,
                                        .handlers = examination_.handlers,
                                        .admission = examination_.admission,
                                        .limits = examination_.limits};
    return failure_of(properties::WebhookCaller(other).call(webhook_, object));
  }

  const properties::Examination& examination_;
  const apiserver::CallEvent& event_;
  const apiserver::ConfiguredWebhook& webhook_;
  std::string message_;
};

/// Returns "ConfigMap kserve/inferenceservice-config".
std::string words_of_object(const Value& object) {
  const Value& metadata = object["metadata"];
  std::string title = std::string(object["kind"].text()) + " ";
  if (!metadata["namespace"].text().empty()) title += std::string(metadata["namespace"].text()) + "/";
  return title + std::string(metadata["name"].text());
}

/// Returns true for an object of a kind that a definition made, as everybody may write one.
bool is_custom(const Value& object) {
  const std::string_view version = object["apiVersion"].text();
  const std::string_view group = version.substr(0, version.find('/'));
  return group.size() < version.size() && group.find('.') != std::string_view::npos &&
         !group.ends_with(".k8s.io");
}

/// Returns true if a message names something that the object refers to; containers, which it has, aside.
bool names_reference(const Value& value, std::string_view message) {
  if (value.is_string()) return names(message, value.text());
  if (std::ranges::any_of(value.elements(), [&](const Value& one) { return names_reference(one, message); }))
    return true;
  return std::ranges::any_of(value.members(), [&](const auto& member) {
    if (!is_list_of_containers(member.key.text())) return names_reference(member.value, message);
    const auto elements = member.value.elements();
    return std::ranges::any_of(elements, [&](Value one) {
      one.remove("name");
      one.remove("image");
      return names_reference(one, message);
    });
  });
}

}  // namespace

bool is_refusal_by_design(const Value& object, std::string_view message) {
  for (const char* map : {"annotations", "labels"})
    for (const auto& one : object["metadata"][document::Name(map)].members())
      if ((names(message, one.key.text()) || names(message, one.value.text())) &&
          !is_legal_everywhere(one.value.text()))
        return true;
  if (message.find("not found") != std::string_view::npos && names_reference(object, message)) return true;
  const auto says = [&](std::string_view text) { return message.find(text) != std::string_view::npos; };
  return !names_legal_value(object, message) && !has_container(object, message) &&
         (std::ranges::any_of(kSaysWhatIsWrong, says) || (says(kMissing) && !says(kMissingArgument)));
}

Refusal refusal_of(const properties::Examination& examination, const properties::Violation& violation) {
  const auto& calls = examination.admission.calls;
  const auto event = std::ranges::find_if(calls, [&](const apiserver::CallEvent& call) {
    const auto& webhook = examination.admission.webhooks[static_cast<std::size_t>(call.index)];
    return webhook.key == violation.webhook && !properties::went_well(call.result);
  });
  if (event == calls.end()) return {};
  const RefusalQuestion question(examination, *event);
  const bool is_denial = violation.symptom == "fails-inside";
  Value said_by_user = question.object();
  for (const char* member : {"name", "generateName", "namespace"})
    said_by_user.edit("metadata").remove(member);
  const auto is_strangers = [&](const Value& object) {
    return is_custom(object) && !names_reference(said_by_user, object["metadata"]["name"].text());
  };
  if (question.fails_all()) {
    // A definition makes the object one of its kind, whatever is wrong with that.
    const Value* object = question.needed_object(
        [](const Value& one) { return one["kind"].text() != "CustomResourceDefinition"; });
    return object == nullptr ? Refusal{} : Refusal{kMisconfigured, words_of_object(*object)};
  }
  if (const Value* object = question.needed_object(is_strangers))
    return {kOfStranger, std::string((*object)["kind"].text())};
  if (!is_denial) return {};
  const bool names_object = std::ranges::any_of(examination.value.cluster.objects, [&](const Value& object) {
    const Value& metadata = object["metadata"];
    const auto keys = metadata["annotations"].members();
    return (names(question.message(), metadata["name"].text()) &&
            names_reference(said_by_user, metadata["name"].text())) ||
           std::ranges::any_of(keys,
                               [&](const auto& one) { return names(question.message(), one.key.text()); });
  });
  const bool is_by_design = names_object || is_refusal_by_design(question.object(), question.message()) ||
                            question.demands_content() || question.repeats_configured_word();
  return is_by_design ? Refusal{kByDesign, {}} : Refusal{};
}

}  // namespace fixpoint::runner
