#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "corpus/regression.h"
#include "harness/apiserver/admission/admission.h"
#include "harness/cases/redaction.h"
#include "harness/cli/claims.h"
#include "harness/cli/command.h"
#include "harness/cli/configuration_note.h"
#include "harness/cli/external_options.h"
#include "harness/cli/options.h"
#include "harness/document/diff.h"
#include "harness/document/fields.h"
#include "harness/document/json.h"
#include "harness/document/printable.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/external/backends/stored_case.h"
#include "harness/runner/examine.h"
#include "harness/runner/learning/subject.h"
#include "harness/runner/sequences.h"
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
    for (const std::string& effect : step.effect)
      std::printf("    %s\n", document::printable(effect).c_str());
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

/// The answers of one stored Case, with one release or unchanged: one, or each violation of a bare Case.
struct Answered {
  std::string as = {};  ///< the release that replaced the stored one; empty: none
  std::vector<runner::Answer> answers = {};
  /// Returns the worst answer, which comes first.
  const runner::Answer& worst() const { return answers.front(); }
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

std::string shown_detail(const external::StoredCase& stored, const runner::Answer& answer) {
  return redaction_of(stored).sentence(answer.why);
}

void print_json(const external::StoredCase& stored, const Answered& one) {
  for (const runner::Answer& answer : one.answers) {
    Value event{{"event", "replay"},
                {"place", stored.place},
                {"answer", std::string(word(answer.kind))},
                {"detail", shown_detail(stored, answer)}};
    if (!one.as.empty()) event.set("as", one.as);
    std::printf("%s\n", document::write_json(event).c_str());
  }
}

std::string release_of(const std::string& subject) { return subject.substr(subject.find('@') + 1); }

/// Returns the first release with the answer `fixed` from which on none fails; empty if the last answer is
/// not `fixed`, or all are.
std::string first_fixed(const std::vector<Answered>& answers) {
  using Kind = runner::Answer::Kind;
  if (answers.empty() || answers.back().worst().kind != Kind::fixed) return "";
  std::string found;
  for (std::size_t i = answers.size(); i-- > 0;) {
    if (runner::is_failing(answers[i].worst().kind)) return found;
    if (answers[i].worst().kind == Kind::fixed) found = release_of(answers[i].as);
  }
  return "";
}

/// Returns the changes of each call, as `fuzz` prints them.
std::string shown_calls(const external::StoredCase& stored, const runner::Answer& answer) {
  cases::Finding shown{.value = stored.value, .sequence = stored.sequence};
  shown.evidence.calls = redaction_of(stored).calls(answer.calls);
  return reports::calls_text(shown);
}

/// Returns "fixed (by configuration: …)", "holds: 12 properties were decided, …".
std::string shown_answer(const external::StoredCase& stored, const runner::Answer& answer) {
  const std::string detail = shown_detail(stored, answer);
  const std::string text(word(answer.kind));
  return document::printable(answer.is_by_configuration ? text + " (" + detail + ")" : text + ": " + detail);
}

void print_text(const external::StoredCase& stored, const std::vector<Answered>& answers, bool prints_calls) {
  if (answers.size() == 1) {
    for (const runner::Answer& answer : answers.front().answers) {
      std::printf("%s: %s\n", stored.place.c_str(), shown_answer(stored, answer).c_str());
      if (prints_calls) std::fputs(shown_calls(stored, answer).c_str(), stdout);
    }
    return;
  }
  std::string line, open;
  for (const Answered& one : answers) {
    line += (line.empty() ? "" : ", ") + release_of(one.as) + " " + std::string(word(one.worst().kind));
    if (runner::text_of(one.worst()) != word(one.worst().kind))
      open += "  " + release_of(one.as) + ": " + shown_answer(stored, one.worst()) + "\n";
  }
  if (const std::string fixed = first_fixed(answers); !fixed.empty()) line += ": first fixed in " + fixed;
  std::printf("%s: %s\n%s", stored.place.c_str(), line.c_str(), open.c_str());
}

/// Returns the releases that the texts name: SUBJECT@RELEASE is one, SUBJECT alone all of its releases.
document::Result<std::vector<std::string>> releases_named(const std::vector<std::string>& texts) {
  std::vector<std::string> names;
  for (const std::string& text : texts) {
    const auto subjects = injectors::all_releases();
    const auto row = std::ranges::find(subjects, text, &injectors::Releases::subject);
    if (row != subjects.end()) {
      for (const std::string_view release : row->all)
        names.push_back(std::string(row->subject).append("@").append(release));
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
  using Kind = runner::Answer::Kind;
  std::map<Kind, std::size_t> kinds = {};
  std::size_t all = 0, skipped = 0;
  int code() const {
    if (std::any_of(kinds.begin(), kinds.end(),
                    [](const auto& one) { return runner::is_failing(one.first); }))
      return kFound;
    const bool is_open = kinds.contains(Kind::not_reached) || kinds.contains(Kind::not_applicable) ||
                         kinds.contains(Kind::not_run);
    return is_open || all == skipped ? kUnfinished : kNothingFound;
  }
  std::string text() const {
    std::string line = reports::plural(all, "Case", "Cases") + ":";
    std::string separator = " ";
    for (const auto& [kind, count] : kinds) {
      line += separator + std::to_string(count) + " " + std::string(word(kind));
      separator = ", ";
    }
    return skipped == 0 ? line : line + separator + std::to_string(skipped) + " skipped";
  }
};

/// Returns the Case with another release of an injector or reconciler.
external::StoredCase with_release(external::StoredCase stored, const std::string& release,
                                  const external::Bundled& bundled) {
  stored.value = corpus::with_release(std::move(stored.value), release, bundled);
  if (stored.sequence) stored.sequence = corpus::with_release(*std::move(stored.sequence), release);
  if (stored.finding) stored.finding = corpus::with_release(*std::move(stored.finding), release, bundled);
  return stored;
}

/// How stored Cases are judged.
struct ReplayFlags {
  std::vector<std::string> paths = {}, as = {};
  external::ExternalOptions outside = {};
  std::vector<std::string> releases = {};
  std::string property = {};  ///< of which alone violations are reported; empty: all
  bool trace = false, json = false;
};

/// Returns the answers of one Case: none if it contains no subject of the releases.
std::vector<Answered> answers_of(const external::StoredCase& stored, const ReplayFlags& flags,
                                 const external::ExternalWebhooks& outside) {
  std::vector<Answered> answers;
  const auto ask = [&](const external::StoredCase& one, const std::string& as) {
    answers.push_back({as, external::answers_of(one, flags.property, external::replay_with(outside))});
    if (flags.trace && !flags.json) print_trace(one, outside.resolve(), outside.limits());
  };
  if (flags.releases.empty()) ask(stored, "");
  for (const std::string& release : flags.releases)
    if (has_subject(stored, release)) ask(with_release(stored, release, outside.bundled()), release);
  return answers;
}

/// Returns an error for a name that no property has.
std::optional<document::Error> unknown_property(const std::string& name) {
  const auto& catalog = injectors::bundled().catalog;
  if (name.empty() || catalog.explanation_of(name) != nullptr) return std::nullopt;
  std::vector<std::string_view> names;
  for (const Claim& property : claims(catalog)) names.push_back(property.name);
  return document::Error{"there is no property \"" + name + "\"" + document::did_you_mean_suffix(name, names),
                         "--property"};
}

/// Returns the files, and for the folder of a run those of its findings, sorted; an error for another folder.
document::Result<std::vector<std::string>> files_of(const std::vector<std::string>& paths) {
  namespace files = std::filesystem;
  std::vector<std::string> all;
  for (const std::string& path : paths) {
    std::error_code problem;
    if (!files::is_directory(path, problem)) {
      all.push_back(path);
      continue;
    }
    const files::path findings = files::path(path) / "findings";
    if (!files::is_directory(findings, problem))
      return document::Error{
          "this is not the folder of a run: expected files of Cases, or a folder with findings/", path};
    const auto begin = all.size();
    for (const auto& entry : files::directory_iterator(findings, problem))
      if (entry.path().extension() == ".json") all.push_back(entry.path().string());
    if (all.size() == begin) return document::Error{"this run has no findings", path};
    std::sort(all.begin() + static_cast<std::ptrdiff_t>(begin), all.end());
  }
  return all;
}

/// Says on standard error where the file that a Case came from differs from its configuration.
void print_note(const external::StoredCase& stored) {
  const std::string note = configuration_note(stored);
  if (!note.empty()) std::fprintf(stderr, "fixpoint: %s\n", document::printable(note).c_str());
}

/// Returns an exit code if the command ends here.
std::optional<int> parse(ReplayFlags& flags, const Arguments& arguments) {
  Options line("replay",
               "Runs stored Cases, Sequences and Findings: still failing, fails otherwise, not reached, not "
               "applicable, not run, or fixed.",
               "  fixpoint replay run/findings/3f9c1b.json\n  fixpoint replay --as kserve/modelcar@0.12.1 "
               "corpus/regressions/*.json\n  fixpoint replay --as kserve/agent "
               "corpus/regressions/agent*.json\n  fixpoint replay --trace case.yaml");
  line.positionals("CASE", flags.paths,
                   "files of Cases, Sequences or Findings, a run's folder, - for standard input");
  line.value("--as SUBJECT", flags.as,
             "NAME@RELEASE, or NAME for all of its releases: replaces any release of it in "
             "the Cases; other Cases are skipped");
  line.value("--property NAME", flags.property, "judges each Case by this property alone");
  line.flag("--trace", flags.trace, "every call with its patch and what it changed");
  line.flag("--json", flags.json, "NDJSON on standard output");
  add_external_options(line, flags.outside);
  return line.parse(arguments);
}

}  // namespace

int replay(const Arguments& arguments) {
  ReplayFlags flags;
  if (const auto code = parse(flags, arguments)) return *code;
  if (flags.paths.empty()) return bad_input("replay: expected at least one file");
  if (const auto unknown = unknown_property(flags.property)) return bad_input(*unknown);
  const auto releases = releases_named(flags.as);
  if (!releases) return bad_input(releases.error());
  flags.releases = *releases;
  const auto outside = external_webhooks(flags.outside);
  if (!outside) return bad_input(outside.error());
  const auto files = files_of(flags.paths);
  if (!files) return bad_input(files.error());
  auto stored = external::read_cases(*files, *outside);
  if (!stored) return bad_input(stored.error());
  std::string named;
  for (const std::string& text : flags.as)
    named += (named.empty() ? "" : " or ") + runner::without_release(text);
  Total total;
  for (const external::StoredCase& one : *stored) {
    ++total.all;
    const auto answers = answers_of(one, flags, *outside);
    if (answers.empty()) {
      ++total.skipped;
      if (!flags.json)
        std::printf("%s: skipped: no release of %s stands in it\n", one.place.c_str(), named.c_str());
      continue;
    }
    ++total.kinds[answers.back().worst().kind];
    for (const Answered& answer : answers)
      if (flags.json) print_json(one, answer);
    if (!flags.json) print_text(one, answers, !flags.trace);
    print_note(one);
  }
  if (total.all > 1 && !flags.json) std::printf("%s\n", total.text().c_str());
  return total.code();
}

}  // namespace fixpoint::cli
