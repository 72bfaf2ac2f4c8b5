#include "reports/events.h"

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
  const Limits& limits = options.limits;
  return {{"event", "start"},
          {"version", version},
          {"seed", count(options.seed)},
          {"subjects", strings(options.subject_names)},
          {"sampleEvery", count(options.sample_every)},
          {"limits",
           {{"repeats_max", limits.repeats_max},
            {"shrink_tries_max", count(limits.shrink_tries_max)},
            {"depth_max", count(limits.depth_max)}}}};
}

Value regression_event(const std::string& file, const std::string& answer) {
  return {{"event", "regression"}, {"file", file}, {"answer", answer}};
}

Value finding_event(const cases::Finding& finding) {
  return {{"event", "finding"}, {"finding", cases::write_finding(finding)}};
}

Value note_event(const cases::Finding& finding) {
  return {{"event", "note"}, {"finding", cases::write_finding(finding)}};
}

Value gate_event(const runner::Gate& gate) {
  return {{"event", "gate"}, {"name", gate.name}, {"judged", gate.judged}, {"held", gate.held}};
}

Value stop_event(const runner::RunSummary& summary) {
  std::vector<Member> properties;
  for (const auto& [name, tally] : summary.properties) {
    properties.push_back({name,
                          {{"asked", count(tally.asked)},
                           {"held", count(tally.held)},
                           {"violated", count(tally.violated)},
                           {"skipped", count(tally.skipped)},
                           {"notApplicable", count(tally.not_applicable)}}});
  }
  Value event{{"event", "stop"},
              {"why", summary.why},
              {"cases", count(summary.cases)},
              {"fully_asked", count(summary.fully_asked)},
              {"reinvoked", count(summary.reinvoked)},
              {"rejected", count(summary.rejected)},
              {"lateContainers", count(summary.late_containers)},
              {"faults", count(summary.faults)},
              {"notRunnable", count(summary.broken)},
              {"drawn",
               {{"containers", count(summary.drawn.containers)},
                {"initContainers", count(summary.drawn.init_containers)},
                {"probes", count(summary.drawn.probes)},
                {"webhooks", count(summary.drawn.webhooks)},
                {"ifNeeded", count(summary.drawn.if_needed)},
                {"updates", count(summary.drawn.updates)},
                {"dryRuns", count(summary.drawn.dry_runs)}}},
              {"findings", count(summary.findings.size())},
              {"notes", count(summary.notes.size())},
              {"properties", std::move(properties)},
              {"seconds", Value::number(std::to_string(summary.seconds))},
              {"rate", count(summary.seconds > 0 ? static_cast<std::uint64_t>(
                                                       static_cast<double>(summary.cases) / summary.seconds)
                                                 : 0)}};
  if (summary.sequences > 0) event.set("sequences", count(summary.sequences));
  return event;
}

}  // namespace fixpoint::reports
