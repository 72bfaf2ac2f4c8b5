#include "harness/campaign/run_reader.h"

#include <cstdio>
#include <filesystem>

#include "harness/campaign/run_folder.h"
#include "harness/campaign/source_lines.h"
#include "harness/cases/redaction.h"
#include "harness/document/cut.h"
#include "harness/document/document_stream.h"
#include "harness/document/fields.h"
#include "harness/document/output_file.h"
#include "harness/runner/examine.h"
#include "harness/runner/trace.h"
#include "injectors/bundled.h"
#include "reports/redact.h"
#include "reports/report_formats.h"
#include "reports/side_by_side.h"

namespace fixpoint::campaign {

using document::Error;
using document::Result;
using document::Value;

namespace {

/// Repeats the calls of the Case and of the property, and returns the Pod before and after each of them.
/// Values are redacted first, so that no secret appears.
std::vector<reports::CallDiff> call_diffs_of(const cases::Finding& finding, const RecordOptions& options) {
  if (finding.sequence || !options.resolve) return {};
  const auto prepared = runner::prepare(finding.value, options.resolve, {}, runner::kWithoutWarnings);
  if (!prepared) return {};
  const auto shown = [&](const Value& pod) { return options.shows_values ? pod : cases::redacted(pod); };
  const auto trace = runner::trace_of(prepared->admission);
  std::vector<reports::CallDiff> call_diffs;
  for (const apiserver::CallEvent& call : prepared->admission.calls) {
    reports::CallDiff call_diff{
        .pass = call.pass, .webhook = prepared->admission.webhooks[static_cast<std::size_t>(call.index)].key};
    std::vector<std::string> again;
    for (const auto& traced : trace)
      if (traced.pass == call_diff.pass && traced.webhook == call_diff.webhook) again = traced.again;
    call_diff.lines =
        reports::side_by_side(shown(call.before), shown(call.result.after), again, finding.evidence.path);
    call_diffs.push_back(std::move(call_diff));
  }
  const auto* property = injectors::bundled().catalog.find(finding.property);
  const auto violation =
      property == nullptr ? std::nullopt : runner::shows(*prepared, *property, finding.fingerprint, {});
  if (!violation) return call_diffs;
  for (const properties::OwnCall& call : violation->calls) {
    call_diffs.push_back({.pass = 0,
                          .check = call.what,
                          .webhook = call.webhook,
                          .lines = reports::side_by_side(shown(call.before), shown(call.result.after), {},
                                                         finding.evidence.path)});
  }
  return call_diffs;
}

/// Does the same until no Case may be run any more; the part is missing for the others.
std::vector<reports::CallDiff> call_diffs_in_time(const cases::Finding& finding,
                                                  const RecordOptions& options) {
  if (!options.is_over) return call_diffs_of(finding, options);
  const document::Bounded bounded(options.is_over);
  try {
    return call_diffs_of(finding, options);
  } catch (const document::Cut&) {
    return {};
  }
}

/// Adds the benchmark results in the run's folder, if there are any.
std::optional<Error> add_benches(const std::string& folder, reports::RunRecord& record) {
  const std::string file = folder + "/bench.ndjson";
  std::error_code problem;
  if (!std::filesystem::exists(file, problem)) return std::nullopt;
  const auto text = document::read_text_file(file);
  if (!text) return text.error();
  if (text->find('\n') == std::string::npos) return std::nullopt;  // there is no whole line
  auto benches = reports::read_events(*text);
  if (!benches) return std::move(benches).error().within(file);
  record.latencies.insert(record.latencies.end(), benches->latencies.begin(), benches->latencies.end());
  record.costs.insert(record.costs.end(), benches->costs.begin(), benches->costs.end());
  return std::nullopt;
}

}  // namespace

Result<reports::RunRecord> read_run(const std::string& folder, const RecordOptions& options) {
  if (auto problem = not_of_a_run(folder, "events.ndjson")) return *std::move(problem);
  const auto events = document::read_text_file(folder + "/events.ndjson");
  if (!events) return events.error();
  auto record = reports::read_events(*events);
  if (!record) return std::move(record).error().within(folder + "/events.ndjson");
  if (auto problem = add_benches(folder, *record)) return *std::move(problem);
  record->folder = folder;
  record->catalog = injectors::bundled().catalog;
  find_source_lines(*record);
  for (reports::RecordedFinding& each : record->findings)
    each.call_diffs = call_diffs_in_time(each.finding, options);
  if (!options.shows_values) return reports::redacted(*std::move(record));
  record->shows_values = true;
  return record;
}

Result<std::string> known_format(const std::string& name) {
  std::vector<std::string_view> names;
  std::string all;
  for (const reports::Format& format : reports::all_formats()) {
    if (format.name == name) return name;
    names.push_back(format.name);
    all.append(all.empty() ? "" : ", ").append(format.name);
  }
  return Error{"there is no format \"" + name + "\"" + document::did_you_mean_suffix(name, names) +
               "; expected one of " + all};
}

Result<std::vector<ReportOrder>> read_orders(const std::vector<std::string>& texts) {
  std::vector<ReportOrder> orders;
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size())
      return Error{"expected FORMAT=FILE, found \"" + text + "\"", "--report"};
    auto format = known_format(text.substr(0, equals));
    if (!format) return std::move(format).error().within("--report");
    orders.push_back({*format, text.substr(equals + 1)});
  }
  return orders;
}

reports::RunRecord record_for(reports::RunRecord record, const std::string& file) {
  std::error_code problem;
  const auto here = std::filesystem::current_path(problem);
  const auto absolute = [&](const std::string& path) { return (here / path).lexically_normal(); };
  for (reports::PastRun& run : record.past_runs) {
    if (run.report.empty()) continue;
    const auto report = absolute(run.report);
    const bool is_page = !file.empty() && report == absolute(file);
    const auto from = file.empty() ? here : absolute(file).parent_path();
    const bool is_there = is_page || std::filesystem::exists(report, problem);
    run.report = is_there ? report.lexically_relative(from).generic_string() : "";
  }
  return record;
}

std::optional<Error> write_reports(const reports::RunRecord& record, const std::vector<ReportOrder>& orders) {
  for (const ReportOrder& order : orders) {
    if (auto problem = document::write_file(
            order.file, reports::find_format(order.format)->write(record_for(record, order.file))))
      return problem;
  }
  return std::nullopt;
}

}  // namespace fixpoint::campaign
