#include "reports/costs.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "harness/document/check.h"
#include "harness/document/printable.h"
#include "reports/assets.h"
#include "reports/escape.h"
#include "reports/html_file.h"
#include "reports/log_scale.h"
#include "reports/page.h"
#include "reports/text.h"

namespace fixpoint::reports {

using document::Value;

namespace {

std::string decimals(double number, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, number);
  return text;
}

std::string power(double growth) { return "size^" + decimals(growth, 2); }
/// The note below the figures.
constexpr const char* kOfBytes =
    "A byte of a large Pod is slower to read and write as JSON, too (ns a byte): that much is no growth.";
std::string highest_power() { return "size^" + decimals(kGrowthMax, 1); }

using Best = std::map<std::int64_t, CostRow>;

/// Returns how many times longer the machine takes for each byte at `to` than at `from`; at least 1.
double slowdown(const CostPoint& from, const CostPoint& to) {
  const bool are_known = from.byte_nanoseconds > 0 && to.byte_nanoseconds > 0;
  return are_known ? std::max(1.0, to.byte_nanoseconds / from.byte_nanoseconds) : 1.0;
}

double growth_of(const CostPoint& from, const CostPoint& to) {
  return std::log(to.microseconds / from.microseconds / slowdown(from, to)) /
         std::log(static_cast<double>(to.size) / static_cast<double>(from.size));
}

CostCurve curve_of(std::string axis, const Best& best) {
  CostCurve curve{.axis = std::move(axis)};
  for (const auto& [size, row] : best) {
    CostPoint point{.size = size,
                    .microseconds = row.microseconds,
                    .per_unit = row.microseconds / static_cast<double>(size),
                    .byte_nanoseconds = row.byte_nanoseconds,
                    .growth = std::nullopt};
    if (!curve.points.empty()) point.growth = growth_of(curve.points.back(), point);
    curve.points.push_back(point);
  }
  return curve;
}

template <class Each>
void for_each_steep_step(std::span<const CostCurve> curves, const Each& each) {
  for (const CostCurve& curve : curves) {
    for (std::size_t i = 1; i < curve.points.size(); ++i)
      if (curve.points[i].is_steep()) each(curve, curve.points[i - 1], curve.points[i]);
  }
}

}  // namespace

std::vector<CostCurve> curves_of(std::span<const CostRow> rows) {
  std::vector<std::string> axes;
  std::map<std::string, Best> best;
  for (const CostRow& row : rows) {
    document::check(row.size > 0 && row.microseconds > 0, "a Case has a size and costs something");
    if (!best.contains(row.axis)) axes.push_back(row.axis);
    const auto [at, is_new] = best[row.axis].try_emplace(row.size, row);
    at->second.microseconds = std::min(at->second.microseconds, row.microseconds);
    at->second.byte_nanoseconds = std::min(at->second.byte_nanoseconds, row.byte_nanoseconds);
  }
  std::vector<CostCurve> curves;
  for (const std::string& axis : axes) curves.push_back(curve_of(axis, best[axis]));
  return curves;
}

bool has_steep_step(std::span<const CostCurve> curves) {
  bool found = false;
  for_each_steep_step(curves, [&](const auto&, const auto&, const auto&) { found = true; });
  return found;
}

std::string verdict_of(std::span<const CostCurve> curves) {
  std::size_t steps = 0;
  for_each_steep_step(curves, [&](const auto&, const auto&, const auto&) { ++steps; });
  if (steps == 0) return "no step grows faster than the Case";
  return plural(steps, "quadratic step", "quadratic steps");
}

std::string steep_text(std::span<const CostCurve> curves) {
  std::string text;
  for_each_steep_step(curves, [&](const CostCurve& curve, const CostPoint& from, const CostPoint& to) {
    text += "STEEP  " + document::printable(curve.axis) + " from " + std::to_string(from.size) + " to " +
            std::to_string(to.size) + ": " + decimals(from.microseconds, 1) + " to " +
            decimals(to.microseconds, 1) + " µs grows as " + power(*to.growth) + ", expected at most " +
            highest_power() + "\n";
  });
  return text;
}

std::string costs_text(std::span<const CostCurve> curves) {
  std::string text;
  for (const CostCurve& curve : curves) {
    // The names of two columns contain a letter of two bytes.
    char line[160];
    std::snprintf(line, sizeof line, "%-14s %13s %13s %11s  %s\n",
                  document::printable(curve.axis).substr(0, 60).c_str(), "µs a Case", "µs a unit",
                  "ns a byte", "grows as");
    text += line;
    for (const CostPoint& point : curve.points) {
      std::snprintf(line, sizeof line, "%-14lld %12.1f %12.2f %11.2f  %s\n",
                    static_cast<long long>(point.size), point.microseconds, point.per_unit,
                    point.byte_nanoseconds, point.growth ? power(*point.growth).c_str() : "-");
      text += line;
    }
    text += "\n";
  }
  const std::string steep = steep_text(curves);
  return text + kOfBytes + "\n" + (steep.empty() ? verdict_of(curves) + "\n" : steep);
}

