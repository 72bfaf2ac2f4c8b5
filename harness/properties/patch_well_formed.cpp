#include "harness/document/json.h"
#include "harness/document/patch.h"
#include "harness/document/pointer.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/validity.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallEvent;
using document::Pointer;

/// Returns a pointer without indices, which stays the same from Pod to Pod.
std::string shape_of_pointer(std::string_view pointer) {
  std::string shape;
  for (std::size_t at = 0; at < pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', at + 1), pointer.size());
    const auto token = pointer.substr(at, end - at);
    const bool is_index =
        token.size() > 1 && token.find_first_not_of("0123456789-", 1) == std::string_view::npos;
    shape.append(is_index ? "/*" : token);
    at = end;
  }
  return shape;
}

struct Fault {
  Severity severity;
  std::string_view kind;
  std::string reason;
};

std::optional<Fault> judge_pointer(std::string_view path) {
  if (!path.empty() && path[0] != '/')
    return Fault{Severity::warning, "pointer", "does not begin with a slash"};
  if (!document::parse_pointer(path))
    return Fault{Severity::warning, "pointer", "has an escape that is none"};
  return std::nullopt;
}

/// Returns true if this removal of an element follows one at a lower index of the same list, which has moved
/// the element that the second index meant.
bool removes_in_ascending_order(const Value& previous, const Value& operation) {
  if (previous["op"].text() != "remove" || operation["op"].text() != "remove") return false;
  const auto split = [](std::string_view path) {
    const auto slash = path.rfind('/');
    return std::pair(path.substr(0, slash), path.substr(slash == std::string_view::npos ? 0 : slash + 1));
  };
  const auto [list, index] = split(previous["path"].text());
  const auto [next_list, next_index] = split(operation["path"].text());
  const auto a = Value::number(index).integer(), b = Value::number(next_index).integer();
  return list == next_list && a && b && *b > *a;
}

/// Returns true if an element has all that the other has: it is that one, filled in.
bool has_all_of(const Value& one, const Value& element) {
  const auto members = element.members();
  return one.is_object() && element.is_object() && std::ranges::all_of(members, [&](const auto& member) {
           const Value* now = one.find(member.key.name());
           return now != nullptr && *now == member.value;
         });
}

/// Returns true if the list has the element, filled in or not, or one of the same key.
bool has_alike(const Value& list, const Value& element) {
  const auto elements = list.elements();
  return std::any_of(elements.begin(), elements.end(), [&](const Value& one) {
    for (const char* key : {"mountPath", "containerPort", "name", "key"})
      if (!element[key].is_null()) return one[key] == element[key];
    return one == element || has_all_of(one, element);
  });
}

/// Returns the fault of an operation that writes the list `now` in the place of `old`; `sent` is the list of
/// the Pod that the webhook got. A list that still has all its elements harms nobody.
Fault judge_whole_list(const Value& old, const Value& now, const Value* sent) {
  for (const Value& element : old.elements()) {
    if (has_alike(now, element)) continue;
    if (sent == nullptr || !has_alike(*sent, element))
      return {Severity::warning, "whole-list", "discards what an earlier operation of the patch wrote"};
    return {Severity::warning, "whole-list", "replaces a whole list, and with it what others put there"};
  }
  return {Severity::warning, "kept-list", "writes a whole list to change one element"};
}

/// Returns the fault of one operation on the document `before`; `after` is the document that it leaves, and
/// `sent` the one that the webhook got.
std::optional<Fault> judge_operation(const Value& operation, const Value& before, const Value& after,
                                     const Value& sent) {
  if (auto fault = judge_pointer(operation["path"].text())) return fault;
  const auto op = operation["op"].text();
  if (op == "test") return std::nullopt;
  if (before == after) return Fault{Severity::warning, "no-effect", "has no effect"};
  if ((op != "replace" && op != "add") || !operation["value"].is_array()) return std::nullopt;
  const auto pointer = document::parse_pointer(operation["path"].text());
  // The words of a command are one value: nobody adds one of his own.
  if (!pointer->empty() && (pointer->back() == "command" || pointer->back() == "args")) return std::nullopt;
  const Value* old = document::resolve(before, *pointer);
  if (old == nullptr || !old->is_array() || old->empty()) return std::nullopt;
  return judge_whole_list(*old, operation["value"], document::resolve(sent, *pointer));
}

