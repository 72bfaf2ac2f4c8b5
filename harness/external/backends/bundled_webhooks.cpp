#include "harness/external/backends/bundled_webhooks.h"

namespace fixpoint::external {

cases::KnownInjector Bundled::known_injectors() const {
  return [resolve = resolve](std::string_view name) -> std::optional<std::string> {
    const auto found = resolve(name);
    return found ? std::nullopt : std::optional(found.error().message);
  };
}

cases::KnownInjector Bundled::known_reconcilers() const {
  return [resolve = resolve_reconciler](std::string_view name) -> std::optional<std::string> {
    const auto found = resolve(name);
    return found ? std::nullopt : std::optional(found.error().message);
  };
}

cases::SequenceReader Bundled::sequence_reader() const {
  cases::SequenceReader reader{.known_subject = known_reconcilers(),
                               .steps = std::vector<cases::StepReader>()};
  for (const reconcile::StepKind& kind : catalog.steps()) reader.steps->push_back(kind.reader);
  return reader;
}

}  // namespace fixpoint::external
