#include "harness/campaign/gate_measures.h"

#include <algorithm>
#include <cstdio>

#include "harness/conformance/vectors.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/external/manifests/manifest.h"
#include "harness/measure/workload.h"

namespace fixpoint::campaign {

using document::Error;
using document::Result;

namespace {

Result<conformance::Counts> agreement_of(const std::string& path) {
  const auto text = document::read_text_file(path);
  if (!text) return text.error();
  conformance::Counts counts;
  std::size_t offset = 0;
  while (text->find_first_not_of(" \n\r\t", offset) != std::string::npos) {
    const auto line = document::read_json_at(*text, offset, {}, document::Strictness::foreign);
    if (!line) return Error{line.error().text(), path + ": document " + std::to_string(counts.all() + 1)};
    counts.add(conformance::check_line(*line).answer);
  }
  return counts;
}

/// Returns the measured latency as a multiple of the bound.
double excess_of(const measure::Ratio& measured, const BenchBound& bound) {
  const double ratio = measured.ratio / bound.ratio_max;
  return bound.microseconds_max ? std::max(ratio, measured.microseconds / *bound.microseconds_max) : ratio;
}

/// Returns the figures of the slowest webhook.
std::string figures_of(const measure::Ratio& slowest, const BenchBound& bound, std::size_t webhooks) {
  char figures[160];
  std::snprintf(figures, sizeof figures, "%.2f of the reference (at most %.2f), %.1f µs a call",
                slowest.ratio, bound.ratio_max, slowest.microseconds);
  if (webhooks == 1) return figures;
  return figures + (", " + slowest.webhook) + ", the slowest of " + std::to_string(webhooks) + " webhooks";
}

/// Judges a bound under the name in the policy; the subjects of a file are reported under their own names.
std::optional<Unasked> judge_bench(GateContext& context, const runner::Subject& subject,
                                   const BenchBound& bound) {
  const std::string& name = external::is_manifest(bound.name) ? subject.name : bound.name;
  const auto measured = measure::ratios_to_reference(subject, context.outside);
  if (!measured) return Unasked{measured.error(), kUnfinished};
  const auto slowest = std::max_element(measured->begin(), measured->end(),
                                        [&](const measure::Ratio& a, const measure::Ratio& b) {
                                          return excess_of(a, bound) < excess_of(b, bound);
                                        });
  const bool is_slow = excess_of(*slowest, bound) > 1;
  const std::string figures = figures_of(*slowest, bound, measured->size());
  context.verdict.lines.push_back("bench " + name + ": " + figures);
  context.add_gate("bench: " + name + " is fast enough", !is_slow);
  if (is_slow) context.verdict.reasons.push_back({.headline = "bench: " + name + " is slow: " + figures});
  return std::nullopt;
}

}  // namespace

std::optional<Unasked> judge_conformance(GateContext& context) {
  for (const std::string& path : context.policy.conformance) {
    if (context.observer.is_interrupted()) return kCutShort;
    context.progress(path);
    auto counts = agreement_of(path);
    if (!counts) return Unasked{std::move(counts).error(), kBadInput};
    const bool agreed = counts->agreed == counts->all() && counts->all() > 0;
    context.verdict.lines.push_back(path + ": " + counts->text());
    context.add_gate("conformance: " + path, agreed);
    if (agreed) continue;
    context.verdict.reasons.push_back(
        {.headline = "conformance: " + path + ": " + counts->text(),
         .details = "  " + context.options.program + " conform --diff " + path + "\n"});
  }
  return std::nullopt;
}

std::optional<Unasked> judge_benches(GateContext& context) {
  for (const BenchBound& bound : context.policy.bench) {
    if (context.observer.is_interrupted()) return kCutShort;
    context.progress("bench " + bound.name);
    const auto found = context.find_subjects(context.with_definitions(bound.name), context.outside);
    if (!found) return Unasked{found.error(), kBadInput};
    for (const runner::Subject& subject : found->chains.subjects)
      if (auto unasked = judge_bench(context, subject, bound)) return unasked;
  }
  if (context.options.shows_progress) std::fputs("\r\033[K", stderr);
  return std::nullopt;
}

}  // namespace fixpoint::campaign
