#include <cstdio>

#include "generators/reduce.h"
#include "generators/reduce_sequence.h"
#include "harness/cases/kind_words.h"
#include "harness/cli/command.h"
#include "harness/cli/external_options.h"
#include "harness/cli/options.h"
#include "harness/document/json.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/external/backends/stored_case.h"
#include "harness/runner/sequences.h"
#include "harness/runner/shrink_finding.h"
#include "injectors/bundled.h"
#include "reports/text.h"

namespace fixpoint::cli {

namespace {

struct Target {
  const properties::Property* property = nullptr;
  std::string fingerprint;
};

/// Returns the violation that shrinking must keep: the Finding's own fingerprint, or the first violation of a
/// bare Case.
Result<Target> target_of(const external::StoredCase& stored, const webhooks::Resolve& resolve,
                         const Limits& limits) {
  if (stored.finding) {
    const auto* property = injectors::bundled().catalog.find(stored.finding->property);
    if (property == nullptr)
      return document::Error{"there is no property \"" + stored.finding->property + "\"", stored.place};
    return Target{property, stored.finding->fingerprint};
  }
  const auto prepared = runner::prepare(stored.value, resolve, limits);
  if (!prepared) return document::Error{prepared.error().text(), stored.place};
  const auto& catalog = injectors::bundled().catalog;
  for (const runner::PropertyJudgement& asked : runner::ask(*prepared, catalog.of_cases(), {}, limits)) {
    if (const auto* violated = std::get_if<properties::Violated>(&asked.judgement)) {
      return Target{asked.property,
                    runner::fingerprint(stored.value, asked.property->name, violated->violations.front())};
    }
  }
  return document::Error{"every property holds: there is nothing to keep while shrinking", stored.place};
}

/// Returns the violation of a Sequence that shrinking must keep: the Finding's own, or the first of a bare
/// Sequence.
Result<std::pair<const properties::sequences::Property*, std::string>> sequence_target(
    const external::StoredCase& stored) {
  if (stored.finding) {
    const auto* property = injectors::bundled().catalog.find_of_sequences(stored.finding->property);
    if (property == nullptr)
      return document::Error{"there is no property \"" + stored.finding->property + "\"", stored.place};
    return std::pair(property, stored.finding->fingerprint);
  }
  const auto prepared = runner::prepare(*stored.sequence, injectors::bundled().resolve_reconciler);
  if (!prepared) return document::Error{prepared.error().text(), stored.place};
  const auto& catalog = injectors::bundled().catalog;
  for (const auto* property : catalog.of_sequences()) {
    const auto judgement = runner::ask(*prepared, *property, {});
    if (const auto* violated = std::get_if<properties::Violated>(&judgement)) {
      return std::pair(property,
                       runner::fingerprint(*stored.sequence, property->name, violated->violations.front()));
    }
  }
  return document::Error{"every property holds: there is nothing to keep while shrinking", stored.place};
}

int shrink_sequence(const external::StoredCase& stored) {
  const auto target = sequence_target(stored);
  if (!target) return bad_input(target.error());
  const auto& bundled = injectors::bundled();
  const auto reduce = [kinds = bundled.catalog.steps()](const cases::Sequence& value, const auto& take) {
    generators::reduce_sequence(value, kinds, take);
  };
  const auto shrunk = runner::shrink(*stored.sequence, *target->first, target->second,
                                     bundled.resolve_reconciler, reduce, {});
  if (!shrunk) return bad_input(stored.place + ": does not show " + target->second + " any more");
  std::fputs(cases::canonical_text(shrunk->prepared.value).c_str(), stdout);
  std::fprintf(stderr, "%zu commands, %lld reductions in %zu tries\n", shrunk->prepared.value.steps.size(),
               static_cast<long long>(shrunk->steps), shrunk->tries);
  return kFound;
}

}  // namespace

int shrink(const Arguments& arguments) {
  std::string path;
  external::ExternalOptions outside_options;
  Options line("shrink", "Prints the smallest Case or Sequence that still shows the same finding.",
               "  fixpoint shrink run/findings/3f9c1b.json\n  fixpoint shrink case.yaml > small.json");
  line.positional("CASE", path, "a file of one Case, Sequence or Finding, - for standard input", true);
  add_external_options(line, outside_options);
  if (const auto code = line.parse(arguments)) return *code;
  const auto outside = external_webhooks(outside_options);
  if (!outside) return bad_input(outside.error());
  auto stored = external::read_cases({path}, *outside);
  if (!stored) return bad_input(stored.error());
  if (stored->size() != 1)
    return bad_input(path + ": expected one Case, found " + std::to_string(stored->size()));
  if (stored->front().sequence) return shrink_sequence(stored->front());
  const auto target = target_of(stored->front(), outside->resolve(), outside->limits());
  if (!target) return bad_input(target.error());
  const auto shrunk = runner::shrink(stored->front().value, *target->property, target->fingerprint,
                                     outside->resolve(), generators::reduce, outside->limits());
  if (!shrunk)
    return bad_input(stored->front().place + ": does not show " + target->fingerprint + " any more");
  std::fputs(cases::canonical_text(shrunk->value).c_str(), stdout);
  std::fprintf(stderr, "%zu %s, %s, %lld reductions in %zu tries\n",
               runner::scalar_count(shrunk->value.request.object),
               cases::said_of(shrunk->value.request, "values of the Pod").c_str(),
               reports::chain_size_of(shrunk->value).c_str(), static_cast<long long>(shrunk->steps),
               shrunk->tries);
  return kFound;
}

}  // namespace fixpoint::cli
