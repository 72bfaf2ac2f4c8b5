#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <variant>

#include "corpus/corpus_files.h"
#include "corpus/cover.h"
#include "harness/cli/command.h"
#include "harness/cli/corpus.h"
#include "harness/cli/external_options.h"
#include "harness/cli/options.h"
#include "harness/document/printable.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/external/backends/stored_case.h"
#include "harness/runner/examine.h"
#include "harness/runner/loop/coverage.h"
#include "harness/runner/sequences.h"
#include "harness/runner/shrink_finding.h"
#include "injectors/bundled.h"

namespace fixpoint::cli {

namespace {

namespace files = std::filesystem;
using document::Error;
using Shows = std::set<std::string>;

/// Adds the answers of one property to `shows`: each verdict of a property that holds or is violated, and
/// each reason for which it was skipped.
void take(Shows& shows, std::string_view property, const properties::Judgement& judgement,
          const auto& print) {
  const std::string name(property);
  if (const auto* held = std::get_if<properties::Held>(&judgement))
    shows.insert(name + " held " + held->verdict);
  if (const auto* skipped = std::get_if<properties::Skipped>(&judgement))
    shows.insert(name + " skipped " + skipped->reason);
  const auto* violated = std::get_if<properties::Violated>(&judgement);
  if (violated == nullptr) return;
  for (const properties::Violation& violation : violated->violations)
    shows.insert(name + " violated " + violation.verdict + " " + print(violation));
}

Result<Shows> shows_of(const external::StoredCase& stored, const external::ExternalWebhooks& outside) {
  Shows shows;
  if (stored.sequence) {
    const auto prepared = runner::prepare(*stored.sequence, injectors::bundled().resolve_reconciler);
    if (!prepared) return prepared.error();
    for (const auto* property : outside.bundled().catalog.of_sequences()) {
      take(shows, property->name, runner::ask(*prepared, *property, outside.limits()),
           [&](const auto& violation) {
             return runner::fingerprint(*stored.sequence, property->name, violation);
           });
    }
    return shows;
  }
  const auto prepared = runner::prepare(stored.value, outside.resolve(), outside.limits());
  if (!prepared) return prepared.error();
  for (const std::uint64_t mark : runner::features_of(prepared->admission))
    shows.insert(std::to_string(mark));
  for (const auto& asked :
       runner::ask(*prepared, outside.bundled().catalog.of_cases(), {}, outside.limits())) {
    take(shows, asked.property->name, asked.judgement, [&](const auto& violation) {
      return runner::fingerprint(stored.value, asked.property->name, violation);
    });
  }
  return shows;
}

std::size_t size_of(const external::StoredCase& stored) {
  return stored.sequence ? stored.sequence->steps.size() : runner::scalar_count(stored.value.request.object);
}

/// Returns a file as a member of the corpus. A regression always stays: it records the releases that show the
/// finding.
Result<corpus::Member> member_of(const corpus::CorpusFile& file, const external::ExternalWebhooks& outside) {
  corpus::Member member{.name = file.path, .stays = file.is_regression};
  for (const external::StoredCase& stored : file.stored) {
    auto shows = shows_of(stored, outside);
    if (!shows) return std::move(shows).error().within(stored.place);
    member.shows.merge(*shows);
    member.size += size_of(stored);
  }
  return member;
}

}  // namespace

int corpus_minimise(const Arguments& arguments) {
  std::string folder;
  bool is_dry = false;
  external::ExternalOptions allowed;
  Options line("corpus minimise",
               "Removes the files of a folder that show nothing which smaller ones do not show as well: what "
               "the webhooks and the API server did, and what each property answered. Regressions with "
               "releases stay.",
               "  fixpoint corpus minimise corpus/seeds --dry-run");
  line.positional("FOLDER", folder, "of Cases, Sequences and Findings", true);
  line.flag("--dry-run", is_dry, "only say what would be removed");
  add_allowances(line, allowed);
  if (const auto code = line.parse(arguments)) return *code;
  const auto outside = external_webhooks(allowed);
  if (!outside) return bad_input(outside.error());
  const auto paths = corpus::corpus_files(folder);
  if (!paths) return bad_input(paths.error());
  std::vector<corpus::Member> members;
  for (const std::string& path : *paths) {
    const auto file = corpus::read_corpus_file(path, *outside);
    if (!file) return bad_input(file.error());
    auto member = member_of(*file, *outside);
    if (!member) return bad_input(member.error());
    members.push_back(*std::move(member));
  }
  const auto kept = corpus::cover(members);
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (std::binary_search(kept.begin(), kept.end(), i)) continue;
    std::error_code problem;
    if (!is_dry) files::remove(members[i].name, problem);
    if (problem) {
      std::fprintf(stderr, "fixpoint: %s: %s\n", members[i].name.c_str(), problem.message().c_str());
      return kUnfinished;
    }
    std::printf("%s: %s\n", document::printable(members[i].name).c_str(), is_dry ? "superfluous" : "removed");
  }
  std::printf("%zu of %zu files show all that they all show\n", kept.size(), members.size());
  return kNothingFound;
}

}  // namespace fixpoint::cli