namespace {

std::string table_of(const CostCurve& curve) {
  std::string rows;
  for (const CostPoint& point : curve.points) {
    rows += "<tr>" + html_cell(static_cast<std::uint64_t>(point.size)) +
            html_figure(decimals(point.microseconds, 1)) + html_figure(decimals(point.per_unit, 2)) +
            html_figure(decimals(point.byte_nanoseconds, 2)) + "<td>" +
            (point.growth ? power(*point.growth) : "–") +
            (point.is_steep() ? " " + html_badge("steep") : "") + "</td></tr>\n";
  }
  return html_folded_table({curve.axis, "µs a Case", "µs a unit", "ns a byte", "grows as"}, rows);
}

Value chart_point(std::int64_t size, double microseconds) {
  return {{"x", size}, {"y", hundredths(microseconds)}};
}

/// Returns a chart with the curve, and with the line on which cost is proportional to size, starting at the
/// smallest size.
Value chart_of(const CostCurve& curve) {
  const CostPoint &first = curve.points.front(), &last = curve.points.back();
  const double in_proportion = first.per_unit * static_cast<double>(last.size);
  Value measured = Value::empty_list(), sizes = Value::empty_list();
  std::vector<double> costs{in_proportion};
  for (const CostPoint& point : curve.points) {
    measured.push_back(chart_point(point.size, point.microseconds));
    sizes.push_back(point.size);
    costs.push_back(point.microseconds);
  }
  const Value ends =
      Value::list({chart_point(first.size, first.microseconds), chart_point(last.size, in_proportion)});
  return {{"kind", "growth"},
          {"label", curve.axis},
          {"unit", "µs a Case"},
          {"sizes", std::move(sizes)},
          {"scale", write_scale(log_scale_of(costs))},
          {"series", Value::list({{{"name", "measured"}, {"values", std::move(measured)}},
                                  {{"name", "in proportion"}, {"values", ends}, {"dashed", true}}})}};
}

/// Returns the growth in words for readers who do not read exponents.
const char* pace_of(double growth) {
  if (growth > kGrowthMax) return "steep";
  if (growth > 1.15) return "faster than the size";
  if (growth > 0.85) return "about as fast as the size";
  return growth > 0.35 ? "slower than the size" : "hardly with the size";
}

/// Returns the sentence below a curve.
std::string steepest_step(const CostCurve& curve) {
  const CostPoint* steepest = nullptr;
  const CostPoint* before = nullptr;
  for (std::size_t i = 1; i < curve.points.size(); ++i) {
    if (steepest != nullptr && *curve.points[i].growth <= *steepest->growth) continue;
    steepest = &curve.points[i];
    before = &curve.points[i - 1];
  }
  if (steepest == nullptr) return "One size was measured: that is no curve yet.";
  return "The steepest step, from " + std::to_string(before->size) + " to " + std::to_string(steepest->size) +
         " " + curve.axis + ", grows as " + power(*steepest->growth) + ": " + pace_of(*steepest->growth) +
         ".";
}

}  // namespace

std::string costs_section(std::span<const CostCurve> curves, Value& data) {
  if (curves.empty()) return "";
  std::string panels;
  for (const CostCurve& curve : curves) {
    const std::string chart = "costs-" + std::to_string(&curve - curves.data());
    const std::string words = steepest_step(curve);
    panels += "<div>" + html_element("h3", curve.axis) + "\n" +
              html_canvas(chart, "What a Case costs by its number of " + curve.axis + ". " + words) +
              html_element("p", words) + "\n" + table_of(curve) + "</div>\n";
    data.set(chart, chart_of(curve));
  }
  const std::string verdict =
      has_steep_step(curves) ? "<p>" + html_badge("steep") + xml_text(verdict_of(curves)) + "</p>\n" : "";
  return filled_html(
      costs_html(),
      {{"steep", highest_power()}, {"of_bytes", kOfBytes}, {"verdict", verdict}, {"curves", panels}});
}

std::string write_costs_html(std::span<const CostCurve> curves, const std::string& version) {
  Page page{.title = (has_steep_step(curves) ? "FAILED: " : "PASSED: ") + verdict_of(curves),
            .failed = has_steep_step(curves),
            .run = "What a Case costs as it grows; fixpoint " + xml_text(version),
            .main_id = "costs",
            .main_name = "curves",
            .data = Value::empty_object()};
  page.main = costs_section(curves, page.data);
  return write_page(page);
}

}  // namespace fixpoint::reports
