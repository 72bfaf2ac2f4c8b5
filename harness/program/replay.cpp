#include <cstdio>

#include "harness/apiserver/admission.h"
#include "harness/document/diff.h"
#include "harness/document/json.h"
#include "harness/program/program.h"
#include "harness/program/regressions.h"
#include "harness/runner/examine.h"
#include "harness/runner/story.h"
#include "reports/text.h"

namespace fixpoint::program {

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
                  reports::printable(document::write_json(*event.hop.answer.patch)).c_str());
    }
    for (const auto& change : document::list_changes(event.before, event.hop.after, kChangesMax)) {
      if (change.before) {
        std::printf("    - %s %s\n", change.pointer.c_str(),
                    reports::printable(document::write_json(*change.before)).c_str());
      }
      if (change.after) {
        std::printf("    + %s %s\n", change.pointer.c_str(),
                    reports::printable(document::write_json(*change.after)).c_str());
      }
    }
  }
}

struct Answer {
  std::string word;    ///< still failing, fixed, changed, not runnable
  std::string detail;  ///< for people
};

/// A Finding asks its own property; when its fingerprint is gone and another stands in its place, it has
/// changed.
Answer ask_finding(const StoredCase& stored) {
  const std::string answer = replay_answer(*stored.finding);
  if (answer.starts_with("not runnable")) return {"not runnable", answer.substr(answer.find(' ', 4) + 1)};
  if (answer == "still failing")
    return {answer, stored.finding->property + ": " + stored.finding->evidence.because};
  const auto prepared = runner::prepare(stored.value, bundled(), {});
  const auto* property = properties::find(stored.finding->property);
  const auto judgement = property->ask({prepared->value, prepared->handlers, prepared->admission, {}});
  if (const auto* violated = std::get_if<properties::Violated>(&judgement)) {
    return {"changed", stored.finding->property + ": " + violated->violations.front().because};
  }
  return {"fixed", stored.finding->property + " holds"};
}

/// A bare Case asks every property.
Answer ask_case(const StoredCase& stored) {
  const auto prepared = runner::prepare(stored.value, bundled(), {});
  if (!prepared) return {"not runnable", prepared.error().text()};
  for (const runner::Asked& asked : runner::ask(*prepared, properties::all(), false, {})) {
    if (const auto* violated = std::get_if<properties::Violated>(&asked.judgement)) {
      return {"still failing",
              std::string(asked.property->name) + ": " + violated->violations.front().because};
    }
  }
  return {"fixed", "every property holds or was skipped"};
}

void print(const StoredCase& stored, const Answer& answer, bool json) {
  if (json) {
    const Value event{
        {"event", "replay"}, {"place", stored.place}, {"answer", answer.word}, {"detail", answer.detail}};
    std::printf("%s\n", document::write_json(event).c_str());
  } else {
    std::printf("%s: %s: %s\n", stored.place.c_str(), answer.word.c_str(),
                reports::printable(answer.detail).c_str());
  }
}

}  // namespace

int replay(const Arguments& arguments) {
  std::vector<std::string> paths;
  std::string as;
  bool trace = false, json = false;
  Options line("replay", "Runs stored Cases and Findings: still failing, fixed, changed, or not runnable.",
               "  fixpoint replay run/findings/3f9c1b.json\n  fixpoint replay --as kserve/modelcar@0.12.1 "
               "corpus/regressions/*.json\n  fixpoint replay --trace case.yaml");
  line.positionals("CASE", paths, "files of Cases or Findings, - for standard input");
  line.value("--as", as, "put this release of an injector in");
  line.flag("--trace", trace, "every call with its patch and what it changed");
  line.flag("--json", json, "NDJSON on standard output");
  if (const auto code = line.parse(arguments)) return *code;
  if (paths.empty()) return bad_input("replay: expected at least one file");
  if (!as.empty()) {
    if (const auto unknown = known_injectors()(as)) return bad_input("--as: " + *unknown);
  }
  auto stored = read_cases(paths);
  if (!stored) return bad_input(stored.error());
  int code = kNothingFound;
  for (StoredCase& one : *stored) {
    if (!as.empty()) {
      one.value = with_release(std::move(one.value), as);
      if (one.finding) one.finding->value = one.value;
    }
    const Answer answer = one.finding ? ask_finding(one) : ask_case(one);
    print(one, answer, json);
    if (answer.word == "still failing" || answer.word == "changed") code = kFound;
    if (answer.word == "not runnable" && code == kNothingFound) code = kUnfinished;
    const auto prepared =
        trace ? runner::prepare(one.value, bundled(), {}) : Result<runner::Prepared>(document::Error{});
    if (prepared) print_trace(*prepared);
  }
  return code;
}

}  // namespace fixpoint::program
