#include "harness/properties/refused_values.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <string>
#include <vector>

#include "harness/document/json.h"
#include "harness/properties/validity.h"
#include "harness/properties/variants.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallEvent;
using cases::FieldError;

constexpr const char* kOtherValue = "1a";

std::string text_of(const Value& value) {
  if (value.is_string()) return std::string(value.text());
  return value.is_number() || value.is_boolean() ? document::write_json(value) : "";
}

bool has_scalar(const Value& value, const std::string& text) {
  const auto members = value.members();
  const auto elements = value.elements();
  return text_of(value) == text ||
         std::any_of(
             members.begin(), members.end(),
             [&](const auto& one) { return one.key.text() == text || has_scalar(one.value, text); }) ||
         std::any_of(elements.begin(), elements.end(),
                     [&](const Value& one) { return has_scalar(one, text); });
}

void add_texts(const Value& value, std::vector<std::string>& texts) {
  if (const std::string text = text_of(value); !text.empty()) texts.push_back(text);
  for (const auto& one : value.members()) add_texts(one.value, texts);
  for (const Value& one : value.elements()) add_texts(one, texts);
}

/// Returns the texts that the error is about: a value, or all in a map or a list. Fields of the Pod that
/// share namespaces with the host are reported in its securityContext, although they are not there
/// (ValidatePodSpec).
std::vector<std::string> refused_texts(const Value& pod, const std::string& field) {
  constexpr std::string_view kReported = "spec.securityContext.";
  Value refused = at_path(pod, field);
  if (refused.is_null() && field.starts_with(kReported))
    refused = at_path(pod, "spec." + field.substr(kReported.size()));
  std::vector<std::string> texts;
  add_texts(refused, texts);
  // The limit that a request exceeds may be another setting's value.
  constexpr std::string_view kRequests = ".resources.requests";
  if (const auto at = field.find(kRequests); at != std::string::npos)
    add_texts(at_path(pod, field.substr(0, at) + ".resources.limits"), texts);
  return texts;
}

/// Returns true if a setting's value is that text, or has it as a part between separators or in JSON.
bool brings(std::string_view setting, const std::string& text) {
  if (setting == text) return true;
  constexpr std::string_view kSeparators = ",;:=/@| \t\n";
  for (std::size_t at = 0; at < setting.size();) {
    const auto end = std::min(setting.find_first_of(kSeparators, at), setting.size());
    if (setting.substr(at, end - at) == text) return true;
    at = end + 1;
  }
  const auto read = document::read_json(setting);
  return read.ok() && has_scalar(*read, text);
}

/// Returns another text of the same form: with another last letter or digit.
std::string neighbour_of(std::string text) {
  const auto last =
      std::find_if(text.rbegin(), text.rend(), [](unsigned char c) { return std::isalnum(c) != 0; });
  if (last == text.rend()) return text + "1";
  *last = static_cast<char>(*last == '9' || *last == 'z' || *last == 'Z' ? *last - 1 : *last + 1);
  return text;
}

/// A label or an annotation of the Pod.
struct Setting {
  const char* map;
  std::string key;
};

std::vector<Setting> settings_with(const Value& pod, const std::vector<std::string>& texts) {
  std::vector<Setting> settings;
  for (const char* map : {"annotations", "labels"}) {
    for (const auto& one : pod["metadata"][document::Name(map)].members())
      if (std::any_of(texts.begin(), texts.end(),
                      [&](const std::string& text) { return brings(one.value.text(), text); }))
        settings.push_back({map, std::string(one.key.text())});
  }
  return settings;
}

/// Returns the number of similar errors: of one type, about the same values, at places that differ in indices
/// only. Names are not compared: the setting may also decide which of them a webhook writes.
std::ptrdiff_t errors_alike(const std::vector<FieldError>& errors, const Value& pod, const FieldError& error,
                            const Value& pod_of_error) {
  const std::string shape = shape_of(error.field, pod_of_error, Value());
  const auto refused = refused_texts(pod_of_error, error.field);
  return std::count_if(errors.begin(), errors.end(), [&](const FieldError& one) {
    return one.type == error.type && shape_of(one.field, pod, Value()) == shape &&
           refused_texts(pod, one.field) == refused;
  });
}

