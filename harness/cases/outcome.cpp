#include "harness/cases/outcome.h"

#include <algorithm>
#include <set>

#include "harness/cases/case.h"
#include "harness/cases/recorded_texts.h"
#include "harness/document/fields.h"
#include "harness/document/json.h"
#include "harness/document/pointer.h"

namespace fixpoint::cases {

namespace {

/// The text that recordings up to 2026 have in place of the answer that a panic of the server never gives.
constexpr std::string_view kSaidOfPanic =
    "This request caused apiserver to panic. Look in the logs for details.";

using document::Error;
using document::Fields;
using document::Member;

Value write_call(const CallRecord& call) {
  return {{"pass", call.pass},       {"webhook", call.webhook}, {"index", call.index},
          {"changed", call.changed}, {"patch", call.patch},     {"error", call.error}};
}

CallRecord read_call(const Value& source, const std::string& pointer, std::optional<Error>& problem) {
  Fields fields(source, pointer, problem);
  CallRecord call;
  fields.optional("pass", call.pass);
  fields.required("webhook", call.webhook);
  fields.optional("index", call.index);
  fields.optional("changed", call.changed);
  fields.optional("patch", call.patch);
  fields.optional("error", call.error);
  fields.finish();
  return call;
}

Value write_policy(const PolicyRecord& record) {
  return {{"pass", record.pass},   {"policy", record.policy},   {"binding", record.binding},
          {"param", record.param}, {"changed", record.changed}, {"errors", document::list_of(record.errors)}};
}

PolicyRecord read_policy(const Value& source, const std::string& pointer, std::optional<Error>& problem) {
  Fields fields(source, pointer, problem);
  PolicyRecord record;
  fields.optional("pass", record.pass);
  fields.required("policy", record.policy);
  fields.required("binding", record.binding);
  fields.optional("param", record.param);
  fields.optional("changed", record.changed);
  fields.optional("errors", record.errors);
  fields.finish();
  return record;
}

Value write_status(const std::optional<Status>& status) {
  if (!status) return {};
  std::vector<Member> out{{"code", status->code}, {"reason", status->reason}, {"message", status->message}};
  if (!status->causes.empty()) out.push_back({"causes", document::list_of(status->causes)});
  return out;
}

void read_status(Fields& fields, Outcome& outcome) {
  fields.object("status", [&](Fields& status) {
    Status& into = outcome.status.emplace();
    status.optional("code", into.code);
    status.optional("reason", into.reason);
    status.optional("message", into.message);
    status.optional("causes", into.causes);
    status.finish();
  });
}

void read_validating(Fields& fields, Outcome& outcome, std::optional<Error>& problem) {
  fields.object("validating", [&](Fields& validating) {
    Validating& into = outcome.validating.emplace();
    validating.optional("code", into.code);
    validating.list("causes", [&](const Value& source, const std::string& pointer) {
      Fields cause(source, pointer, problem);
      Validating::Cause& one = into.causes.emplace_back();
      cause.required("plugin", one.plugin);
      cause.required("message", one.message);
      cause.finish();
    });
    validating.list("calls", [&](const Value& source, const std::string& pointer) {
      Fields call(source, pointer, problem);
      Validating::Call& one = into.calls.emplace_back();
      call.required("webhook", one.webhook);
      call.optional("index", one.index);
      call.optional("sent", one.is_sent);
      call.optional("code", one.code);
      call.optional("error", one.error);
      call.finish();
    });
    validating.map("auditAnnotations", [&](const std::string& key, const Value& value, const std::string&) {
      into.audit_annotations.emplace(key, value.text());
    });
    validating.finish();
  });
}

Value write_annotations(const std::map<std::string, std::string>& annotations) {
  std::vector<Member> audit;
  for (const auto& [key, value] : annotations) audit.push_back({key, value});
  return audit;
}

Value write_validating(const std::optional<Validating>& validating) {
  if (!validating) return {};
  std::vector<Value> causes;
  for (const auto& [plugin, message] : validating->causes)
    causes.push_back({{"plugin", plugin}, {"message", message}});
  std::vector<Member> out{{"code", validating->code}, {"causes", std::move(causes)}};
  if (validating->calls.empty()) return out;
  std::vector<Value> calls;
  for (const Validating::Call& call : validating->calls) {
    calls.push_back({{"webhook", call.webhook},
                     {"index", call.index},
                     {"sent", call.is_sent},
                     {"code", call.code},
                     {"error", call.error}});
  }
  out.push_back({"calls", std::move(calls)});
  out.push_back({"auditAnnotations", write_annotations(validating->audit_annotations)});
  return out;
}

}  // namespace

Value write_outcome(const Outcome& outcome) {
  std::vector<Value> calls, warnings, invalid;
  for (const CallRecord& call : outcome.calls) calls.push_back(write_call(call));
  for (const std::string& warning : outcome.warnings) warnings.emplace_back(warning);
  for (const FieldError& error : outcome.invalid) {
    Value& one = invalid.emplace_back(Value{{"type", error.type}, {"field", error.field}});
    if (!error.message.empty()) one.set("message", error.message);
  }
  std::vector<Member> out{{"apiVersion", kApiVersion},
                          {"kind", "Outcome"},
                          {"case", outcome.case_name},
                          {"allowed", outcome.allowed},
                          {"status", write_status(outcome.status)},
                          {"passes", outcome.passes}};
  if (!outcome.policies.empty()) {
    std::vector<Value> policies;
    for (const PolicyRecord& record : outcome.policies) policies.push_back(write_policy(record));
    out.push_back({"policies", std::move(policies)});
  }
  out.push_back({"calls", std::move(calls)});
  out.push_back({"object", sorted(outcome.object)});
  out.push_back({"warnings", std::move(warnings)});
  out.push_back({"auditAnnotations", write_annotations(outcome.audit_annotations)});
  out.push_back({"invalid", std::move(invalid)});
  if (outcome.crashed) out.push_back({"crashed", true});
  out.push_back({"validating", write_validating(outcome.validating)});
  return out;
}

std::string code_and_reason(const Status& status) {
  if (status.code == 0) return status.message;
  return std::to_string(status.code) + " " + status.reason;
}

Result<Outcome> read_outcome(const Value& document) {
  Outcome outcome;
  std::optional<Error> problem;
  Fields fields(document, "", problem);
  std::string api_version, kind;
  fields.choice("apiVersion", api_version, {kApiVersion});
  fields.choice("kind", kind, {"Outcome"});
  fields.optional("case", outcome.case_name);
  fields.optional("allowed", outcome.allowed);
  read_status(fields, outcome);
  fields.optional("passes", outcome.passes);
  fields.list("policies", [&](const Value& record, const std::string& pointer) {
    outcome.policies.push_back(read_policy(record, pointer, problem));
  });
  fields.list("calls", [&](const Value& call, const std::string& pointer) {
    outcome.calls.push_back(read_call(call, pointer, problem));
  });
  fields.optional("object", outcome.object);
  fields.optional("warnings", outcome.warnings);
  fields.map("auditAnnotations", [&](const std::string& key, const Value& value, const std::string&) {
    outcome.audit_annotations.emplace(key, value.text());
  });
  fields.list("invalid", [&](const Value& error, const std::string& pointer) {
    Fields inner(error, pointer, problem);
    FieldError& into = outcome.invalid.emplace_back();
    inner.required("type", into.type);
    inner.required("field", into.field);
    inner.optional("message", into.message);
    inner.finish();
  });
  fields.optional("crashed", outcome.crashed);
  read_validating(fields, outcome, problem);
  fields.finish();
  if (outcome.status && outcome.status->message == kSaidOfPanic) {
    outcome.status.reset();
    outcome.crashed = true;
  }
  if (problem) return *std::move(problem);
  return outcome;
}

namespace {

/// Parses an audit value that is JSON, so that it is compared as JSON.
Value audit_value(const std::string& text) {
  auto read = document::read_json(text, {}, document::Strictness::foreign);
  return read ? *std::move(read) : Value(text);
}

Value comparable(const Outcome& outcome) {
  Outcome copy = outcome;
  copy.case_name.clear();
  std::sort(copy.warnings.begin(), copy.warnings.end());
  Value value = write_outcome(copy);
  for (auto& member : value.edit("auditAnnotations").edit_members()) {
    member.value = audit_value(std::string(member.value.text()));
  }
  return value;
}

void compare(const Value& expected, const Value& found, const std::string& place,
             std::vector<std::string>& out) {
  if (expected == found) return;
  if (expected.is_object() && found.is_object()) {
    std::set<std::string> names;
    for (const Member& member : expected.members()) names.emplace(member.key.text());
    for (const Member& member : found.members()) names.emplace(member.key.text());
    for (const std::string& name : names)
      compare(expected[name], found[name], place + "/" + document::escape_token(name), out);
    return;
  }
  if (expected.is_array() && found.is_array() && expected.size() == found.size()) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      compare(expected.at(i), found.at(i), place + "/" + std::to_string(i), out);
    }
    return;
  }
  out.push_back(place + ": expected " + write_json(expected) + ", found " + write_json(found));
}

