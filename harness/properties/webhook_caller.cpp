#include "harness/properties/webhook_caller.h"

#include <algorithm>
#include <charconv>

#include "harness/apiserver/decoding/server_status.h"
#include "harness/cases/faults.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/cut.h"
#include "harness/properties/acted.h"
#include "harness/properties/validity.h"

namespace fixpoint::properties {

using apiserver::CallResult;
using apiserver::ConfiguredWebhook;

const CallResult* CallMemory::find(const ConfiguredWebhook& webhook, const Value& pod, int number) const {
  const auto found = std::find_if(entries_.rbegin(), entries_.rend(), [&](const Entry& entry) {
    return entry.pod.same(pod) && entry.webhook == webhook.index && entry.number == number &&
           entry.review_version == webhook.review_version;
  });
  return found == entries_.rend() ? nullptr : &found->result;
}

void CallMemory::keep(const ConfiguredWebhook& webhook, const Value& pod, int number,
                      const CallResult& call_result) {
  entries_.push_back({webhook.index, number, webhook.review_version, pod, call_result});
}

void CallMemory::keep_all(const apiserver::Admission& admission) {
  const Value& name = admission.first["metadata"]["name"];
  for (const apiserver::CallEvent& event : admission.calls) {
    // A request names its object as the user sent it, a direct call as it is now.
    if (!event.result.called || event.result.timed_out || !(event.before["metadata"]["name"] == name))
      continue;
    keep(admission.webhooks[static_cast<std::size_t>(event.index)], event.before, event.number, event.result);
  }
}

CallResult WebhookCaller::call(const ConfiguredWebhook& webhook, const Value& pod) {
  if (examination_.memory == nullptr) return call(webhook, pod, examination_.value.request);
  const int number = numbers_[webhook.key] + 1;
  if (const CallResult* known = examination_.memory->find(webhook, pod, number)) {
    skip(webhook);
    note_call(examination_, webhook, pod, *known);
    return *known;
  }
  CallResult call_result = call(webhook, pod, examination_.value.request);
  examination_.memory->keep(webhook, pod, number, call_result);
  return call_result;
}

CallResult WebhookCaller::call(const ConfiguredWebhook& webhook, const Value& pod,
                               const cases::Request& request) {
  const auto handler = examination_.handlers.find(webhook.key);
  document::check(handler != examination_.handlers.end(), "every configured webhook has a handler");
  CallResult call_result = call_webhook(webhook, handler->second,
                                        {.request = request,
                                         .cluster = examination_.value.cluster,
                                         .object = pod,
                                         .number = ++numbers_[webhook.key],
                                         .minor = apiserver::minor_of(examination_.value.cluster),
                                         .name = pod["metadata"]["name"].text()},
                                        examination_.limits);
  note_call(examination_, webhook, pod, call_result);
  return call_result;
}

void note_call(const Examination& examination, const ConfiguredWebhook& webhook, const Value& before,
               const CallResult& result) {
  if (examination.own_calls != nullptr)
    examination.own_calls->push_back({.webhook = webhook.key, .before = before, .result = result});
  bool* const acted = examination.has_acted;
  if (acted == nullptr || *acted) return;
  *acted = webhook.is_subject && has_acted(before, result);
}

WebhookCaller WebhookCaller::after_admission(const Examination& examination) {
  WebhookCaller caller(examination);
  for (const apiserver::CallEvent& event : examination.admission.calls) {
    if (event.result.called) {
      ++caller.numbers_[examination.admission.webhooks[static_cast<std::size_t>(event.index)].key];
    }
  }
  return caller;
}

bool is_faulted(const cases::Case& value, std::string_view webhook, int number) {
  return std::any_of(value.faults.begin(), value.faults.end(), [&](const cases::Fault& fault) {
    return fault.webhook == webhook && (!fault.call || *fault.call == number);
  });
}

bool is_disturbed(const Examination& examination, const apiserver::CallEvent& event) {
  const auto& webhook = examination.admission.webhooks[static_cast<std::size_t>(event.index)].key;
  return is_faulted(examination.value, webhook, event.number);
}

bool is_answer_disturbed(const Examination& examination, const apiserver::CallEvent& event) {
  const auto& webhook = examination.admission.webhooks[static_cast<std::size_t>(event.index)].key;
  const auto& faults = examination.value.faults;
  return std::any_of(faults.begin(), faults.end(), [&](const cases::Fault& fault) {
    return fault.webhook == webhook && (!fault.call || *fault.call == event.number) &&
           !cases::is_read_fault(fault.fault);
  });
}

std::vector<FirstCall> first_calls(const Examination& examination) {
  std::vector<FirstCall> calls;
  for (const apiserver::CallEvent& event : examination.admission.calls) {
    if (event.pass != 1 || !event.result.called || event.result.error != apiserver::CallError::none) continue;
    if (is_disturbed(examination, event)) continue;
    const ConfiguredWebhook& webhook = examination.admission.webhooks[static_cast<std::size_t>(event.index)];
    // The server merges what a policy says, and of elements with one name it keeps one.
    if (webhook.is_policy && !is_storable(examination.value, event.before)) continue;
    calls.push_back({webhook, event});
  }
  return calls;
}

std::string member_path(const std::string& path, std::string_view name) {
  document::heed_end_in_loop();
  if (path.empty()) return std::string(name);
  if (name.find_first_of(".[]/") == std::string_view::npos) return path + "." + std::string(name);
  return path + "[" + std::string(name) + "]";
}
std::string element_path(const std::string& path, std::size_t index) {
  document::heed_end_in_loop();
  return path + "[" + std::to_string(index) + "]";
}

namespace {

/// Returns true if both are strings and the later one is longer, as if text had been appended.
bool is_longer_text(const Value& earlier, const Value& later) {
  return earlier.is_string() && later.is_string() && later.text().size() > earlier.text().size();
}

}  // namespace

bool has_grown(const Value& earlier, const Value& later, std::string& path) {
  if (earlier.same(later)) return false;
  const std::string here = path;
  if (is_longer_text(earlier, later)) return true;
  if (earlier.is_array() && later.is_array()) {
    if (later.size() > earlier.size()) return true;
    for (std::size_t i = 0; i < std::min(earlier.size(), later.size()); ++i) {
      path = element_path(here, i);
      if (has_grown(earlier.at(i), later.at(i), path)) return true;
    }
  } else if (earlier.is_object() && later.is_object()) {
    if (later.size() > earlier.size() && (here.ends_with("annotations") || here.ends_with("labels")))
      return true;
    for (const auto& member : later.members()) {
      const Value* old = earlier.find(member.key.name());
      if (old == nullptr) continue;
      path = member_path(here, member.key.text());
      if (has_grown(*old, member.value, path)) return true;
    }
  }
  path = here;
  return false;
}

std::string verdict_of(const std::vector<Value>& objects, const Words& words) {
  const std::size_t last = objects.size() - 1;
  if (last < 1) return "";
  if (apiserver::is_same_object(objects[last - 1], objects[last])) {
    return std::string(last <= 2 ? words.at_once : words.after) + (last <= 2 ? "" : std::to_string(last - 1));
  }
  for (std::size_t back = 2; back <= last; ++back) {
    if (apiserver::is_same_object(objects[last - back], objects[last])) {
      return "oscillating-" + std::to_string(back);
    }
  }
  return "";
}

std::string growing_or_unsettled(const std::vector<Value>& objects) {
  for (std::size_t i = 1; i + 1 < objects.size(); ++i) {
    std::string path;
    if (!has_grown(objects[i], objects[i + 1], path)) return "unsettled";
  }
  return "growing";
}

namespace {

/// Continues from the existing objects until there is a verdict.
void go_on(Repetition& result, WebhookCaller& caller, const ConfiguredWebhook& webhook,
           const Limits& limits) {
  const auto bound = static_cast<std::size_t>(limits.repeats_max) + 1;
  for (;;) {
    result.verdict = verdict_of(result.objects, kOfOneWebhook);
    if (!result.verdict.empty()) return;
    if (result.objects.size() >= bound) break;
    CallResult call_result = caller.call(webhook, result.objects.back());
    if (call_result.error != apiserver::CallError::none) {
      result.is_broken_off = true;
      return;
    }
    result.objects.push_back(std::move(call_result.after));
  }
  result.verdict = growing_or_unsettled(result.objects);
}

}  // namespace

Repetition repeat(WebhookCaller& caller, const ConfiguredWebhook& webhook, const Value& pod,
                  const Limits& limits) {
  Repetition result{.verdict = {}, .objects = {pod}};
  go_on(result, caller, webhook, limits);
  return result;
}

Repetition repeat(const Examination& examination, const FirstCall& call) {
  WebhookCaller caller(examination);
  caller.skip(call.webhook);
  Repetition result{.verdict = {}, .objects = {call.event.before, call.event.result.after}};
  go_on(result, caller, call.webhook, examination.limits);
  return result;
}

std::string first_difference(const Value& a, const Value& b) {
  struct Finder {
    static bool find(const Value& a, const Value& b, std::string& path) {
      if (a.same(b) || a == b) return false;
      const std::string here = path;
      if (a.is_array() && b.is_array()) {
        for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
          path = element_path(here, i);
          if (i >= a.size() || i >= b.size() || find(a.at(i), b.at(i), path)) return true;
        }
      } else if (a.is_object() && b.is_object()) {
        for (const auto& member : b.members()) {
          path = member_path(here, member.key.text());
          const Value* old = a.find(member.key.name());
          if (old == nullptr || find(*old, member.value, path)) return true;
        }
        for (const auto& member : a.members()) {
          path = member_path(here, member.key.text());
          if (b.find(member.key.name()) == nullptr) return true;
        }
      }
      path = here;
      return true;
    }
  };
  std::string path;
  return Finder::find(a, b, path) ? path : "";
}

