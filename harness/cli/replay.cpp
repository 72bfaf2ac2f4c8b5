#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

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
#include "harness/runner/subject.h"
#include "harness/runner/trace.h"
#include "injectors/bundled.h"
#include "injectors/injector_catalog.h"
#include "injectors/reconcilers.h"
#include "reports/text.h"

namespace fixpoint::cli {

namespace {

constexpr std::size_t kChangesMax = 40;

/// Prints every call with its patch and its changes.
void print_trace(const runner::Prepared& prepared) {
  for (const apiserver::CallEvent& event : prepared.admission.calls) {
    const auto& webhook = prepared.admission.webhooks[static_cast<std::size_t>(event.index)];
    std::printf("  pass %d  call %d of %s  %s\n", event.pass, event.number, webhook.key.c_str(),
                event.result.changed ? "changed" : std::string(word(event.result.error)).c_str());
    for (const std::string& access : runner::accesses_of(event.result.answer))
      std::printf("    %s\n", document::printable(access).c_str());
    if (event.result.answer.patch) {
      std::printf("    patch %s\n",
                  document::printable(document::write_json(*event.result.answer.patch)).c_str());
    }
    for (const auto& change : document::list_changes(event.before, event.result.after, kChangesMax)) {
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

/// Prints every step of a Sequence with its command and its changes.
void print_trace(const runner::PreparedSequence& prepared) {
  for (const cases::TraceStep& step : runner::trace_of(prepared.value, prepared.results)) {
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

/// The answer of one stored Case, with one release or unchanged.
struct Answered {
  std::string as = {};  ///< the release that replaced the stored one; empty: none
  campaign::ReplayAnswer answer;
};

/// Returns the redaction that hides the secrets of a stored Case in texts about it.
cases::Redaction redaction_of(const external::StoredCase& stored) {
  cases::Redaction redaction;
  if (stored.finding)
    redaction.learn(*stored.finding);
  else
    redaction.learn(stored.sequence ? cases::write_sequence(*stored.sequence)
                                    : cases::write_case(stored.value));
  return redaction;
}

std::string shown_detail(const external::StoredCase& stored, const campaign::ReplayAnswer& answer) {
  return redaction_of(stored).sentence(answer.detail);
}

void print_json(const external::StoredCase& stored, const Answered& one) {
  Value event{{"event", "replay"},
              {"place", stored.place},
              {"answer", one.answer.word},
              {"detail", shown_detail(stored, one.answer)}};
  if (!one.as.empty()) event.set("as", one.as);
  std::printf("%s\n", document::write_json(event).c_str());
}

std::string release_of(const std::string& subject) { return subject.substr(subject.find('@') + 1); }

/// Returns the first release from which on every answer is `fixed`; empty if the last answer is not, or all
/// are.
std::string first_fixed(const std::vector<Answered>& answers) {
  std::string found;
  for (std::size_t i = answers.size(); i-- > 0 && answers[i].answer.word == "fixed";)
    found = i > 0 ? release_of(answers[i].as) : "";
  return found;
}

/// Returns the changes of each call, as `fuzz` prints them.
std::string shown_calls(const external::StoredCase& stored, const campaign::ReplayAnswer& answer) {
  cases::Finding shown{.value = stored.value, .sequence = stored.sequence};
  shown.evidence.calls = redaction_of(stored).calls(answer.calls);
  return reports::calls_text(shown);
}

void print_text(const external::StoredCase& stored, const std::vector<Answered>& answers, bool prints_calls) {
  if (answers.size() == 1) {
    std::printf("%s: %s: %s\n", stored.place.c_str(), answers.front().answer.word.c_str(),
                document::printable(shown_detail(stored, answers.front().answer)).c_str());
    if (prints_calls) std::fputs(shown_calls(stored, answers.front().answer).c_str(), stdout);
    return;
  }
  std::string line;
  for (const Answered& one : answers)
    line += (line.empty() ? "" : ", ") + release_of(one.as) + " " + one.answer.word;
  if (const std::string fixed = first_fixed(answers); !fixed.empty()) line += ": first fixed in " + fixed;
  std::printf("%s: %s\n", stored.place.c_str(), line.c_str());
}

/// Returns the releases that the texts name: SUBJECT@RELEASE is one, SUBJECT alone all of its releases.
document::Result<std::vector<std::string>> releases_named(const std::vector<std::string>& texts) {
  std::vector<std::string> names;
  for (const std::string& text : texts) {
    const auto row = std::find_if(injectors::all().begin(), injectors::all().end(),
                                  [&](const auto& injector) { return injector.name == text; });
    if (row != injectors::all().end()) {
      for (const std::string_view release : row->releases)
        names.push_back(std::string(row->name).append("@").append(release));
      continue;
    }
    const auto known = injectors::is_reconciler(text) ? injectors::bundled().known_reconcilers()
                                                      : injectors::bundled().known_injectors();
    if (const auto unknown = known(text)) return document::Error{*unknown, "--as"};
    names.push_back(text);
  }
  return names;
}

/// Returns true if the Case contains the subject in any release.
bool has_subject(const external::StoredCase& stored, const std::string& release) {
  const std::string subject = runner::without_release(release);
  if (stored.sequence) return runner::without_release(stored.sequence->subject) == subject;
  return std::any_of(stored.value.webhooks.begin(), stored.value.webhooks.end(), [&](const auto& webhook) {
    const auto* injector = std::get_if<cases::InjectorName>(&webhook.second);
    return injector != nullptr && runner::without_release(injector->name) == subject;
  });
}

/// The number of Cases by answer; a Case counts with the answer of its last release.
struct Total {
  std::map<std::string, std::size_t> words = {};
  std::size_t all = 0, skipped = 0;
  int code() const {
    if (words.contains("still failing") || words.contains("changed")) return kFound;
    return words.contains("not runnable") || all == skipped ? kUnfinished : kNothingFound;
  }
  std::string text() const {
    std::string line = reports::plural(all, "Case", "Cases") + ":";
    std::string separator = " ";
    for (const char* word : {"still failing", "changed", "fixed", "not runnable"}) {
      if (!words.contains(word)) continue;
      line += separator + std::to_string(words.at(word)) + " " + word;
      separator = ", ";
    }
    return skipped == 0 ? line : line + separator + std::to_string(skipped) + " skipped";
  }
};

/// Returns the answers of one Case: none if it contains no subject of `releases`.
std::vector<Answered> answers_of(const external::StoredCase& stored, const std::vector<std::string>& releases,
                                 const external::ExternalWebhooks& outside, bool prints_trace) {
  std::vector<Answered> answers;
  const auto ask = [&](const external::StoredCase& one, const std::string& as) {
    answers.push_back({as, campaign::answer_of_replay(one, outside.resolve(), outside.limits())});
  };
  if (releases.empty()) ask(stored, "");
  for (const std::string& release : releases) {
    if (!has_subject(stored, release)) continue;
    external::StoredCase other = stored;
    campaign::put_release_in(other, release);
    ask(other, release);
    if (prints_trace) print_trace(other, outside.resolve(), outside.limits());
  }
  if (releases.empty() && prints_trace) print_trace(stored, outside.resolve(), outside.limits());
  return answers;
}

}  // namespace

int replay(const Arguments& arguments) {
  std::vector<std::string> paths;
  std::vector<std::string> as;
  bool trace = false, json = false;
  external::ExternalOptions outside_options;
  Options line("replay",
               "Runs stored Cases, Sequences and Findings: still failing, fixed, changed, or not runnable.",
               "  fixpoint replay run/findings/3f9c1b.json\n  fixpoint replay --as kserve/modelcar@0.12.1 "
               "corpus/regressions/*.json\n  fixpoint replay --as kserve/agent "
               "corpus/regressions/agent*.json\n  fixpoint replay --trace case.yaml");
  line.positionals("CASE", paths, "files of Cases, Sequences or Findings, - for standard input");
  line.value("--as SUBJECT", as,
             "NAME@RELEASE, or NAME for all of its releases: replaces any release of it in "
             "the Cases; other Cases are skipped");
  line.flag("--trace", trace, "every call with its patch and what it changed");
  line.flag("--json", json, "NDJSON on standard output");
  add_external_options(line, outside_options);
  if (const auto code = line.parse(arguments)) return *code;
  if (paths.empty()) return bad_input("replay: expected at least one file");
  const auto releases = releases_named(as);
  if (!releases) return bad_input(releases.error());
  const auto outside = external_webhooks(outside_options);
  if (!outside) return bad_input(outside.error());
  auto stored = external::read_cases(paths, *outside);
  if (!stored) return bad_input(stored.error());
  std::string named;
  for (const std::string& text : as) named += (named.empty() ? "" : " or ") + runner::without_release(text);
  Total total;
  for (const external::StoredCase& one : *stored) {
    ++total.all;
    const auto answers = answers_of(one, *releases, *outside, trace && !json);
    if (answers.empty()) {
      ++total.skipped;
      if (!json)
        std::printf("%s: skipped: no release of %s stands in it\n", one.place.c_str(), named.c_str());
      continue;
    }
    ++total.words[answers.back().answer.word];
    for (const Answered& answer : answers)
      if (json) print_json(one, answer);
    if (!json) print_text(one, answers, !trace);
  }
  if (total.all > 1 && !json) std::printf("%s\n", total.text().c_str());
  return total.code();
}

}  // namespace fixpoint::cli