void report(const Examination& examination, const CallEvent& event, const Value& operation,
            const Fault& fault, std::vector<Violation>& violations) {
  Violation violation{.severity = fault.severity};
  violation.webhook = examination.admission.webhooks[static_cast<std::size_t>(event.index)].key;
  violation.path = operation["path"].text();
  violation.value = operation;
  violation.shape = std::string(fault.kind) + ":" + shape_of_pointer(violation.path);
  violation.reason =
      "the operation " + std::string(operation["op"].text()) + " " + violation.path + " " + fault.reason;
  violations.push_back(std::move(violation));
}

/// Returns true if the operation writes the value that the Pod was sent with. A webhook that does not compare
/// values does this harmlessly; an operation that repeats another one of the same patch is a mistake.
bool writes_what_was_sent(const Value& operation, const Value& sent, const Limits& limits) {
  const auto alone = document::apply_patch(sent, Value::list({operation}), limits);
  return alone.ok() && alone.document == sent;
}

void observe(const Examination& examination, const CallEvent& event, const Value& operation, const char* kind,
             const std::string& how, std::vector<Observation>& observations) {
  const std::string path = shape_of_pointer(operation["path"].text());
  observations.push_back(
      {.kind = kind,
       .webhook = examination.admission.webhooks[static_cast<std::size_t>(event.index)].key,
       .path = path,
       .reason = "sends the operation " + std::string(operation["op"].text()) + " " + path + " " + how});
}

void judge_call(const Examination& examination, const CallEvent& event, std::vector<Violation>& violations,
                std::vector<Observation>& observations) {
  const Value& patch = *event.result.answer.patch;
  if (const auto problem = document::decoding_problem(patch, examination.limits)) {
    return report(examination, event, Value{{"op", ""}, {"path", ""}},
                  {Severity::error, "syntax", "is no JSON Patch: " + problem->message}, violations);
  }
  Value at = event.before;
  for (std::size_t i = 0; i < patch.size(); ++i) {
    const Value& operation = patch.at(i);
    const auto step = document::apply_patch(at, Value::list({operation}), examination.limits);
    if (!step.ok()) {
      if (is_excused(examination, event)) return;  // `answers` observes it
      return report(examination, event, operation,
                    {Severity::error, "apply", "does not apply: " + step.problem->message}, violations);
    }
    if (auto fault = judge_operation(operation, at, step.document, event.before)) {
      if (fault->kind == "no-effect" && writes_what_was_sent(operation, event.before, examination.limits))
        observe(examination, event, operation, "no-effect", "where it has no effect", observations);
      else if (fault->kind == "kept-list")
        observe(examination, event, operation, "whole-list", "with a whole list, to change one element",
                observations);
      else
        report(examination, event, operation, *fault, violations);
    }
    if (i > 0 && removes_in_ascending_order(patch.at(i - 1), operation)) {
      report(examination, event, operation,
             {Severity::warning, "ascending",
              "follows a removal before it in the same list, which moved its index"},
             violations);
    }
    at = step.document;
  }
}

Judgement patch_well_formed(const Examination& examination) {
  std::vector<Violation> violations;
  std::vector<Observation> observations;
  bool asked = false;
  for (const CallEvent& event : examination.admission.calls) {
    if (!event.result.called || !event.result.answer.problem.empty() || !event.result.answer.patch) continue;
    if (is_answer_disturbed(examination, event)) continue;
    asked = true;
    judge_call(examination, event, violations, observations);
  }
  if (!asked) return not_reached("no webhook sent a patch");
  return judged(std::move(violations), std::move(observations));
}

}  // namespace

extern constinit const Property kPatchWellFormed = {
    .name = "patch-well-formed",
    .claim = "A patch applies to the bytes that were sent, and every operation of it has an effect.",
    .is_cheap = false,
    .ask = patch_well_formed,
    .takes_any_kind = true,
    .applies_to = is_called,
    .explanation =
        {.example = "`add /metadata/annotations/example.com/key` without ~1 for the slash.",
         .matters = "The server answers 500, or writes somewhere else than was meant.",
         .fix = "Let a library make the patch; create parents first, escape keys, remove from the back."},
};

}  // namespace fixpoint::properties
