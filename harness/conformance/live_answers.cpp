#include "harness/conformance/live_answers.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "harness/apiserver/kinds/typed_kind.h"
#include "harness/cases/minors.h"

namespace fixpoint::conformance {

using document::Value;
using webhooks::RestAnswer;

Value invalid_of(const Value& status, bool has_texts) {
  std::vector<std::array<std::string_view, 3>> errors;
  for (const Value& cause : status["details"]["causes"].elements())
    errors.push_back({cause["field"].text(), cause["reason"].text(), cause["message"].text()});
  std::sort(errors.begin(), errors.end());
  std::vector<Value> list;
  for (const auto& [field, type, message] : errors) {
    list.push_back({{"type", type}, {"field", field}});
    if (has_texts) list.back().set("message", message);
  }
  return list;
}

namespace {

/// The place of a uid in the text, from a place on; npos if there is none.
std::size_t find_uid(std::string_view text, std::size_t from) {
  constexpr std::string_view kForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  for (std::size_t at = from; at + kForm.size() <= text.size(); ++at) {
    const std::string_view part = text.substr(at, kForm.size());
    const bool is_uid = std::equal(part.begin(), part.end(), kForm.begin(), [](char c, char form) {
      return form == '-' ? c == '-' : (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    });
    if (is_uid) return at;
  }
  return std::string_view::npos;
}

/// Puts the simulator's suffix (apiserver/preparation) into each quoted name that the server generated, and
/// into what else begins with that name.
void replace_suffixes(std::string& text, const std::string& stem) {
  constexpr std::string_view kSuffix = "xxxxx";
  const std::string start = '"' + stem.substr(0, 58);
  for (auto at = text.find(start); at != std::string::npos; at = text.find(start, at + 1)) {
    const std::size_t suffix = at + start.size(), end = suffix + kSuffix.size();
    const bool is_name = end < text.size() && text[end] == '"' &&
                         text.find_first_not_of("bcdfghjklmnpqrstvwxz2456789", suffix) == end;
    if (!is_name) continue;
    const std::string generated = text.substr(at + 1, end - at - 1);
    for (auto one = text.find(generated); one != std::string::npos; one = text.find(generated, one + 1))
      text.replace(one + generated.size() - kSuffix.size(), kSuffix.size(), kSuffix);
  }
}

/// The generated values of a server that a Case holds.
struct Known {
  std::string text;  ///< the whole Case
  std::string stem;  ///< of the name; empty if it is sent
};

Value with_placeholders(Value answer, const Known& known) {
  if (answer.is_string()) {
    std::string text(answer.text());
    if (!known.stem.empty()) replace_suffixes(text, known.stem);
    constexpr std::string_view kNew = apiserver::kinds::kPlaceholderUid;
    for (auto at = find_uid(text, 0); at != std::string::npos; at = find_uid(text, at + 1))
      if (known.text.find(text.substr(at, kNew.size())) == std::string::npos)
        text.replace(at, kNew.size(), kNew);
    return text == answer.text() ? answer : Value(text);
  }
  for (std::size_t i = 0; answer.is_array() && i < answer.size(); ++i)
    answer.edit(i) = with_placeholders(answer.at(i), known);
  if (!answer.is_object()) return answer;
  for (auto& [key, value] : answer.edit_members()) value = with_placeholders(std::move(value), known);
  return answer;
}

}  // namespace

Value with_placeholders_of_generated(Value answer, const cases::Case& value) {
  const Value& metadata = value.request.object["metadata"];
  const bool is_named = !metadata["name"].text().empty();
  return with_placeholders(std::move(answer),
                           {cases::canonical_text(value),
                            is_named ? std::string() : std::string(metadata["generateName"].text())});
}

std::string foreign_answer(const RestAnswer& answer, const cases::Case& value, const std::string& prefix) {
  const std::string_view message = answer.body["message"].text(),
                         priority = answer.body["spec"]["priorityClassName"].text();
  const auto says = [&](std::string_view part) { return message.find(part) != std::string_view::npos; };
  const bool is_unauthorized =
      says("cannot impersonate") || (message.starts_with("pods") && says(" cannot "));
  if (answer.status == 403 && answer.body["reason"].text() == "Forbidden" && is_unauthorized)
    return "not runnable here: " + std::string(message);
  if (priority.starts_with(kNamePrefix) && !priority.starts_with(prefix))
    return "another run has a default PriorityClass meanwhile: " + std::string(priority);
  // It came, or went, between two passes of the plugin over the Pod.
  const bool is_gone =
      says("no PriorityClass with name " + std::string(kNamePrefix)) && !says("with name " + prefix);
  if (is_gone) return "another run has a default PriorityClass meanwhile";
  if (says("the integer value of priority") && !value.cluster.has_kind("PriorityClass.scheduling.k8s.io"))
    return "another run has a default PriorityClass meanwhile";
  return {};
}

std::string version_of(const Value& info) {
  const std::string major(info["major"].text()), minor(info["minor"].text());
  const std::string version = major + "." + minor.substr(0, minor.find_first_not_of("0123456789"));
  return cases::supported_minor(version) ? version : std::string(cases::kNewestVersion);
}

}  // namespace fixpoint::conformance
