#include "reports/latency_section.h"

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "reports/assets.h"
#include "reports/html_file.h"
#include "reports/log_scale.h"
#include "reports/page.h"
#include "reports/text.h"

namespace fixpoint::reports {

using document::Value;

namespace {

/// The measurements of one injector, or of one chain.
struct Series {
  std::string name;
  std::map<std::int64_t, const LatencyRow*> by_size = {};
};

/// Returns the injectors, or the chains, in the order in which they were measured.
std::vector<Series> series_of(const RunRecord& record, bool of_admissions) {
  std::vector<Series> all;
  for (const LatencyRow& row : record.latencies) {
    if (row.patch_bytes.has_value() == of_admissions) continue;
    const auto is_it = [&](const Series& series) { return series.name == row.injector; };
    auto series = std::find_if(all.begin(), all.end(), is_it);
    if (series == all.end()) series = all.insert(all.end(), {.name = row.injector});
    series->by_size[row.pod_bytes] = &row;
  }
  return all;
}

std::string size_text(std::int64_t bytes) {
  return bytes < 1000 ? std::to_string(bytes) + " B" : std::to_string(bytes / 1000) + " kB";
}

/// Returns one scale for all series, so that panels can be compared.
LogScale scale_of(std::span<const Series> series) {
  std::vector<double> figures;
  for (const Series& one : series) {
    for (const auto& [bytes, row] : one.by_size)
      figures.insert(figures.end(), {row->p50, row->p90, row->p99});
  }
  return log_scale_of(figures);
}

/// Panels that share a legend: at most kSeriesMax series, starting with the one numbered `first`.
class Group {
 public:
  Group(std::span<const Series> series, std::size_t first, const LogScale& scale)
      : series_(series), first_(first), scale_(scale) {}

  std::string legend() const {
    std::string out = "<ol class=\"legend\">\n";
    for (std::size_t i = 0; i < series_.size(); ++i) {
      out += "<li><svg viewBox=\"0 0 42 10\" aria-hidden=\"true\"><line class=\"s" + std::to_string(i + 1) +
             "\" x1=\"0\" y1=\"5\" x2=\"42\" y2=\"5\"/></svg><b>" + std::to_string(first_ + i) + "</b>" +
             html_element("span", series_[i].name) + "</li>\n";
    }
    return out + "</ol>\n";
  }

  /// Returns a panel for each size of Pod in the measurements; `unit` is that of its axis.
  std::string panels(const std::string& unit, Value& data) const {
    std::map<std::int64_t, Value> sizes;
    for (std::size_t i = 0; i < series_.size(); ++i) {
      for (const auto& [bytes, row] : series_[i].by_size)
        sizes.try_emplace(bytes, Value::empty_list()).first->second.push_back(line(i, *row));
    }
    std::string out = "<div class=\"panels\">\n";
    for (auto& [bytes, lines] : sizes) {
      const std::string chart = "latency-" + std::to_string(first_) + "-" + std::to_string(bytes);
      const std::string title = "Pods of " + size_text(bytes);
      out += "<div>" + html_element("h4", title) + "\n" +
             html_canvas(chart, title + ": p50, p90 and p99 in " + unit + "; the table has the figures") +
             "</div>\n";
      data.set(chart, {{"kind", "panel"},
                       {"labels", Value::list({"p50", "p90", "p99"})},
                       {"series", std::move(lines)},
                       {"scale", write_scale(scale_)},
                       {"unit", unit}});
    }
    return out + "</div>\n";
  }

 private:
  /// Returns the figure, raised to the lower end of the scale, because a logarithmic scale has no 0.
  Value figure(double microseconds) const { return hundredths(std::max(microseconds, scale_.low)); }
  Value line(std::size_t i, const LatencyRow& row) const {
    return {{"name", series_[i].name},
            {"number", Value::number(std::to_string(first_ + i))},
            {"look", Value::number(std::to_string(i + 1))},
            {"values", Value::list({figure(row.p50), figure(row.p90), figure(row.p99)})}};
  }

  std::span<const Series> series_;
  std::size_t first_;
  const LogScale& scale_;
};

/// Returns a title and groups of about the same number of series, which are numbered from `first`.
std::string groups(const char* title, const char* unit, std::span<const Series> series, std::size_t first,
                   Value& data) {
  if (series.empty()) return "";
  const LogScale scale = scale_of(series);
  const std::size_t parts = (series.size() + kSeriesMax - 1) / kSeriesMax;
  const std::size_t each = (series.size() + parts - 1) / parts;
  std::string out;
  for (std::size_t from = 0; from < series.size(); from += each) {
    const std::size_t count = std::min(each, series.size() - from);
    const Group group(series.subspan(from, count), first + from, scale);
    const std::string part = ", " + std::to_string(from + 1) + " to " + std::to_string(from + count) +
                             " of " + std::to_string(series.size());
    out += html_element("h3", title + (parts == 1 ? "" : part)) + "\n" + group.legend() +
           group.panels(unit, data);
  }
  return out;
}

std::string table_of(const RunRecord& record) {
  std::string rows;
  for (const LatencyRow& row : record.latencies) {
    rows += "<tr>" + html_element("td", row.injector) + html_figure(size_text(row.pod_bytes));
    for (const double microseconds : {row.p50, row.p90, row.p99, row.max})
      rows += html_figure(hundredths(microseconds).text());
    rows += html_figure(row.patch_bytes ? std::to_string(*row.patch_bytes) : "–") + "</tr>\n";
  }
  return html_folded_table({"injector", "Pod", "p50 µs", "p90 µs", "p99 µs", "max µs", "patch bytes"}, rows);
}

}  // namespace

std::string latency_section(const RunRecord& record, Value& data) {
  if (record.latencies.empty()) return "";
  const auto calls = series_of(record, false), admissions = series_of(record, true);
  const std::string of_calls = groups("One call", "µs a call", calls, 1, data),
                    of_admissions =
                        groups("A whole admission", "µs an admission", admissions, calls.size() + 1, data);
  return filled_html(latency_html(), {{"panels", of_calls + of_admissions}, {"table", table_of(record)}});
}

}  // namespace fixpoint::reports