/// Takes over the messages that were recorded, where they agree, and drops those that have no recorded one.
void align_message(const std::string& expected, std::string& found) {
  if (agrees_with_recorded(expected, found)) found = expected;
}

}  // namespace

std::vector<std::string> differences(const Outcome& recorded, const Outcome& found_outcome) {
  std::vector<std::string> out;
  Outcome expected = recorded, found = found_outcome;
  if (expected.status && found.status) {
    if (is_cut_short(expected.status->message)) expected.status->message.clear();
    align_message(expected.status->message, found.status->message);
  }
  for (std::size_t i = 0; i < std::min(expected.invalid.size(), found.invalid.size()); ++i) {
    align_message(expected.invalid[i].message, found.invalid[i].message);
  }
  if (!expected.validating) found.validating.reset();
  if (expected.validating && found.validating) {
    if (expected.validating->calls.empty()) {
      found.validating->calls.clear();
      found.validating->audit_annotations.clear();
    }
    auto &causes = expected.validating->causes, &found_causes = found.validating->causes;
    for (std::size_t i = 0; i < std::min(causes.size(), found_causes.size()); ++i)
      align_message(causes[i].message, found_causes[i].message);
  }
  compare(comparable(expected), comparable(found), "", out);
  return out;
}

}  // namespace fixpoint::cases
