#include <cstdio>

#include "harness/apiserver/admission/admission.h"
#include "harness/campaign/replay_answer.h"
#include "harness/cases/redaction.h"
#include "harness/cli/command.h"
#include "harness/cli/external_options.h"
#include "harness/cli/options.h"
#include "harness/document/diff.h"
#include "harness/document/json.h"
#include "harness/document/printable.h"
#include "harness/external/external_webhooks.h"
#include "harness/external/stored_case.h"
#include "harness/runner/examine.h"
#include "harness/runner/sequences.h"
#include "harness/runner/story.h"
#include "injectors/bundled.h"
#include "injectors/reconcilers.h"

namespace fixpoint::cli {

namespace {

constexpr std::size_t kChangesMax = 40;

/// Every call with its patch and what it changed, for a person.
void print_trace(const runner::Prepared& prepared) {
  for (const apiserver::CallEvent& event : prepared.admission.calls) {
    const auto& webhook = prepared.admission.webhooks[static_cast<std::size_t>(event.index)];
    std::printf("  pass %d  call %d of %s  %s\n", event.pass, event.number, webhook.key.c_str(),
                event.hop.changed ? "changed" : std::string(word(event.hop.error)).c_str());
    if (event.hop.answer.patch) {
      std::printf("    patch %s\n",
                  document::printable(document::write_json(*event.hop.answer.patch)).c_str());
    }
    for (const auto& change : document::list_changes(event.before, event.hop.after, kChangesMax)) {
      if (change.before) {
        std::printf("    - %s %s\n", change.pointer.c_str(),
                    document::printable(document::write_json(*change.before)).c_str());
      }
      if (change.after) {
        std::printf("    + %s %s\n", change.pointer.c_str(),
                    document::printable(document::write_json(*change.after)).c_str());
      }
    }
  }
}

/// Every step of a Sequence with what it asked for and what it changed.
void print_trace(const runner::PreparedSequence& prepared) {
  for (const cases::StoryCall& step : runner::story_of(prepared.value, prepared.results)) {
    const reconcile::StepResult& result = prepared.results[static_cast<std::size_t>(step.pass) - 1];
    std::printf("  step %d  %s\n", step.pass, document::printable(step.webhook).c_str());
    for (const reconcile::Request& request : result.reconciled.requests) {
      std::printf("    %s%s %s\n", request.dry_run ? "dry-run " : "", std::string(word(request.verb)).c_str(),
                  document::printable(document::write_json(request.object)).c_str());
    }
    for (const std::string& did : step.did) std::printf("    %s\n", document::printable(did).c_str());
  }
}

void print_trace(const external::StoredCase& stored, const webhooks::Resolve& resolve, const Limits& limits) {
  if (stored.sequence) {
    if (const auto prepared = runner::prepare(*stored.sequence, injectors::bundled().resolve_reconciler))
      print_trace(*prepared);
    return;
  }
  if (const auto prepared = runner::prepare(stored.value, resolve, limits)) print_trace(*prepared);
}

void print(const external::StoredCase& stored, const campaign::ReplayAnswer& answer, bool json) {
  cases::Redaction redaction;
  redaction.learn(stored.sequence ? cases::write_sequence(*stored.sequence)
                                  : cases::write_case(stored.value));
  if (stored.finding) redaction.finding(*stored.finding);
  const std::string detail = redaction.text(answer.detail);
  if (json) {
    const Value event{
        {"event", "replay"}, {"place", stored.place}, {"answer", answer.word}, {"detail", detail}};
    std::printf("%s\n", document::write_json(event).c_str());
  } else {
    std::printf("%s: %s: %s\n", stored.place.c_str(), answer.word.c_str(),
                document::printable(detail).c_str());
  }
}

}  // namespace

int replay(const Arguments& arguments) {
  std::vector<std::string> paths;
  std::string as;
  bool trace = false, json = false;
  external::ExternalOptions outside_options;
  Options line("replay",
               "Runs stored Cases, Sequences and Findings: still failing, fixed, changed, or not runnable.",
               "  fixpoint replay run/findings/3f9c1b.json\n  fixpoint replay --as kserve/modelcar@0.12.1 "
               "corpus/regressions/*.json\n  fixpoint replay --trace case.yaml");
  line.positionals("CASE", paths, "files of Cases, Sequences or Findings, - for standard input");
  line.value("--as", as, "put this release of an injector in");
  line.flag("--trace", trace, "every call with its patch and what it changed");
  line.flag("--json", json, "NDJSON on standard output");
  add_external_options(line, outside_options);
  if (const auto code = line.parse(arguments)) return *code;
  if (paths.empty()) return bad_input("replay: expected at least one file");
  if (!as.empty()) {
    const auto known = injectors::is_reconciler(as) ? injectors::bundled().known_reconcilers()
                                                    : injectors::bundled().known_injectors();
    if (const auto unknown = known(as)) return bad_input("--as: " + *unknown);
  }
  const auto outside = external_webhooks(outside_options);
  if (!outside) return bad_input(outside.error());
  auto stored = external::read_cases(paths, *outside);
  if (!stored) return bad_input(stored.error());
  int code = kNothingFound;
  for (external::StoredCase& one : *stored) {
    if (!as.empty()) campaign::put_release_in(one, as);
    const campaign::ReplayAnswer answer =
        campaign::answer_of_replay(one, outside->resolve(), outside->limits());
    print(one, answer, json);
    if (answer.word == "still failing" || answer.word == "changed") code = kFound;
    if (answer.word == "not runnable" && code == kNothingFound) code = kUnfinished;
    if (trace) print_trace(one, outside->resolve(), outside->limits());
  }
  return code;
}

}  // namespace fixpoint::cli
