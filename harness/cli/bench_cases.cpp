#include <algorithm>
#include <cstdio>

#include "harness/cli/command.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/options.h"
#include "harness/document/fields.h"
#include "harness/document/json.h"
#include "harness/document/output_file.h"
#include "harness/document/printable.h"
#include "harness/measure/case_costs.h"
#include "reports/costs.h"
#include "reports/events.h"

namespace fixpoint::cli {

namespace {

constexpr std::uint64_t kRoundsMax = 1000;

struct CurveOptions {
  std::vector<std::string> names = {};
  std::uint64_t rounds = 7;
  bool json = false;
  std::string html = {};
};

std::optional<int> parse_curves(const Arguments& arguments, CurveOptions& options) {
  Options line(
      "bench cases",
      "The cost of one Case as it grows: admission, validation and the cheap properties, on Cases of up to "
      "200 containers, 20 webhooks and 1 MB. A step between two sizes whose "
      "cost grows faster than size^1.6 is quadratic, and the exit code is 1. Reading and writing the same "
      "Pods "
      "as JSON is measured in turn: what that takes longer for each byte of a large one is the machine's.",
      "  fixpoint bench cases\n  fixpoint bench cases --html curves.html\n"
      "  fixpoint bench cases containers --rounds 20\n"
      "  fixpoint bench cases --json >>run/bench.ndjson");
  line.positionals("AXIS", options.names, "containers, webhooks, kilobytes; default: all of them");
  line.value("--rounds", options.rounds, "measurements of each size, of which the best counts (default 7)");
  line.flag("--json", options.json, "NDJSON on standard output, as `report` takes it from RUN/bench.ndjson");
  line.value("--html FILE", options.html, "write a page with the curves to this file");
  if (const auto code = line.parse(arguments)) return *code;
  if (options.rounds < 1 || options.rounds > kRoundsMax)
    return bad_input("--rounds: expected 1 to " + std::to_string(kRoundsMax));
  return std::nullopt;
}

/// Returns the axes with these names, or all axes without names; an error for an unknown name.
Result<std::vector<measure::CostAxis>> chosen_axes(const std::vector<std::string>& names) {
  const auto all = measure::cost_axes();
  if (names.empty()) return std::vector<measure::CostAxis>(all.begin(), all.end());
  std::vector<std::string_view> known;
  for (const measure::CostAxis& axis : all) known.push_back(axis.name);
  std::vector<measure::CostAxis> axes;
  for (const std::string& name : names) {
    const auto row = std::find(known.begin(), known.end(), name);
    if (row == known.end()) {
      return document::Error{"expected containers, webhooks or kilobytes, found \"" + name + "\"" +
                                 document::did_you_mean_suffix(name, known),
                             "bench cases"};
    }
    axes.push_back(all[static_cast<std::size_t>(row - known.begin())]);
  }
  return axes;
}

void print_events(const std::vector<reports::CostRow>& rows, std::span<const reports::CostCurve> curves) {
  for (const reports::CostRow& row : rows)
    std::printf("%s\n", document::write_json(reports::cost_event(row)).c_str());
  std::fputs(reports::steep_text(curves).c_str(), stderr);
}

void print_curves(const std::vector<reports::CostRow>& rows, std::span<const reports::CostCurve> curves,
                  const CurveOptions& options) {
  if (options.json)
    print_events(rows, curves);
  else
    std::fputs(reports::costs_text(curves).c_str(), stdout);
}

/// Prints the axes that were measured completely, and reports the interruption.
int cut_short(const std::vector<reports::CostRow>& rows, std::size_t axes, const CurveOptions& options) {
  const auto curves = reports::curves_of(rows);
  if (!curves.empty()) print_curves(rows, curves, options);
  std::fflush(stdout);
  std::fprintf(
      stderr, "fixpoint: interrupted: %zu of %zu axes were measured%s\n", curves.size(), axes,
      options.html.empty() ? "" : ("; " + document::printable(options.html) + " is not written").c_str());
  return kInterrupted;
}

}  // namespace

int bench_cases(const Arguments& arguments) {
  CurveOptions options;
  if (const auto code = parse_curves(arguments, options)) return *code;
  const auto axes = chosen_axes(options.names);
  if (!axes) return bad_input(axes.error());
  if (!options.html.empty()) {
    if (const auto problem = document::cannot_write(options.html)) return unfinished(*problem);
  }
  heed_interrupts();
  std::vector<reports::CostRow> rows;
  for (const measure::CostAxis& axis : *axes) {
    const auto measured = measure::measure_until_calm(
        axis.name, axis.sizes, {.rounds = options.rounds, .is_over = is_interrupted},
        [&](std::int64_t size) { return measure::examine_new_case(axis.at(size)); });
    if (measured.empty()) return cut_short(rows, axes->size(), options);
    rows.insert(rows.end(), measured.begin(), measured.end());
  }
  const auto curves = reports::curves_of(rows);
  print_curves(rows, curves, options);
  if (!options.html.empty()) {
    if (const auto problem =
            document::write_file(options.html, reports::write_costs_html(curves, FIXPOINT_VERSION)))
      return unfinished(*problem);
  }
  return reports::has_steep_step(curves) ? kFound : kNothingFound;
}

}  // namespace fixpoint::cli
