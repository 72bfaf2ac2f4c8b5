#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "harness/document/json.h"
#include "harness/runner/learning/field_path.h"
#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::runner {

namespace {

using Where = Trigger::Where;

/// Returns true for fields that do not show the purpose of a Pod, or that the server and the scheduler fill
/// in.
bool is_common(std::string_view member) {
  constexpr std::array<std::string_view, 9> kMembers{
      "restartPolicy",      "dnsPolicy",        "terminationGracePeriodSeconds",
      "enableServiceLinks", "nodeName",         "priority",
      "hostname",           "preemptionPolicy", "serviceAccount"};
  return std::find(kMembers.begin(), kMembers.end(), member) != kMembers.end();
}

void learn_map(Vocabulary& words, Where where, const Value& map) {
  for (const auto& [key, value] : map.members()) {
    if (value.is_string() && key.text() != kNameOfNamespace)
      learn_trigger(words, where, key.text(), value.text());
  }
}

void learn_field(Vocabulary& words, const FieldPath& path, const Value& value) {
  learn_trigger(words, Where::field, write_field_path(path), document::write_json(value));
}

}  // namespace

void learn_from_example(Vocabulary& words, const cases::Case& example) {
  const Value& pod = example.request.object;
  learn_from_pod(words, pod);
  for (const auto& [member, value] : pod["spec"].members()) {
    const bool is_scalar = value.is_string() || value.is_boolean() || value.is_number();
    if (is_scalar && !is_common(member.text()))
      learn_field(words, {{"spec"}, {std::string(member.text())}}, value);
  }
  for (const auto& [key, value] : pod["spec"]["nodeSelector"].members())
    learn_field(words, {{"spec"}, {"nodeSelector"}, {std::string(key.text())}}, value);
  for (const Value& object : example.cluster.objects) {
    for (const char* member : {"data", "stringData"})
      for (const auto& [key, value] : object[document::Name(member)].members())
        learn_data_key(words, key.text());
  }
  const std::string& space = example.request.namespace_name;
  // Seldom its name matters to a webhook; what its configuration selects is learned from there.
  if (space != "default")
    learn_trigger(words, Where::field, kNamespaceField, document::write_json(Value(space)), true);
  const Value* found = example.cluster.find("Namespace", "", space);
  if (found == nullptr) return;
  learn_map(words, Where::namespace_label, (*found)["metadata"]["labels"]);
  learn_map(words, Where::namespace_annotation, (*found)["metadata"]["annotations"]);
}

}  // namespace fixpoint::runner
