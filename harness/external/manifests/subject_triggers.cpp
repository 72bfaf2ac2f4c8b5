#include "harness/external/manifests/subject_triggers.h"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "harness/document/json.h"
#include "harness/runner/learning/field_path.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::external {

namespace {

using document::Fields;
using document::Value;
using Where = runner::Trigger::Where;

constexpr std::array<std::pair<const char*, Where>, 6> kMembers{
    {{"labels", Where::label},
     {"annotations", Where::annotation},
     {"namespaceLabels", Where::namespace_label},
     {"namespaceAnnotations", Where::namespace_annotation},
     {"fields", Where::field},
     {"users", Where::user}}};

/// Returns the error in a path, or nothing.
std::optional<std::string> path_problem(const std::string& key) {
  const auto path = runner::parse_field_path(key);
  if (!path) return path.error().message;
  const std::string& root = path->front().member;
  if (path->size() > 1 && (root == "spec" || root == "metadata")) return std::nullopt;
  return "expected a path below spec or metadata, found \"" + key + "\"";
}

void read_values(Fields& of_place, runner::Vocabulary& words, Where where, const std::string& key) {
  if (key.empty()) return of_place.fail(key, "expected a key");
  if (where == Where::user && key != runner::kUserName && key != runner::kUserGroups)
    return of_place.fail(key, "expected username or groups");
  if (const auto problem = where == Where::field ? path_problem(key) : std::nullopt)
    return of_place.fail(key, *problem);
  learn_trigger(words, where, key, std::nullopt);
  if (where == Where::field) {
    of_place.list(key, [&](const Value& value, const std::string&) {
      learn_trigger(words, where, key, document::write_json(value));
    });
    return;
  }
  std::vector<std::string> texts;
  of_place.optional(key, texts);
  for (const std::string& text : texts) learn_trigger(words, where, key, text);
}

}  // namespace

void read_triggers(Fields& subject, runner::Vocabulary& words) {
  subject.object("triggers", [&](Fields& triggers) {
    for (const auto& [member, where] : kMembers) {
      const Value keys = triggers.get(member);
      triggers.object(member, [&, place = where](Fields& of_place) {
        for (const auto& one : keys.members()) {
          if (!of_place.failed()) read_values(of_place, words, place, std::string(one.key.text()));
        }
      });
    }
    triggers.finish();
  });
}

void read_promises(document::Fields& fields, Value& promises) {
  fields.object("promises", [&](document::Fields& lists) {
    for (const char* name : {"containers", "initContainers"}) {
      const document::Name list(name);
      lists.map(list, [&](const std::string& container, const Value& place, const std::string&) {
        if (place.text() != "first" && place.text() != "last")
          return lists.fail(list, "expected first or last for each container");
        promises.edit(list).set(container, place);
      });
    }
    lists.finish();
  });
}

std::string key_of(const Value& configuration, const Value& webhook) {
  return std::string(configuration["metadata"]["name"].text()).append("/").append(webhook["name"].text());
}

std::vector<std::string> give_empty_scripts(Value& backends, const Value& configuration) {
  std::vector<std::string> silent;
  for (const Value& webhook : configuration["webhooks"].elements()) {
    std::string key = key_of(configuration, webhook);
    if (backends.find(key) != nullptr) continue;
    backends.set(key, Value{{"script", Value::empty_list()}});
    silent.push_back(std::move(key));
  }
  return silent;
}

}  // namespace fixpoint::external
