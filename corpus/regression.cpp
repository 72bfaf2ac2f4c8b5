#include "corpus/regression.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "corpus/corpus_files.h"
#include "harness/document/document_stream.h"
#include "harness/document/fields.h"
#include "harness/runner/learning/subject.h"
#include "harness/runner/todays_configuration.h"

namespace fixpoint::corpus {

using document::Error;
using document::Result;
using document::Value;

namespace {

Result<Regression> read_regression(const std::string& path, const external::Bundled& bundled) {
  auto documents = document::read_file(path, {}, document::Strictness::foreign);
  if (!documents) return std::move(documents).error();
  if (documents->size() != 1) return Error{"expected one Finding", path};
  Regression regression{.file = path, .finding = {}, .shows = {}, .silent = {}};
  Value document = documents->front();
  std::optional<Error> problem;
  const Value expectation = document["expect"];
  if (expectation.is_null()) {
    return Error{
        "expected \"expect\": {\"shows\": […], \"silent\": […]}, the releases that show the finding "
        "and those that do not",
        path};
  }
  document::Fields expect(expectation, "/expect", problem);
  expect.optional("shows", regression.shows);
  expect.optional("silent", regression.silent);
  expect.optional("published", regression.published);
  expect.optional("mended", regression.mended);
  expect.finish();
  if (problem) return std::move(*problem).within(path);
  document.remove("expect");
  auto finding = cases::read_finding(document, bundled.known_injectors(), bundled.sequence_reader());
  if (!finding) return std::move(finding).error().within(path);
  regression.finding = *std::move(finding);
  return regression;
}

}  // namespace

Result<std::vector<Regression>> read_regressions(const std::string& corpus,
                                                 const external::Bundled& bundled) {
  const auto paths = corpus_files(corpus, "regressions");
  if (!paths) return paths.error();
  std::vector<Regression> all;
  for (const std::string& path : *paths) {
    auto regression = read_regression(path, bundled);
    if (!regression) return std::move(regression).error();
    all.push_back(*std::move(regression));
  }
  return all;
}

std::string name_of(const Regression& regression) {
  std::string name = std::filesystem::path(regression.file).stem().string();
  if (!regression.published.empty()) name += ": " + regression.published;
  if (!regression.mended.empty()) name += ", mended by " + regression.mended;
  return name;
}

cases::Case with_release(cases::Case value, const std::string& injector, const external::Bundled& bundled) {
  bool is_changed = false;
  for (auto& [name, backend] : value.webhooks) {
    auto* stored = std::get_if<cases::InjectorName>(&backend);
    if (stored == nullptr || stored->name == injector) continue;
    if (runner::without_release(stored->name) != runner::without_release(injector)) continue;
    stored->name = injector;
    is_changed = true;
  }
  if (!is_changed) return value;
  const std::array configurations{bundled.configuration(injector)};
  return runner::with_rules(std::move(value), configurations);
}

cases::Sequence with_release(cases::Sequence value, const std::string& reconciler) {
  if (runner::without_release(value.subject) == runner::without_release(reconciler))
    value.subject = reconciler;
  return value;
}

cases::Finding with_release(cases::Finding finding, const std::string& subject,
                            const external::Bundled& bundled) {
  finding.value = with_release(std::move(finding.value), subject, bundled);
  for (cases::Case& earlier : finding.before) earlier = with_release(std::move(earlier), subject, bundled);
  if (finding.sequence) finding.sequence = with_release(*std::move(finding.sequence), subject);
  return finding;
}

bool concerns(const cases::Finding& finding, const std::string& subject) {
  if (finding.sequence) return finding.sequence->subject == subject;
  return std::any_of(finding.value.webhooks.begin(), finding.value.webhooks.end(), [&](const auto& webhook) {
    const auto* injector = std::get_if<cases::InjectorName>(&webhook.second);
    return injector != nullptr && injector->name == subject;
  });
}

}  // namespace fixpoint::corpus
