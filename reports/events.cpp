#include "reports/events.h"

#include <algorithm>
#include <array>
#include <utility>

#include "reports/text.h"

namespace fixpoint::reports {

using document::Member;
using document::Value;

namespace {

Value count(std::uint64_t number) { return Value::number(std::to_string(number)); }

Value strings(const std::vector<std::string>& texts) {
  return std::vector<Value>(texts.begin(), texts.end());
}

}  // namespace

Value start_event(const runner::RunOptions& options, const std::string& version) {
  const Limits& limits = options.effort.limits;
  return {{"event", "start"},
          {"version", version},
          {"seed", count(options.drawing.seed)},
          {"subjects", strings(options.subjects.names)},
          {"sampleEvery", count(options.effort.sample_every)},
          {"limits",
           {{"repeats_max", limits.repeats_max},
            {"shrink_tries_max", count(limits.shrink_tries_max)},
            {"depth_max", count(limits.depth_max)}}}};
}

Value regression_event(const std::string& file, const std::string& answer) {
  return {{"event", "regression"}, {"file", file}, {"answer", answer}};
}

Value retry_event(const cases::Finding& finding, const std::string& answer) {
  return {{"event", "retry"}, {"answer", answer}, {"finding", cases::write_finding(finding)}};
}

Value finding_event(const cases::Finding& finding) {
  return {{"event", "finding"}, {"finding", cases::write_finding(finding)}};
}

Value problem_event(const cases::Problem& problem, const std::string& known_as) {
  Value written = cases::write_problem(problem);
  written.set("state", known_as.empty() ? "new" : "known");
  if (!known_as.empty()) written.set("knownAs", known_as);
  return {{"event", "problem"}, {"problem", std::move(written)}};
}

Value note_event(const cases::Finding& finding) {
  return {{"event", "note"}, {"finding", cases::write_finding(finding)}};
}

Value cost_event(const CostRow& row) {
  return {{"event", "cost"},
          {"axis", row.axis},
          {"size", row.size},
          {"microseconds", hundredths(std::max(0.01, row.microseconds))},
          {"byteNanoseconds", hundredths(row.byte_nanoseconds)}};
}

Value vacuity_check_event(const runner::VacuityCheck& check) {
  return {{"event", "gate"}, {"name", check.name}, {"judged", check.judged}, {"held", check.held}};
}

Value observation_event(const runner::Observed& observed) {
  const properties::Observation& seen = observed.observation;
  return {{"event", "observation"}, {"kind", seen.kind},      {"webhook", seen.webhook},
          {"path", seen.path},      {"message", seen.reason}, {"cases", count(observed.cases)}};
}

namespace {

/// Returns the counters that `Counts::each` visits, by their names.
template <class Counts>
Value written_counts(const Counts& counts) {
  Value all = Value::empty_object();
  Counts::each(
      [&](const char* name, std::uint64_t Counts::* member) { all.set(name, count(counts.*member)); });
  return all;
}
template <class Counts>
void take_counts(document::Fields& fields, Counts& into) {
  Counts::each(
      [&](const char* name, std::uint64_t Counts::* member) { take_count(fields, name, into.*member); });
}

Value tallies_of(const runner::Tallies& tallies) {
  Value all = Value::empty_object();
  for (const auto& [name, tally] : tallies) all.set(name, written_counts(tally));
  return all;
}

void take_tallies(document::Fields& fields, std::optional<document::Error>& problem, runner::Tallies& into) {
  fields.map("properties", [&](const std::string& name, const Value& value, const std::string& pointer) {
    document::Fields tally(value, pointer, problem);
    take_counts(tally, into[name]);
  });
}

Value kinds_of(const runner::RunSummary& summary) {
  Value all = Value::empty_object();
  for (const auto& [kind, counts] : summary.kinds)
    all.set(kind, Value{{"cases", count(counts.cases)},
                        {"acted", count(counts.acted)},
                        {"properties", tallies_of(counts.properties)}});
  return all;
}

Value counts_of(const std::map<std::string, std::uint64_t>& counts) {
  std::vector<Member> all;
  for (const auto& [name, number] : counts) all.push_back({name, count(number)});
  return all;
}

}  // namespace

namespace {

Value observations_of(const runner::RunSummary& summary) {
  Value all = Value::empty_list();
  for (const runner::Observed& observed : summary.observations) {
    Value one = observation_event(observed);
    one.remove("event");
    all.push_back(std::move(one));
  }
  return all;
}

void take_observation(const Value& source, const std::string& pointer, runner::RunSummary& summary,
                      std::optional<document::Error>& problem) {
  document::Fields fields(source, pointer, problem);
  properties::Observation seen;
  std::uint64_t cases = 0;
  fields.required("kind", seen.kind);
  fields.required("webhook", seen.webhook);
  fields.required("path", seen.path);
  fields.required("message", seen.reason);
  take_count(fields, "cases", cases);
  summary.observe(seen, cases);
}

}  // namespace

Value stop_event(const runner::RunSummary& summary) {
  Value event{{"event", "stop"}, {"reason", summary.why}};
  event.set("failOn", summary.fails_on_warnings ? "warning" : "error");
  runner::CaseTotals::each([&](const char* name, std::uint64_t runner::CaseTotals::* member) {
    if (member != &runner::CaseTotals::sequences) event.set(name, count(summary.*member));
  });
  std::vector<Member> acted, refused, no_effect, denials;
  for (const auto& [subject, counts] : summary.acted) {
    acted.push_back({subject, count(counts.acted)});
    refused.push_back({subject, count(counts.refused)});
    no_effect.push_back({subject, count(counts.no_effect)});
    if (!counts.denials.empty()) denials.push_back({subject, counts_of(counts.denials)});
  }
  event.set("acted", std::move(acted));
  event.set("refused", std::move(refused));
  event.set("noEffect", std::move(no_effect));
  event.set("actedMin", count(summary.acted_min));
  if (!denials.empty()) event.set("denials", std::move(denials));
  if (!summary.not_simulated.empty()) {
    std::vector<Value> names(summary.not_simulated.begin(), summary.not_simulated.end());
    event.set("notSimulated", std::move(names));
  }
  event.set("drawn", written_counts(summary.drawn));
  event.set("findings", count(summary.findings.size()));
  event.set("notes", count(summary.notes.size()));
  event.set("observations", observations_of(summary));
  if (!summary.varying.empty())
    event.set("varying", std::vector<Value>(summary.varying.begin(), summary.varying.end()));
  event.set("properties", tallies_of(summary.properties));
  if (!summary.is_about_pods()) event.set("kinds", kinds_of(summary));
  event.set("seconds", Value::number(std::to_string(summary.seconds)));
  event.set("rate", count(summary.seconds > 0 ? static_cast<std::uint64_t>(
                                                    static_cast<double>(summary.cases) / summary.seconds)
                                              : 0));
  if (summary.sequences > 0) event.set("sequences", count(summary.sequences));
  return event;
}

void take_count(document::Fields& fields, std::string_view name, std::uint64_t& into) {
  std::int64_t number = 0;
  fields.optional(name, number);
  if (number < 0) return fields.fail(name, "expected a count");
  into = static_cast<std::uint64_t>(number);
}

document::Result<runner::RunSummary> read_stop_event(const Value& stop) {
  runner::RunSummary summary;
  std::optional<document::Error> problem;
  document::Fields fields(stop, "", problem);
  fields.optional("reason", summary.why);
  summary.fails_on_warnings = fields.get("failOn").text() == "warning";
  take_counts<runner::CaseTotals>(fields, summary);
  const auto take_acted = [&](const char* name, std::uint64_t runner::Acted::* into) {
    fields.map(name, [&](const std::string& subject, const Value& value, const std::string&) {
      const auto number = value.integer();
      if (!number || *number < 0) return fields.fail(name, "expected a count for each subject");
      summary.acted[subject].*into = static_cast<std::uint64_t>(*number);
    });
  };
  take_acted("acted", &runner::Acted::acted);
  take_acted("refused", &runner::Acted::refused);
  take_acted("noEffect", &runner::Acted::no_effect);
  if (fields.has("actedMin")) take_count(fields, "actedMin", summary.acted_min);
  fields.map("denials", [&](const std::string& subject, const Value& value, const std::string&) {
    for (const auto& [message, cases] : value.members()) {
      const auto number = cases.integer();
      if (!number || *number < 0) return fields.fail("denials", "expected a count for each message");
      summary.acted[subject].denials[std::string(message.text())] = static_cast<std::uint64_t>(*number);
    }
  });
  fields.optional("notSimulated", summary.not_simulated);
  fields.object("drawn", [&](document::Fields& drawn) { take_counts(drawn, summary.drawn); });
  take_tallies(fields, problem, summary.properties);
  fields.map("kinds", [&](const std::string& name, const Value& value, const std::string& pointer) {
    document::Fields kind(value, pointer, problem);
    runner::KindCounts& counts = summary.kinds[name];
    take_count(kind, "cases", counts.cases);
    take_count(kind, "acted", counts.acted);
    take_tallies(kind, problem, counts.properties);
  });
  std::vector<std::string> varying;
  fields.optional("varying", varying);
  summary.varying.insert(varying.begin(), varying.end());
  fields.list("observations", [&](const Value& one, const std::string& pointer) {
    take_observation(one, pointer, summary, problem);
  });
  summary.seconds = fields.get("seconds").real().value_or(0);
  if (problem) return *std::move(problem);
  return summary;
}

}  // namespace fixpoint::reports
