#include "harness/measure/latency_figures.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>

#include "harness/cases/case.h"
#include "harness/document/document_stream.h"
#include "harness/document/fields.h"
#include "harness/document/joined.h"
#include "harness/document/printable.h"
#include "reports/text.h"

namespace fixpoint::measure {

using document::Error;
using document::Fields;
using document::Member;
using document::Result;
using document::Value;

namespace {

constexpr const char* kBenchBaseline = "BenchBaseline";
/// The number of further measurements of a slow figure before it counts as slower.
constexpr int kBenchTriesMax = 3;

/// Returns the shortest text that reads back as the same number.
Value exact_number(double number) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, number).ptr;
  return Value::number({text, static_cast<std::size_t>(end - text)});
}

void take_whole(Fields& fields, const char* name, std::int64_t at_least, std::int64_t& into) {
  if (!fields.has(name)) fields.fail(name, "expected a whole number, found nothing");
  fields.optional(name, into);
  if (into < at_least) fields.fail(name, "expected at least " + std::to_string(at_least));
}

std::vector<Member> members_of(const BenchFigure& figure) {
  std::vector<Member> members;
  if (figure.is_chain()) {
    members.push_back({"chain", document::list_of(figure.chain)});
  } else {
    members.push_back({"injector", figure.injector});
  }
  members.push_back({"podBytes", figure.pod_bytes});
  if (!figure.example.empty()) members.push_back({"example", figure.example});
  members.push_back({"calls", figure.calls});
  if (figure.is_chain()) {
    members.push_back({"callsPerAdmission", exact_number(figure.calls_per_admission)});
  } else {
    members.push_back({"patchBytes", figure.patch_bytes});
  }
  members.push_back({"microseconds",
                     {{"p50", exact_number(figure.p50)},
                      {"p90", exact_number(figure.p90)},
                      {"p99", exact_number(figure.p99)},
                      {"max", exact_number(figure.max)}}});
  return members;
}

void read_chain(Fields& fields, BenchFigure& figure) {
  fields.optional("chain", figure.chain);
  if (figure.chain.empty()) fields.fail("chain", "expected the names of its members");
  const Value& calls = fields.get("callsPerAdmission");
  if (!(calls.is_number() && calls.text() == "0"))
    fields.required_above_0("callsPerAdmission", figure.calls_per_admission);
}

void read_call(Fields& fields, BenchFigure& figure) {
  fields.required("injector", figure.injector);
  take_whole(fields, "patchBytes", 0, figure.patch_bytes);
}

BenchFigure read_figure(const Value& source, const std::string& pointer, std::optional<Error>& problem) {
  BenchFigure figure;
  Fields fields(source, pointer, problem);
  if (fields.has("chain")) {
    read_chain(fields, figure);
  } else {
    read_call(fields, figure);
  }
  take_whole(fields, "podBytes", 1, figure.pod_bytes);
  fields.optional("example", figure.example);
  take_whole(fields, "calls", 1, figure.calls);
  if (!fields.has("microseconds")) fields.fail("microseconds", "expected an object, found nothing");
  fields.object("microseconds", [&](Fields& latency) {
    latency.required_above_0("p50", figure.p50);
    latency.required_above_0("p90", figure.p90);
    latency.required_above_0("p99", figure.p99);
    latency.required_above_0("max", figure.max);
    latency.finish();
  });
  fields.finish();
  return figure;
}

}  // namespace

bool BenchFigure::is_of_same(const BenchFigure& other) const {
  return injector == other.injector && chain == other.chain && example == other.example &&
         (!example.empty() || pod_bytes == other.pod_bytes);
}

std::string BenchFigure::name() const {
  return (is_chain() ? "chain of " + document::joined(chain) : injector) + ", " +
         (example.empty() ? std::to_string(pod_bytes / 1000) + " kB Pod" : "example " + example);
}

void set_latency(BenchFigure& figure, const std::vector<double>& microseconds) {
  document::check(!microseconds.empty(), "a latency rests on a call");
  const auto at = [&](double share) {
    const double exact =
        microseconds[static_cast<std::size_t>(share * static_cast<double>(microseconds.size() - 1))];
    return std::max(std::round(exact * 100), 1.0) / 100;
  };
  figure.calls = static_cast<std::int64_t>(microseconds.size());
  figure.p50 = at(0.5);
  figure.p90 = at(0.9);
  figure.p99 = at(0.99);
  figure.max = at(1);
}

Value write_baseline(const std::vector<BenchFigure>& figures) {
  Value list = Value::empty_list();
  for (const BenchFigure& figure : figures) list.push_back(members_of(figure));
  return {{"apiVersion", cases::kApiVersion}, {"kind", kBenchBaseline}, {"figures", std::move(list)}};
}

Result<std::vector<BenchFigure>> read_baseline(const Value& document) {
  std::vector<BenchFigure> figures;
  std::optional<Error> problem;
  Fields fields(document, "", problem);
  std::string version, kind;
  fields.choice("apiVersion", version, {cases::kApiVersion});
  fields.choice("kind", kind, {kBenchBaseline});
  if (version.empty()) fields.fail("apiVersion", "expected " + std::string(cases::kApiVersion));
  if (kind.empty()) fields.fail("kind", "expected " + std::string(kBenchBaseline));
  fields.list("figures", [&](const Value& one, const std::string& pointer) {
    BenchFigure figure = read_figure(one, pointer, problem);
    if (!problem && find_figure(figures, figure))
      problem = Error{"there is a figure of " + figure.name() + " already", pointer};
    figures.push_back(std::move(figure));
  });
  fields.finish();
  if (problem) return *std::move(problem);
  return figures;
}

