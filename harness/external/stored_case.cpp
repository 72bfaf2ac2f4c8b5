#include "harness/external/stored_case.h"

#include "harness/cases/migration.h"
#include "harness/document/document_stream.h"

namespace fixpoint::external {

using document::Error;
using document::Result;
using document::Value;

Result<StoredCase> read_stored_case(Value document, const std::string& place,
                                    const ExternalWebhooks& outside) {
  StoredCase stored{.place = place, .value = {}};
  if (cases::is_sequence(document)) {
    auto sequence = cases::read_sequence(document, outside.bundled().sequence_reader());
    if (!sequence) return std::move(sequence).error();
    stored.sequence = *std::move(sequence);
    return stored;
  }
  if (document["kind"].text() != "Finding") {
    auto value = cases::read_case(document, outside.bundled().known_injectors());
    if (value) value = outside.admit(*std::move(value));
    if (!value) return std::move(value).error();
    stored.value = *std::move(value);
    return stored;
  }
  document.remove("expect");  // of regressions (docs/judging.md#regressions); only the corpus reads it
  auto finding =
      cases::read_finding(document, outside.bundled().known_injectors(), outside.bundled().sequence_reader());
  if (!finding) return std::move(finding).error();
  finding = outside.admit(*std::move(finding));
  if (!finding) return std::move(finding).error();
  stored.value = finding->value;
  stored.sequence = finding->sequence;
  stored.finding = *std::move(finding);
  return stored;
}

Result<std::vector<StoredCase>> read_cases(const std::vector<std::string>& paths,
                                           const ExternalWebhooks& outside) {
  std::vector<StoredCase> all;
  for (const std::string& path : paths) {
    auto documents = document::read_documents(path, document::Strictness::foreign, outside.limits());
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

}  // namespace fixpoint::external
