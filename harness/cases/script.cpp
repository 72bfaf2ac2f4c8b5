#include "harness/cases/script.h"

#include "harness/document/fields.h"

namespace fixpoint::cases {

namespace {

using document::Error;
using document::Fields;
using document::Value;

void read_pointer(Fields& fields, const document::Name& name, document::Pointer& into) {
  std::string text;
  fields.required(name, text);
  if (fields.failed()) return;
  auto pointer = document::parse_pointer(text);
  if (!pointer) return fields.fail(name, pointer.error().message);
  into = *std::move(pointer);
}

Condition read_condition(const Value& source, const std::string& pointer, std::optional<Error>& problem);

void read_parts(Fields& fields, const document::Name& name, Condition& into, std::optional<Error>& problem) {
  fields.list(name, [&](const Value& part, const std::string& pointer) {
    into.parts.push_back(read_condition(part, pointer, problem));
  });
}

Condition read_condition(const Value& source, const std::string& pointer, std::optional<Error>& problem) {
  using Test = Condition::Test;
  Condition condition;
  Fields fields(source, pointer, problem);
  int tests = 0;
  const auto is = [&](const document::Name& name, Test test) {
    if (!fields.has(name)) return false;
    condition.test = test;
    return ++tests == 1;
  };
  if (is("exists", Test::exists)) read_pointer(fields, "exists", condition.path);
  if (is("absent", Test::absent)) read_pointer(fields, "absent", condition.path);
  if (is("equals", Test::equals)) {
    fields.object("equals", [&](Fields& equals) {
      read_pointer(equals, "path", condition.path);
      condition.value = equals.get("value");
      equals.finish();
    });
  }
  if (is("named", Test::named)) {
    fields.object("named", [&](Fields& named) {
      read_pointer(named, "path", condition.path);
      named.required("name", condition.name);
      named.finish();
    });
  }
  if (is("call", Test::call)) fields.optional("call", condition.call);
  if (is("not", Test::negation))
    condition.parts = {read_condition(fields.get("not"), pointer + "/not", problem)};
  if (is("all", Test::all)) read_parts(fields, "all", condition, problem);
  if (is("any", Test::any)) read_parts(fields, "any", condition, problem);
  fields.finish();
  if (tests != 1)
    fields.fail_here("expected exactly one of exists, absent, equals, named, call, not, all, any");
  return condition;
}

Rule read_rule(const Value& source, const std::string& pointer, std::optional<Error>& problem) {
  Rule rule;
  Fields fields(source, pointer, problem);
  if (fields.has("when")) rule.when = read_condition(fields.get("when"), pointer + "/when", problem);
  int actions = 0;
  for (const char* action : {"patch", "warn", "audit", "deny"}) actions += fields.has(action) ? 1 : 0;
  fields.list("patch", [&](const Value& operation, const std::string&) { rule.patch.push_back(operation); });
  fields.optional("warn", rule.warn);
  fields.map("audit", [&](const std::string& key, const Value& value, const std::string& at) {
    if (!value.is_string()) problem = Error{"expected a string", at};
    rule.audit.emplace(key, value.text());
  });
  fields.object("deny", [&](Fields& deny) {
    rule.deny.emplace();
    deny.optional("code", rule.deny->code);
    deny.optional("reason", rule.deny->reason);
    deny.optional("message", rule.deny->message);
    deny.finish();
  });
  fields.finish();
  if (actions != 1) fields.fail_here("expected exactly one of patch, warn, audit, deny");
  return rule;
}

}  // namespace

document::Result<Script> read_script(const Value& source, const std::string& pointer) {
  if (!source.is_array()) return Error{"expected a list of rules", pointer};
  Script script{.source = source, .rules = {}};
  std::optional<Error> problem;
  for (std::size_t i = 0; i < source.size(); ++i) {
    script.rules.push_back(read_rule(source.at(i), pointer + "/" + std::to_string(i), problem));
    if (problem) return *std::move(problem);
  }
  return script;
}

}  // namespace fixpoint::cases
