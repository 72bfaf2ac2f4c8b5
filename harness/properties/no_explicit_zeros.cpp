#include <algorithm>

#include "harness/apiserver/custom/structural_schema.h"
#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/types/find_field.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/cases/kind.h"
#include "harness/document/json.h"
#include "harness/document/patch.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/untyped.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

using apiserver::Field;
using apiserver::Many;
using apiserver::Type;

/// Looks for members that the patch wrote and that mean the same as their absence. `null` is JSON's way to
/// say absent, and the zero of a pointer is a value; new elements and objects are left to the webhook.
class Search {
 public:
  std::string found;

  void object(const Type& type, const Value& before, const Value& after, const std::string& path) {
    if (before.same(after) || !before.is_object() || is_replaced(before, after)) return;
    for (const auto& member : after.members()) {
      const Field* field = apiserver::find_field(type, member.key.name(), apiserver::kNewestMinor);
      if (field == nullptr || !found.empty()) continue;
      const std::string here = path + (path.empty() ? "" : ".") + std::string(member.key.text());
      const Value* old = before.find(member.key.name());
      if (old == nullptr) {
        if (is_zero(*field, member.value)) found = here;
      } else if (field->many == Many::list && field->type != nullptr) {
        list(*field, *old, member.value, here);
      } else if (field->many == Many::one && field->type != nullptr) {
        object(*field->type, *old, member.value, here);
      }
    }
  }

 private:
  /// An object that lost a member was replaced by the webhook, for example a value by a source of one.
  static bool is_replaced(const Value& before, const Value& after) {
    return std::any_of(before.members().begin(), before.members().end(), [&](const auto& member) {
      return after.is_object() && after.find(member.key.name()) == nullptr;
    });
  }

  static bool is_zero(const Field& field, const Value& value) {
    if (value.is_null() || field.is_pointer || field.is_always) return false;
    if (field.many != Many::one) return false;
    return !apiserver::is_written(field, value);
  }

  void list(const Field& field, const Value& before, const Value& after, const std::string& path) {
    for (std::size_t i = 0; i < after.size() && found.empty(); ++i) {
      for (const Value& old : before.elements()) {
        if (!(old["name"] == after.at(i)["name"]) || old["name"].is_null()) continue;
        object(*field.type, old, after.at(i), path + "[" + std::to_string(i) + "]");
        break;
      }
    }
  }
};

/// Looks for the same in an object that a schema describes. What hides a default of the schema is worse than
/// what says nothing: the server sets no default where a member is.
struct SchemaSearch {
  std::string found = {};
  Value hidden = {};  ///< the default

  void object(const Value& schema, const Value& before, const Value& after, const std::string& path) {
    for (const document::Member& member : after.members()) {
      if (!found.empty()) return;
      const Value& below = schema["properties"][member.key.name()];
      const Value* old = before.find(member.key.name());
      const std::string here = member_path(path, member.key.text());
      if (old == nullptr && is_zero(member.value)) written(below, before, member.value, here);
      any(below, old == nullptr ? Value() : *old, member.value, here);
    }
  }

 private:
  static bool is_zero(const Value& value) {
    return value.is_null() || is_zero_or_false(value) || is_without_contents(value);
  }

  void written(const Value& schema, const Value& before, const Value& value, const std::string& path) {
    const Value& other = schema["default"];
    const bool hides = !other.is_null() && !(other == value);
    if (!hides && (!before.is_object() || !(is_without_contents(value) || value.is_null()))) return;
    found = path;
    if (hides) hidden = other;
  }

  void any(const Value& schema, const Value& before, const Value& after, const std::string& path) {
    if (!found.empty() || after.same(before)) return;
    if (after.is_object()) return object(schema, before, after, path);
    for (std::size_t i = 0; after.is_array() && i < after.size(); ++i) {
      const Value old = before.is_array() && i < before.size() ? before.at(i) : Value();
      any(schema["items"], old, after.at(i), element_path(path, i));
    }
  }
};

std::optional<Violation> zero_in_resource(const cases::Kind& kind, const FirstCall& call, Value patched) {
  Value before = call.event.before;
  for (Value* object : {&before, &patched})
    for (const char* of_server : {"metadata", "status"}) object->remove(of_server);
  SchemaSearch search;
  search.object(apiserver::custom::schema_of(kind), before, patched, "");
  if (search.found.empty()) return std::nullopt;
  Violation violation{.severity = search.hidden.is_null() ? Severity::warning : Severity::error,
                      .webhook = call.webhook.key,
                      .path = search.found,
                      .symptom = search.hidden.is_null() ? "" : "hidden-default"};
  if (!search.hidden.is_null())
    violation.reason = "the patch adds " + search.found + ", where the default of the definition is " +
                       document::write_json(search.hidden) + ": it is never set";
  return violation;
}

std::optional<Violation> zero_in_pod(const FirstCall& call, const Value& patched) {
  Search search;
  search.object(apiserver::kPod, call.event.before, patched, "");
  if (search.found.empty()) return std::nullopt;
  Violation violation{.severity = Severity::warning, .webhook = call.webhook.key, .path = search.found};
  violation.reason = "the patch adds " + search.found + " with the value that its absence has";
  return violation;
}

Judgement no_explicit_zeros(const Examination& examination) {
  const cases::Kind kind = cases::kind_of(examination.value.request, examination.value.cluster);
  if (!kind.is_pod() && !kind.is_custom()) return not_applicable("the fields of the kind are not known");
  if (first_calls(examination).empty()) return not_reached("no webhook was called");
  std::vector<Violation> violations;
  std::vector<Observation> observations;
  for (const FirstCall& call : effective_calls(examination)) {
    const Value& patch = *call.event.result.answer.patch;
    const auto patched = document::apply_patch(call.event.before, patch, examination.limits);
    if (!patched.ok()) continue;
    auto violation =
        kind.is_pod() ? zero_in_pod(call, patched.document) : zero_in_resource(kind, call, patched.document);
    if (!violation) continue;
    // A default of a custom resource may be an empty list; that of a Pod is the server's.
    if (kind.is_custom() && violation->symptom.empty()) {
      const std::string shape = shape_of(violation->path, patched.document, patch);
      observations.push_back({.kind = "explicit-empty",
                              .webhook = call.webhook.key,
                              .path = shape,
                              .reason = "writes " + shape + " without contents where the user sent none"});
      continue;
    }
    violation->value = at_path(patched.document, violation->path);
    violation->shape = shape_of(violation->path, patched.document, patch);
    violations.push_back(*std::move(violation));
  }
  return judged(std::move(violations), std::move(observations));
}

}  // namespace

extern constinit const Property kNoExplicitZeros = {
    .name = "no-explicit-zeros",
    .claim = "A patch adds no value that absence has already, and hides no default by a zero.",
    .is_cheap = false,
    .ask = no_explicit_zeros,
    .takes_any_kind = true,
    .symptom = "zeros",
    .explanation = {.example = "The patch adds serviceAccountName \"\" because the struct has no omitempty.",
                    .matters = "The next webhook takes the field for set and leaves its default out.",
                    .fix = "Diff typed against typed, or drop additions of empty values."},
};

}  // namespace fixpoint::properties