Result<std::vector<BenchFigure>> read_baseline_file(const std::string& path) {
  auto documents = document::read_file(path);
  if (!documents) return std::move(documents).error();
  if (documents->size() != 1) return Error{"expected one BenchBaseline", path};
  auto figures = read_baseline(documents->front());
  if (!figures) return std::move(figures).error().within(path);
  return figures;
}

std::vector<std::string> without_a_patch(const std::vector<BenchFigure>& figures) {
  constexpr std::int64_t kEmptyPatchBytes = 2;
  std::map<std::string, bool> has_patch;
  for (const BenchFigure& figure : figures) {
    if (figure.is_chain()) continue;
    bool& has = has_patch[figure.injector];
    has = has || figure.patch_bytes > kEmptyPatchBytes;
  }
  std::vector<std::string> names;
  for (const auto& [name, has] : has_patch)
    if (!has) names.push_back(name);
  return names;
}

std::optional<BenchFigure> find_figure(const std::vector<BenchFigure>& baseline, const BenchFigure& figure) {
  for (const BenchFigure& known : baseline) {
    if (known.is_of_same(figure)) return known;
  }
  return std::nullopt;
}

std::optional<Error> measure_again(std::vector<SlowFigure>& slow, const std::function<bool()>& rest) {
  const auto is_slower = [](const SlowFigure& one) { return one.row.is_slower(); };
  for (int i = 0; i < kBenchTriesMax && std::any_of(slow.begin(), slow.end(), is_slower); ++i) {
    if (!rest()) break;
    for (SlowFigure& one : slow) {
      if (!one.row.is_slower()) continue;
      auto again = one.measure();
      if (!again) return std::move(again).error();
      if (again->p50 < one.row.figure.p50) one.row.figure = *std::move(again);
    }
  }
  return std::nullopt;
}

namespace {

constexpr int kBenchNameColumns = 34;
constexpr std::int64_t kHalfKilobyte = 500;

std::string printed_row(const char* format, auto... values) {
  char text[256];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string in_columns(const std::string& name) {
  std::string text = document::printable(name);
  text.resize(std::max<std::size_t>(text.size(), kBenchNameColumns), ' ');
  return text;
}

}  // namespace

std::string bench_head(const BenchTable& table) {
  // The two bytes of µ print as one column.
  return in_columns("injector") + printed_row(" %6s %9s %8s %8s %8s", "Pod", "p50 µs", "p90", "p99", "max") +
         (table.has_baseline ? printed_row(" %8s %6s", "baseline", "ratio") : "") + "  patch\n";
}

std::string chain_line(const BenchFigure& figure) {
  return "chain of " + document::printable(document::joined(figure.chain)) + "\n";
}

std::string bench_row(const BenchTable& table, const BenchJudgement& row) {
  const BenchFigure& figure = row.figure;
  std::string text = in_columns(figure.is_chain() ? "  whole admission" : figure.injector) +
                     printed_row(" %3lld kB %8.1f %8.1f %8.1f %8.1f",
                                 static_cast<long long>((figure.pod_bytes + kHalfKilobyte) / 1000),
                                 figure.p50, figure.p90, figure.p99, figure.max);
  if (table.has_baseline) {
    text += row.base ? printed_row(" %8.1f %6.2f", row.base->p50, row.ratio())
                     : printed_row(" %8s %6s", "-", "-");
  }
  text += figure.is_chain() ? printed_row("  %.1f calls per admission", figure.calls_per_admission)
                            : printed_row("  %lld bytes", static_cast<long long>(figure.patch_bytes));
  if (!figure.example.empty()) text += ", example " + document::printable(figure.example);
  if (figure.calls < table.calls_asked) {
    text += ", " + std::to_string(figure.calls) + " of " + std::to_string(table.calls_asked) +
            (figure.is_chain() ? " admissions" : " calls");
  }
  if (table.has_baseline && !row.base) text += ", not in the baseline";
  return text + "\n";
}

std::string bench_row_for_now(const BenchTable& table, const BenchJudgement& row) {
  std::string text = bench_row(table, row);
  text.insert(text.size() - 1, ", measured again below");
  return text;
}

std::string again_line() { return "measured again, up to three times: the best of each\n"; }

std::string slower_line(const BenchJudgement& row) {
  return "SLOWER  " + document::printable(row.figure.name()) +
         printed_row(": p50 %.1f µs is %.2f times the baseline's %.1f µs (at most %.2f times)\n",
                     row.figure.p50, row.ratio(), row.base->p50, row.tolerance);
}

std::string unasked_line(std::size_t count) {
  return std::to_string(count) +
         (count == 1 ? " figure of the baseline was" : " figures of the baseline were") + " not asked for\n";
}

Value bench_event(const BenchJudgement& row, bool with_baseline) {
  std::vector<Member> members{{"event", "bench"}};
  for (Member& member : members_of(row.figure)) members.push_back(std::move(member));
  if (with_baseline && row.base) {
    members.push_back({"baseline",
                       {{"p50", exact_number(row.base->p50)},
                        {"ratio", exact_number(std::round(row.ratio() * 100) / 100)},
                        {"slower", row.is_slower()}}});
  } else if (with_baseline) {
    members.push_back({"baseline", Value()});
  }
  return members;
}

}  // namespace fixpoint::measure
