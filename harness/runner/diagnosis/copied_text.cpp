#include "harness/runner/diagnosis/copied_text.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "harness/cases/kind.h"
#include "harness/document/texts.h"
#include "harness/properties/variants.h"
#include "harness/properties/webhook_caller.h"
#include "harness/runner/own_key.h"

namespace fixpoint::runner {

namespace {

using document::has_text;
using document::Value;
using properties::Examination;

/// Longer texts are refused for their length.
constexpr std::size_t kLongest = 40;
constexpr std::string_view kOther = "q7";

void add_texts(const Value& value, std::set<std::string>& texts) {
  if (value.is_string() && value.text().size() <= kLongest) texts.emplace(value.text());
  for (const auto& member : value.members()) add_texts(member.value, texts);
  for (const Value& element : value.elements()) add_texts(element, texts);
}

/// Returns the path of the text below a member, the innermost one first found.
std::string path_of(const Value& value, std::string_view text, const std::string& path) {
  if (value.is_string()) return value.text() == text ? path : "";
  for (const auto& member : value.members())
    if (auto found = path_of(member.value, text, properties::member_path(path, member.key.text()));
        !found.empty())
      return found;
  for (const Value& element : value.elements())
    if (auto found = path_of(element, text, path + "[*]"); !found.empty()) return found;
  return {};
}

/// Asks the webhook for the same object where the place has another text.
class CopyQuestion {
 public:
  CopyQuestion(const Examination& examination, const properties::FirstCall& call, std::string path)
      : examination_(examination), call_(call), path_(std::move(path)) {}

  std::set<std::string> refused_texts() const {
    std::set<std::string> texts;
    add_texts(properties::at_path(call_.event.result.after, path_), texts);
    return texts;
  }

  std::string source_of(const std::string& text) const {
    const cases::Case& value = examination_.value;
    const Value& spec = call_.event.before["spec"];
    const bool is_custom = cases::kind_of(value.request, value.cluster).is_custom();
    if (is_custom && has_text(spec, text) && copies(value, other_object(text)))
      return path_of(spec, text, "spec");
    for (std::size_t i = 0; i < value.cluster.objects.size(); ++i) {
      const Value& object = value.cluster.objects[i];
      if (!is_read(object) || !(has_text(object["spec"], text) || has_text(object["data"], text))) continue;
      cases::Case other = value;
      for (const char* member : {"spec", "data"})
        if (object.find(document::Name(member)) != nullptr)
          document::replace_text(other.cluster.objects[i].edit(member), text, kOther);
      if (copies(other, call_.event.before))
        return std::string(object["kind"].text()) + " " + std::string(object["metadata"]["name"].text());
    }
    return {};
  }

 private:
  /// Returns true for an object that a webhook takes texts from: no definition or configuration.
  bool is_read(const Value& object) const {
    const auto kind =
        cases::find_kind(object["apiVersion"].text(), object["kind"].text(), examination_.value.cluster);
    return kind && (kind->is_custom() || kind->name == "ConfigMap");
  }

  Value other_object(const std::string& text) const {
    Value object = call_.event.before;
    document::replace_text(object.edit("spec"), text, kOther);
    return object;
  }

  /// Returns true if the other text stands in the result where this one is refused.
  bool copies(const cases::Case& value, const Value& object) const {
    if (has_text(properties::at_path(object, path_), kOther)) return false;
    const Examination elsewhere{value, examination_.handlers, examination_.admission, examination_.limits};
    if (!properties::is_called(elsewhere, call_.webhook, object)) return false;
    const auto result = properties::call_afresh(elsewhere, call_.webhook, object);
    return properties::went_well(result) && has_text(properties::at_path(result.after, path_), kOther);
  }

  const Examination& examination_;
  const properties::FirstCall& call_;
  const std::string path_;
};

}  // namespace

std::string source_of_copy(const Examination& examination, const properties::Violation& violation,
                           std::span<const Value> examples) {
  const auto call = first_call_of(examination, violation.webhook);
  if (!call || violation.path.empty()) return {};
  const CopyQuestion question(examination, *call, violation.path);
  for (const std::string& text : question.refused_texts()) {
    if (std::ranges::any_of(examples, [&](const Value& example) { return has_text(example, text); }))
      continue;
    if (auto source = question.source_of(text); !source.empty()) return source;
  }
  return {};
}

}  // namespace fixpoint::runner
