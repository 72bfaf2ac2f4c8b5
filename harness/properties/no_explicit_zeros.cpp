#include <algorithm>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/types/find_field.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/document/patch.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
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

Judgement no_explicit_zeros(const Examination& examination) {
  if (first_calls(examination).empty()) return not_reached("no webhook was called");
  std::vector<Violation> violations;
  for (const FirstCall& call : effective_calls(examination)) {
    const Value& patch = *call.event.result.answer.patch;
    const auto patched = document::apply_patch(call.event.before, patch, examination.limits);
    if (!patched.ok()) continue;
    Search search;
    search.object(apiserver::kPod, call.event.before, patched.document, "");
    if (search.found.empty()) continue;
    Violation violation{.severity = Severity::warning, .webhook = call.webhook.key, .path = search.found};
    violation.value = at_path(patched.document, search.found);
    violation.shape = shape_of(search.found, patched.document, patch);
    violation.because = "the patch adds " + search.found + " with the value that its absence has";
    violations.push_back(std::move(violation));
  }
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kNoExplicitZeros = {
    .name = "no-explicit-zeros",
    .claim = "A patch adds no value to the user's fields that their absence has already.",
    .is_cheap = false,
    .ask = no_explicit_zeros,
    .symptom = "zeros",
    .explanation = {.example = "The patch adds serviceAccountName \"\" because the struct has no omitempty.",
                    .matters = "The next webhook takes the field for set and leaves its default out.",
                    .fix = "Diff typed against typed, or drop additions of empty values."},
};

}  // namespace fixpoint::properties