std::string first_difference_or_order(const Value& a, const Value& b) {
  const std::string path = first_difference(a, b);
  for (auto open = path.find('['); open != std::string::npos; open = path.find('[', open + 1)) {
    const std::string list = path.substr(0, open);
    const Value one = at_path(a, list), other = at_path(b, list);
    if (one.is_array() && other.is_array() && std::ranges::is_permutation(one.elements(), other.elements()))
      return list;
  }
  return path;
}

namespace {

/// "spec.volumes[3].name" in steps: a name, or an index in brackets; brackets around other text hold a
/// member's name.
struct Step {
  std::string name;
  std::optional<std::size_t> index = {};
};

std::vector<Step> steps_of(const std::string& path) {
  std::vector<Step> steps;
  for (std::size_t at = 0; at < path.size();) {
    if (path[at] == '[') {
      const std::size_t end = std::min(path.find(']', at), path.size());
      Step step{.name = path.substr(at + 1, end - at - 1)};
      std::size_t index = 0;
      const auto [rest, bad] = std::from_chars(step.name.data(), step.name.data() + step.name.size(), index);
      if (bad == std::errc() && rest == step.name.data() + step.name.size()) step.index = index;
      steps.push_back(std::move(step));
      at = end + 1;
    } else {
      if (path[at] == '.') ++at;
      const std::size_t end = std::min(path.find_first_of(".[", at), path.size());
      steps.push_back({.name = path.substr(at, end - at)});
      at = end;
    }
  }
  return steps;
}

/// Returns the text that identifies an element among its siblings, and the member that holds it.
std::pair<std::string_view, std::string> identity_of(const Value& element) {
  for (const char* member : {"name", "mountPath", "key", "topologyKey", "ip", "containerPort"}) {
    const Value& value = element[member];
    if (value.is_string() || value.is_number()) return {member, std::string(value.text())};
  }
  return {"", element.is_string() ? std::string(element.text()) : ""};
}

/// Returns a name without the number or the hash with which a webhook makes new names: setup-12, cfg-7f3a0.
std::string without_counter(std::string_view name) {
  const auto dash = name.rfind('-');
  const std::string_view last = name.substr(dash == std::string_view::npos ? name.size() : dash + 1);
  const bool is_made = last.find_first_of("0123456789") != std::string_view::npos &&
                       last.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  return is_made ? std::string(name.substr(0, dash + 1)) + "#" : std::string(name);
}

}  // namespace

