#include "harness/conformance/vectors_cel.h"

#include <algorithm>
#include <array>
#include <map>

#include "harness/apiserver/cel/authorizer.h"
#include "harness/apiserver/cel/cel.h"
#include "harness/apiserver/cel/numbers.h"
#include "harness/apiserver/cel/opaque.h"
#include "harness/apiserver/cel/times.h"
#include "harness/document/base64.h"
#include "harness/document/json.h"

namespace fixpoint::conformance {

using document::Value;
namespace cel = apiserver::cel;
using cel::Datum;

namespace {

struct BoundName {
  const char* name;
  cel::Variable variable;
};
constexpr std::array kBoundNames = {
    BoundName{"object", cel::Variable::object}, BoundName{"oldObject", cel::Variable::old_object},
    BoundName{"namespaceObject", cel::Variable::namespace_object},
    BoundName{"request", cel::Variable::request}, BoundName{"params", cel::Variable::params}};

Value tag(const char* name, Value value) { return {{name, std::move(value)}}; }

/// A value within an object, as the server converts it: objects in it have lost their types.
Datum untyped(const Datum& value) {
  if (value.is(cel::Kind::list)) {
    std::vector<Datum> elements;
    for (std::size_t i = 0; i < value.size(); ++i) elements.push_back(untyped(value.element(i)));
    return Datum::of(std::move(elements));
  }
  if (!value.is(cel::Kind::opaque) || value.opaque().tag() != "object") return value;
  std::vector<std::pair<Datum, Datum>> entries;
  for (const auto& [name, field] : static_cast<const cel::ObjectBox&>(value.opaque()).fields) {
    entries.emplace_back(Datum::of(name), untyped(field));
  }
  return Datum::of(std::move(entries));
}

Value tagged_opaque(const cel::OpaqueBox& value) {
  if (value.tag() == "object") {
    const auto& object = static_cast<const cel::ObjectBox&>(value);
    std::vector<Value> fields;
    for (const auto& [name, field] : object.fields)
      fields.push_back(Value::list({Value(name), tagged_value(untyped(field))}));
    std::sort(fields.begin(), fields.end(),
              [](const Value& a, const Value& b) { return a.at(0).text() < b.at(0).text(); });
    return {{"fields", Value(std::move(fields))}, {"object", Value(object.name)}};
  }
  if (value.tag() == "patch") {
    const auto& patch = static_cast<const cel::PatchBox&>(value);
    Value fields{{"from", Value(patch.from)}, {"op", Value(patch.op)}, {"path", Value(patch.path)}};
    if (patch.has_value) fields.set("value", tagged_value(patch.value));
    return tag("patch", fields);
  }
  Value text;
  text.set(std::string(value.tag()),
           value.tag() == "opaque" ? Value(value.type_name()) : Value(value.text()));
  return text;
}

cel::Environment environment_of(const Value& line) {
  cel::Environment environment;
  const Value& about = line["environment"];
  if (about["minor"].text().starts_with("1.")) {
    environment.minor =
        static_cast<int>(Value::number(about["minor"].text().substr(2)).integer().value_or(0));
  }
  environment.is_stored = about["stored"].is_true();
  environment.has_patch_types = about["patchTypes"].is_true();
  environment.has_params = line["variables"].find("params") != nullptr;
  environment.has_authorizer = line["variables"].find("authorizer") != nullptr;
  environment.has_variables = true;
  return environment;
}

/// The authorizer that a line lists the answers of: the first whose fields fit.
cel::AuthorizationAnswer listed_answer(const Value& rules, const cel::AuthorizationQuestion& question) {
  const std::array<std::pair<const char*, const std::string*>, 8> fields = {
      {{"user", &question.user},
       {"verb", &question.verb},
       {"group", &question.group},
       {"resource", &question.resource},
       {"subresource", &question.sub_resource},
       {"namespace", &question.name_space},
       {"name", &question.name},
       {"path", &question.path}}};
  for (const Value& rule : rules.elements()) {
    const bool fits = std::all_of(fields.begin(), fields.end(), [&](const auto& field) {
      const std::string_view wanted = rule[field.first].text();
      return wanted.empty() || wanted == *field.second;
    });
    if (!fits) continue;
    const std::string error(rule["error"].text());
    return {rule["decision"].text() == "allow", std::string(rule["reason"].text()), !error.empty(), error};
  }
  return {};
}

void bind_authorizer(const Value& rules, cel::Activation& activation) {
  const cel::Authorizer authorizer = [rules](const cel::AuthorizationQuestion& question) {
    return listed_answer(rules, question);
  };
  activation[cel::Variable::authorizer] = cel::authorizer_value(authorizer, "someone");
  activation[cel::Variable::request_resource] = cel::resource_check_value(
      authorizer, {.user = "someone", .resource = "pods", .name_space = "default", .name = "it"});
}

/// The values that expressions read as variables.NAME.
struct Composition {
  std::map<std::string, cel::Compiled, std::less<>> compiled = {};
  std::uint64_t cost = 0;
  std::string unsupported = {};
};

Datum composed(Composition& all, const cel::Activation& activation, std::string_view name, bool& found) {
  const auto row = all.compiled.find(name);
  found = row != all.compiled.end();
  if (!found) return {};
  cel::Evaluation evaluation =
      cel::evaluate_variable(name, row->second.program.get(), row->second.error, activation);
  all.cost += evaluation.cost;
  return std::move(evaluation.value);
}

}  // namespace

Value tagged_value(const Datum& value) {
  switch (value.kind()) {
    case cel::Kind::null:
    case cel::Kind::error:
      return {};
    case cel::Kind::boolean:
      return value.is_true();
    case cel::Kind::integer:
      return value.integer();
    case cel::Kind::unsigned_integer:
      return tag("uint", Value::number(std::to_string(value.unsigned_integer())));
    case cel::Kind::real:
      return tag("double", cel::real_text(value.real()));
    case cel::Kind::text:
      return value.text();
    case cel::Kind::bytes:
      return tag("bytes", document::encode_base64(value.text()));
    case cel::Kind::duration:
      return tag("duration", cel::go_duration(value.integer()));
    case cel::Kind::timestamp: {
      cel::Time time = value.time();
      time.offset = 0;
      return tag("timestamp", apiserver::timestamp_text(time));
    }
    case cel::Kind::type:
      return tag("type", value.text());
    case cel::Kind::optional:
      if (value.held() == nullptr) return tag("optional", Value::empty_list());
      return tag("optional", Value::list({tagged_value(*value.held())}));
    case cel::Kind::list: {
      std::vector<Value> elements;
      for (std::size_t i = 0; i < value.size(); ++i) elements.push_back(tagged_value(value.element(i)));
      return Value(std::move(elements));
    }
    case cel::Kind::map: {
      std::vector<Value> entries;
      for (std::size_t i = 0; i < value.size(); ++i) {
        const auto [key, of] = value.entry(i);
        entries.push_back(Value::list({tagged_value(key), tagged_value(of)}));
      }
      std::sort(entries.begin(), entries.end(),
                [](const Value& a, const Value& b) { return write_json(a.at(0)) < write_json(b.at(0)); });
      return tag("map", Value(std::move(entries)));
    }
    case cel::Kind::opaque:
      return tagged_opaque(value.opaque());
  }
  return {};
}

Value answer_cel(const Value& line) {
  cel::Environment environment = environment_of(line);
  cel::Activation activation;
  for (const BoundName& row : kBoundNames) activation[row.variable] = Datum::of(line["variables"][row.name]);
  Composition all;
  for (const Value& named : line["compositions"].elements()) {
    cel::Compiled compiled = cel::compile(named["expression"].text(), environment);
    if (!compiled.unsupported.empty()) return {{"unsupported", compiled.unsupported}};
    const std::string name(named["name"].text());
    environment.variables[name] =
        compiled.program ? cel::composed_type(compiled.program->type()) : cel::read_type("dyn");
    all.compiled[name] = std::move(compiled);
  }
  activation[cel::Variable::variables] = cel::lazy_members(
      [&](std::string_view name, bool& found) { return composed(all, activation, name, found); });
  if (environment.has_authorizer) bind_authorizer(line["variables"]["authorizer"], activation);
  const bool is_condition = line["environment"]["returns"].text() == "bool";
  const cel::Compiled compiled =
      cel::compile(line["expression"].text(), environment, is_condition ? cel::read_type("bool") : nullptr);
  if (!compiled.unsupported.empty()) return {{"unsupported", compiled.unsupported}};
  if (!compiled.program) return {{"compileError", compiled.error}};
  const cel::Evaluation evaluation = compiled.program->evaluate(activation);
  const Value cost(static_cast<std::int64_t>(evaluation.cost + all.cost));
  if (evaluation.value.is_error()) return {{"runtimeError", evaluation.value.text()}, {"cost", cost}};
  return {{"value", tagged_value(evaluation.value)}, {"cost", cost}};
}

Compared check_cel(const Value& line, int) {
  const Value found = answer_cel(line);
  if (const Value* why = found.find("unsupported")) return unsupported(std::string(why->text()));
  const Value& expected = line["expect"];
  Compared compared;
  for (const char* part : {"value", "compileError", "runtimeError", "cost"}) {
    const Value* is = found.find(document::Name(std::string_view(part)));
    const Value* wanted = expected.find(document::Name(std::string_view(part)));
    if ((is == nullptr) == (wanted == nullptr) && (is == nullptr || *is == *wanted)) continue;
    const auto text = [](const Value* value) {
      return value == nullptr ? std::string("nothing") : write_json(*value);
    };
    compared.answer = Compared::Answer::disagreed;
    compared.differences.push_back(std::string(part) + ": expected " + text(wanted) + ", found " + text(is));
  }
  return compared;
}

}  // namespace fixpoint::conformance
