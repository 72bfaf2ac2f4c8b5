#include "harness/program/program.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>

#include "harness/cases/migration.h"
#include "harness/document/document_stream.h"
#include "harness/program/outside.h"
#include "injectors/catalog.h"
#include "injectors/reconcilers.h"

namespace fixpoint::program {

using document::Error;

std::string invoked_as() {
  const char* said = std::getenv("FIXPOINT_INVOKED");
  return said != nullptr && *said != '\0' ? said : "fixpoint";
}

int bad_input(const std::string& message) {
  std::fprintf(stderr, "fixpoint: %s\n", message.c_str());
  return kBadInput;
}
int bad_input(const Error& error) { return bad_input(error.text()); }
int unfinished(const Error& error) {
  bad_input(error);
  return kUnfinished;
}

Result<std::vector<Value>> read_documents(const std::string& path, document::Strictness strictness,
                                          const Limits& limits) {
  if (path != "-") return document::read_file(path, limits, strictness);
  std::string text;
  char buffer[65536];
  while (std::cin.read(buffer, sizeof buffer) || std::cin.gcount() > 0) {
    text.append(buffer, static_cast<std::size_t>(std::cin.gcount()));
    if (text.size() > limits.file_bytes_max) {
      return Error{"longer than file_bytes_max = " + std::to_string(limits.file_bytes_max), "standard input"};
    }
  }
  auto documents = document::read_stream(text, limits, strictness);
  if (!documents) return std::move(documents).error().within("standard input");
  return documents;
}

Result<StoredCase> read_stored_case(Value document, const std::string& place, const Outside& outside) {
  StoredCase stored{.place = place, .value = {}};
  if (cases::is_sequence(document)) {
    auto sequence = cases::read_sequence(document, known_reconcilers());
    if (!sequence) return std::move(sequence).error();
    stored.sequence = *std::move(sequence);
    return stored;
  }
  if (document["kind"].text() != "Finding") {
    auto value = cases::read_case(document, known_injectors());
    if (value) value = outside.admit(*std::move(value));
    if (!value) return std::move(value).error();
    stored.value = *std::move(value);
    return stored;
  }
  document.remove("expect");  // of a regression (decisions.md); the corpus reads it
  auto finding = cases::read_finding(document, known_injectors(), known_reconcilers());
  if (!finding) return std::move(finding).error();
  auto value = outside.admit(finding->value);
  if (!value) return std::move(value).error().within("/case");
  stored.value = finding->value = *std::move(value);
  stored.sequence = finding->sequence;
  stored.finding = *std::move(finding);
  return stored;
}

Result<std::vector<StoredCase>> read_cases(const std::vector<std::string>& paths, const Outside& outside) {
  std::vector<StoredCase> all;
  for (const std::string& path : paths) {
    auto documents = read_documents(path, document::Strictness::foreign, outside.limits());
    if (!documents) return std::move(documents).error();
    if (documents->empty()) return Error{"expected a Case, a Sequence or a Finding, found nothing", path};
    for (std::size_t i = 0; i < documents->size(); ++i) {
      const std::string place = path + ": document " + std::to_string(i + 1);
      auto newest = cases::migrate((*documents)[i]);
      if (!newest) return std::move(newest).error().within(place);
      auto stored = read_stored_case(*std::move(newest), place, outside);
      if (!stored) return std::move(stored).error().within(place);
      all.push_back(*std::move(stored));
    }
  }
  if (const auto unmet = outside.unmet(); !unmet.empty())
    return Error{"no Case here has this webhook", "--webhook " + unmet.front()};
  return all;
}

webhooks::Resolve bundled() {
  return [](std::string_view name) { return injectors::resolve(name); };
}

webhooks::ResolveReconciler bundled_reconcilers() {
  return [](std::string_view name) { return injectors::resolve_reconciler(name); };
}

cases::KnownInjector known_injectors() {
  return [](std::string_view name) -> std::optional<std::string> {
    const auto found = injectors::resolve(name);
    if (found) return std::nullopt;
    return found.error().message;
  };
}

cases::KnownInjector known_reconcilers() {
  return [](std::string_view name) -> std::optional<std::string> {
    const auto found = injectors::resolve_reconciler(name);
    if (found) return std::nullopt;
    return found.error().message;
  };
}

std::string corpus_folder() {
  const char* said = std::getenv("FIXPOINT_CORPUS");
  return said != nullptr && *said != '\0' ? said : "corpus";
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace fixpoint::program