bool mentions(const Value& value, std::string_view text) {
  if (value.is_string() && value.text() == text) return true;
  for (const Value& element : value.elements()) {
    if (mentions(element, text)) return true;
  }
  for (const auto& member : value.members()) {
    if (mentions(member.value, text)) return true;
  }
  return false;
}

std::string shape_of(const std::string& path, const Value& pod, const Value& written_by) {
  std::string shape;
  Value at = pod;
  for (const Step& step : steps_of(path)) {
    if (step.index && at.is_null()) {  // an index into what the Pod does not have: the server's own counting
      shape += "[*]";
      continue;
    }
    if (!step.index || !at.is_array()) {
      shape = member_path(shape, step.name);
      at = Value(at[document::Name(step.name)]);
      continue;
    }
    at = Value(at.at(*step.index));
    const auto [member, text] = identity_of(at);
    if (!text.empty() && mentions(written_by, text)) {
      shape +=
          "[" +
          (member.empty() ? text
                          : std::string(member) + "=" + (member == "name" ? without_counter(text) : text)) +
          "]";
    } else {
      shape += "[*]";
    }
  }
  return shape;
}

std::string shape_of(const std::string& path, const Value& pod, const CallResult& written_by) {
  return shape_of(path, pod, written_by.answer.patch.value_or(Value()));
}

Value without_path(const Value& pod, const std::string& path) {
  const std::vector<Step> steps = steps_of(path);
  Value less = pod;
  Value* at = &less;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    const document::Name name(step.name);
    const bool is_element = step.index && at->is_array();
    if (is_element ? *step.index >= at->size() : at->find(name) == nullptr) return pod;
    if (i + 1 < steps.size()) {
      at = is_element ? &at->edit(*step.index) : &at->edit(name);
    } else if (!is_element) {
      at->remove(name);
    } else {
      auto& elements = at->edit_elements();
      elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(*step.index));
    }
  }
  return less;
}

Value at_path(const Value& pod, const std::string& path) {
  Value at = pod;
  for (const Step& step : steps_of(path)) {
    at = step.index && at.is_array() ? Value(at.at(*step.index)) : Value(at[document::Name(step.name)]);
  }
  return at;
}

}  // namespace fixpoint::properties
