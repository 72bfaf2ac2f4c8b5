#include "harness/cases/finding.h"

#include "harness/document/fields.h"
#include "harness/document/json.h"

namespace fixpoint::cases {

namespace {

using document::Fields;
using document::Member;

/// The keys of a call's number and its actor in a trace of webhook calls or of the steps of a Sequence.
struct TraceKeys {
  const char* number;
  const char* actor;
};
constexpr TraceKeys kCalls{"pass", "webhook"}, kSteps{"step", "command"};

Value write_trace(const std::vector<TraceStep>& calls, const TraceKeys& as) {
  std::vector<Value> out;
  for (const TraceStep& call : calls) {
    Value one = call.check.empty() ? Value{{as.number, call.pass}} : Value{{"check", call.check}};
    one.set(as.actor, call.webhook);
    one.set("effect", document::list_of(call.effect));
    if (!call.again.empty()) one.set("again", document::list_of(call.again));
    out.push_back(std::move(one));
  }
  return out;
}

TraceStep read_call(const Value& source, const std::string& pointer, const TraceKeys& as,
                    std::optional<Error>& problem) {
  Fields fields(source, pointer, problem);
  TraceStep call;
  fields.optional("check", call.check);
  call.pass = call.check.empty() ? 1 : 0;
  fields.optional(as.number, call.pass);
  fields.required(as.actor, call.webhook);
  fields.optional("effect", call.effect);
  fields.get("did");  // the same, in policies' Cases and histories that stand
  fields.optional("again", call.again);
  fields.finish();
  return call;
}

}  // namespace

Value write_finding(const Finding& finding) {
  Value evidence{{"path", finding.evidence.path}, {"value", sorted(finding.evidence.value)}};
  if (!finding.evidence.reason.empty()) evidence.set("message", finding.evidence.reason);
  if (!finding.evidence.excerpt.empty()) evidence.set("excerpt", finding.evidence.excerpt);
  evidence.set("calls", write_trace(finding.evidence.calls, finding.sequence ? kSteps : kCalls));
  Value found{{"seed", Value::number(std::to_string(finding.found.seed))},
              {"cases", finding.found.cases},
              {"shrinks", finding.found.shrinks}};
  if (finding.found.unfinished) found.set("unfinished", true);
  Value out{{"apiVersion", kApiVersion},
            {"kind", "Finding"},
            {"property", finding.property},
            {"severity", finding.severity},
            {"webhook", finding.webhook.empty() ? Value() : Value(finding.webhook)},
            {"verdict", finding.verdict.empty() ? Value() : Value(finding.verdict)},
            {"evidence", std::move(evidence)},
            {"case", finding.sequence ? write_sequence(*finding.sequence) : write_case(finding.value)}};
  if (!finding.before.empty()) {
    Value before = Value::empty_list();
    for (const Case& earlier : finding.before) before.push_back(write_case(earlier));
    out.set("before", std::move(before));
  }
  out.set("found", std::move(found));
  if (const auto& cause = finding.cause) {
    out.set("cause", {{"part", cause->part}, {"place", cause->place}, {"symptom", cause->symptom}});
    if (!cause->change.empty()) out.edit("cause").set("change", cause->change);
  }
  if (const auto& repair = finding.repair)
    out.set("repair", {{"kind", repair->kind}, {"operation", repair->operation}});
  out.set("fingerprint", finding.fingerprint);
  return out;
}

namespace {

void read_evidence(Fields& fields, const TraceKeys& shape, Evidence& read, std::optional<Error>& problem) {
  fields.optional("path", read.path);
  fields.optional("value", read.value);
  fields.optional("message", read.reason);
  fields.get("because");  // the same, as above
  fields.optional("excerpt", read.excerpt);
  fields.list("calls", [&](const Value& call, const std::string& pointer) {
    read.calls.push_back(read_call(call, pointer, shape, problem));
  });
  fields.finish();
}

void read_found(Fields& fields, Found& read) {
  const Value& seed = fields.get("seed");
  if (seed.is_number()) read.seed = std::strtoull(std::string(seed.text()).c_str(), nullptr, 10);
  fields.optional("cases", read.cases);
  fields.optional("unfinished", read.unfinished);
  fields.optional("shrinks", read.shrinks);
  fields.finish();
}

/// Returns the error with its place in a Finding.
Error within(Error error, const std::string& pointer) {
  return {std::move(error.message), pointer + (error.place == "/" ? "" : error.place)};
}

std::optional<Error> read_sequence_into(Finding& finding, const Value& stored, const SequenceReader& reader) {
  auto sequence = read_sequence(stored, reader);
  if (!sequence) return within(std::move(sequence).error(), "/case");
  finding.sequence = *std::move(sequence);
  return std::nullopt;
}

std::optional<Error> read_cases_into(Finding& finding, const Value& stored,
                                     const std::vector<std::pair<Value, std::string>>& before,
                                     const KnownInjector& known_injector) {
  auto value = read_case(stored, known_injector);
  if (!value) return within(std::move(value).error(), "/case");
  finding.value = *std::move(value);
  for (const auto& [earlier, pointer] : before) {
    auto read = read_case(earlier, known_injector);
    if (!read) return within(std::move(read).error(), pointer);
    finding.before.push_back(*std::move(read));
  }
  return std::nullopt;
}

}  // namespace

Result<Finding> read_finding(const Value& document, const KnownInjector& known_injector,
                             const SequenceReader& sequence_reader) {
  Finding finding;
  std::optional<Error> problem;
  Fields fields(document, "", problem);
  std::string api_version, kind;
  fields.choice("apiVersion", api_version, {kApiVersion});
  fields.choice("kind", kind, {"Finding"});
  const bool is_of_sequence = is_sequence(document["case"]);
  fields.required("property", finding.property);
  fields.choice("severity", finding.severity, {"error", "warning"});
  fields.optional("webhook", finding.webhook);
  fields.optional("verdict", finding.verdict);
  fields.object("evidence", [&](Fields& evidence) {
    read_evidence(evidence, is_of_sequence ? kSteps : kCalls, finding.evidence, problem);
  });
  const Value& stored = fields.get("case");
  if (stored.is_null()) fields.fail("case", "expected a Case, found nothing");
  std::vector<std::pair<Value, std::string>> before;
  fields.list("before", [&](const Value& earlier, const std::string& pointer) {
    before.emplace_back(earlier, pointer);
  });
  fields.object("found", [&](Fields& found) { read_found(found, finding.found); });
  fields.object("cause", [&](Fields& cause) {
    Cause& read = finding.cause.emplace();
    cause.optional("part", read.part);
    cause.required("place", read.place);
    cause.required("symptom", read.symptom);
    cause.optional("change", read.change);
    cause.finish();
  });
  fields.object("repair", [&](Fields& repair) {
    Repair& read = finding.repair.emplace();
    repair.required("kind", read.kind);
    repair.required("operation", read.operation);
    repair.finish();
  });
  fields.optional("fingerprint", finding.fingerprint);
  fields.finish();
  if (problem) return *std::move(problem);
  if (auto bad = is_of_sequence ? read_sequence_into(finding, stored, sequence_reader)
                                : read_cases_into(finding, stored, before, known_injector))
    return *std::move(bad);
  return finding;
}

}  // namespace fixpoint::cases
