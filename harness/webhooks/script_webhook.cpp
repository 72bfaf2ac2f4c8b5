#include "harness/document/pointer.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::webhooks {

namespace {

using cases::Condition;
using document::Member;

bool has_element_named(const Value& list, std::string_view name) {
  for (const Value& element : list.elements()) {
    const Value& own = element["name"];
    if (own.is_string() && own.text() == name) return true;
  }
  return false;
}

bool holds(const Condition& condition, const Call& call) {
  using Test = Condition::Test;
  const auto each = [&](bool wanted) {
    for (const Condition& part : condition.parts) {
      if (holds(part, call) == wanted) return true;
    }
    return false;
  };
  switch (condition.test) {
    case Test::call:
      return call.number == condition.call;
    case Test::negation:
      return !holds(condition.parts.front(), call);
    case Test::all:
      return !each(false);
    case Test::any:
      return each(true);
    default:
      break;
  }
  const Value* found = document::resolve(call.object, condition.path);
  switch (condition.test) {
    case Test::exists:
      return found != nullptr;
    case Test::absent:
      return found == nullptr;
    case Test::equals:
      return found != nullptr && *found == condition.value;
    default:
      return found != nullptr && has_element_named(*found, condition.name);
  }
}

std::string numbered_text(std::string_view text, std::string_view number) {
  std::string out;
  for (std::size_t at = 0;;) {
    const auto next = text.find("$call", at);
    out.append(text.substr(at, next - at));
    if (next == std::string_view::npos) return out;
    out.append(number);
    at = next + 5;
  }
}

/// Replaces `$call` in the strings of a value with the number of the call. A value without `$call` is
/// returned as the same node.
Value numbered(const Value& value, const std::string& number) {
  if (value.is_string()) {
    return value.text().find("$call") == std::string_view::npos ? value
                                                                : Value(numbered_text(value.text(), number));
  }
  Value out = value;
  for (std::size_t i = 0; i < value.elements().size(); ++i) {
    Value next = numbered(value.at(i), number);
    if (!next.same(value.at(i))) out.edit(i) = std::move(next);
  }
  const auto members = value.members();
  for (std::size_t i = 0; i < members.size(); ++i) {
    Value next = numbered(members[i].value, number);
    std::string key = numbered_text(members[i].key.text(), number);
    if (next.same(members[i].value) && key == members[i].key.text()) continue;
    out.edit_members()[i] = Member{key, std::move(next)};
  }
  return out;
}

Value numbered_operation(const Value& operation, const std::string& number) {
  const Value* value = operation.find("value");
  if (value == nullptr) return operation;
  Value next = numbered(*value, number);
  if (next.same(*value)) return operation;
  Value out = operation;
  out.set("value", std::move(next));
  return out;
}

Answer run(const cases::Script& script, const Call& call) {
  Answer answer;
  const std::string number = std::to_string(call.number);
  std::vector<Value> patch;
  const cases::Denial* denial = nullptr;
  for (const cases::Rule& rule : script.rules) {
    if (rule.when && !holds(*rule.when, call)) continue;
    for (const Value& operation : rule.patch) patch.push_back(numbered_operation(operation, number));
    answer.warnings.insert(answer.warnings.end(), rule.warn.begin(), rule.warn.end());
    for (const auto& [key, value] : rule.audit) answer.audit_annotations.insert_or_assign(key, value);
    if (rule.deny && denial == nullptr) denial = &*rule.deny;
  }
  if (denial != nullptr) {
    answer.allowed = false;
    answer.has_status = true;
    answer.status = *denial;
  } else if (!patch.empty()) {
    answer.patch = Value(std::move(patch));
    answer.patch_type = "JSONPatch";
  }
  return answer;
}

}  // namespace

Handler scripted(std::shared_ptr<const cases::Script> script) {
  return [script = std::move(script)](const Call& call) { return run(*script, call); };
}

Answer allow(Value patch) {
  Answer answer;
  if (patch.empty()) return answer;
  answer.patch = std::move(patch);
  answer.patch_type = "JSONPatch";
  return answer;
}

Answer allow_change(const Value& before, Value after, SentPatch::Make make) {
  Answer answer;
  if (!document::differ(before, after)) return answer;
  answer.patch = SentPatch(before, std::move(after), make);
  answer.patch_type = "JSONPatch";
  return answer;
}

Answer deny(int code, std::string reason, std::string message) {
  Answer answer;
  answer.allowed = false;
  answer.has_status = true;
  answer.status = {.code = code, .reason = std::move(reason), .message = std::move(message)};
  return answer;
}

Answer fail(std::string problem, std::string said) {
  Answer answer;
  answer.problem = std::move(problem);
  answer.said = std::move(said);
  return answer;
}

namespace {
constexpr std::string_view kPanic = "panic: ", kRecovered = " [recovered]";
}  // namespace

Answer recovered(std::string_view panic) {
  return deny(500, "", std::string(kPanic).append(panic).append(kRecovered));
}

std::optional<std::string> recovered_panic(const Answer& answer) {
  const std::string_view message = answer.status.message;
  const bool is_one = !answer.allowed && answer.status.code == 500 && message.starts_with(kPanic) &&
                      message.ends_with(kRecovered) && message.size() >= kPanic.size() + kRecovered.size();
  if (!is_one) return std::nullopt;
  return std::string(message.substr(kPanic.size(), message.size() - kPanic.size() - kRecovered.size()));
}

}  // namespace fixpoint::webhooks