/// Returns true if the error comes with the values of these settings and not with others.
bool comes_from(std::span<const Setting> settings, const Examination& examination, const CallEvent& event,
                const FieldError& error) {
  const auto& webhook = examination.admission.webhooks[static_cast<std::size_t>(event.index)];
  Value pod = event.before;
  for (const Setting& setting : settings)
    pod.edit("metadata").edit(document::Name(setting.map)).set(document::Name(setting.key), kOtherValue);
  if (!is_called(examination, webhook, pod)) return true;
  const apiserver::CallResult result = call_afresh(examination, webhook, pod);
  if (!went_well(result)) return true;
  const Value& after = event.result.after;
  return errors_alike(errors_of(examination, result.after), result.after, error, after) <
         errors_alike(errors_of(examination, after), after, error, after);
}

/// Returns true if a text of the setting's value is what is refused: with another text in its place, that one
/// stands in the Pod. A setting that only switches something on has no part in the refused value.
bool flows(const Setting& setting, const Examination& examination, const CallEvent& event,
           const std::vector<std::string>& texts) {
  const auto& webhook = examination.admission.webhooks[static_cast<std::size_t>(event.index)];
  const document::Name map(setting.map), key(setting.key);
  const std::string value(event.before["metadata"][map][key].text());
  return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
    const auto at = value.find(text);
    if (!brings(value, text) || at == std::string::npos) return false;
    const std::string other = neighbour_of(text);
    Value pod = event.before;
    pod.edit("metadata").edit(map).set(key, std::string(value).replace(at, text.size(), other));
    if (has_scalar(pod["spec"], other) || !is_called(examination, webhook, pod)) return false;
    const apiserver::CallResult result = call_afresh(examination, webhook, pod);
    return went_well(result) && has_scalar(result.after["spec"], other);
  });
}

}  // namespace

bool is_number_out_of_range(const Value& pod, const FieldError& error) {
  return error.type == "FieldValueInvalid" && at_path(pod, error.field).is_number();
}

bool is_refused_as_it_is(const Value& pod, const FieldError& error, std::string_view text) {
  const auto texts = refused_texts(pod, error.field);
  return error.field.starts_with("spec.") && std::find(texts.begin(), texts.end(), text) != texts.end();
}

std::optional<Observation> refused_value(const Examination& examination, const CallEvent& event,
                                         const FieldError& error) {
  if (!error.field.starts_with("spec.")) return {};
  const auto texts = refused_texts(event.result.after, error.field);
  auto settings = settings_with(event.before, texts);
  std::erase_if(settings, [&](const Setting& one) { return !flows(one, examination, event, texts); });
  if (settings.empty() || (!symptom_of(error).empty() && settings.size() < 2)) return {};
  // All settings are tried at once first, since many unrelated ones may have the same value.
  if (!comes_from(settings, examination, event, error)) return {};
  const auto found = std::find_if(settings.begin(), settings.end(), [&](const Setting& one) {
    return comes_from({&one, 1}, examination, event, error);
  });
  const Setting& setting = found == settings.end() ? settings.front() : *found;
  const std::string path = member_path(std::string("metadata.") + setting.map, setting.key);
  const Value& value = event.before["metadata"][document::Name(setting.map)][document::Name(setting.key)];
  return Observation{.kind = "refused-value",
                     .webhook = examination.admission.webhooks[static_cast<std::size_t>(event.index)].key,
                     .path = path,
                     .reason = "writes " + document::write_json(value) + " of " + path + " to " +
                               shape_of(error.field, event.result.after, event.result) +
                               " without a check, and the API server refuses it (" +
                               (error.message.empty() ? error.type : error.message) + ")"};
}

}  // namespace fixpoint::properties
