#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

namespace {

/// "3 elements", of a text "12 characters".
std::string length_of(const Value& value) {
  const std::size_t length = value.is_string() ? value.text().size() : value.size();
  const char* of = value.is_string() ? " character" : value.is_array() ? " element" : " key";
  return std::to_string(length) + of + (length == 1 ? "" : "s");
}

Judgement bounded_growth(const Examination& examination) {
  const auto calls = first_calls(examination);
  if (calls.empty()) return not_reached("no webhook was called");
  std::vector<Violation> violations;
  for (const FirstCall& call : calls) {
    const Repetition again = repeat(examination, call);
    if (again.verdict != "growing") continue;
    std::string path;
    has_grown(again.objects[1], again.objects[2], path);
    Violation violation{
        .severity = Severity::error, .webhook = call.webhook.key, .verdict = "growing", .path = path};
    violation.value = at_path(again.objects[2], path);
    violation.shape = shape_of(path, again.objects[2], Value());
    violation.reason = path + " grows with every call: " + length_of(at_path(again.objects[1], path)) +
                       " after the first, " + length_of(violation.value) + " after the second";
    violation.calls = {
        {"a second call on its own output", call.webhook.key, again.objects[1], {.after = again.objects[2]}}};
    violations.push_back(std::move(violation));
  }
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kBoundedGrowth = {
    .name = "bounded-growth",
    .claim = "Called again and again, a webhook lets no list, string or map grow after its first call.",
    .is_cheap = true,
    .ask = bounded_growth,
    .takes_any_kind = true,
    .symptom = "duplicate",
    .explanation =
        {.example = "A registry prefix is put in front of an image at every call.",
         .matters =
             "Each update or reinvocation makes the object larger, until a limit or the image pull fails.",
         .fix = "Recognise your own output: write the wanted value, never old value plus something."},
};

}  // namespace fixpoint::properties
