#include "harness/compare/chain_reader.h"

#include <utility>
#include <variant>

#include "generators/learn_calls.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/document_stream.h"
#include "harness/external/backends/stored_case.h"
#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/trigger.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::compare {

using document::Error;
using document::Result;
using document::Value;

namespace {

/// Sets the vocabulary of a configuration of a Case: that of the catalog if an injector answers, otherwise a
/// learned one.
void learn_words(runner::Subject& member) {
  runner::learn_from_configuration(member.vocabulary, member.configuration);
  for (const auto& [key, backend] : member.webhooks) {
    if (const auto* script = std::get_if<cases::Script>(&backend))
      runner::learn_from_script(member.vocabulary, *script);
    if (const auto* injector = std::get_if<cases::InjectorName>(&backend)) {
      if (auto known = injectors::find_subject(injector->name)) member.vocabulary = known->vocabulary;
    }
  }
  runner::complete(member.vocabulary);
}

Chain chain_of_case(const cases::Case& value) {
  Chain chain;
  for (const Value& object : value.cluster.objects) {
    if (!cases::is_webhook_configuration(object)) {
      chain.objects.push_back(object);
      continue;
    }
    const std::string name(object["metadata"]["name"].text());
    runner::Subject member{.name = name, .configuration = object};
    for (const auto& [key, backend] : value.webhooks) {
      if (key.starts_with(name + "/")) member.webhooks.emplace(key, backend);
    }
    learn_words(member);
    chain.members.push_back(std::move(member));
  }
  return chain;
}

}  // namespace

Result<Chain> read_chain(const std::vector<std::string>& names, std::uint64_t seed,
                         const external::ExternalWebhooks& outside,
                         const generators::FindSubjects& find_subjects) {
  if (names.size() == 1) {
    const auto documents = document::read_documents(names.front());
    if (documents && documents->size() == 1 && documents->front()["kind"].text() == "Case") {
      const auto stored = external::read_cases(names, outside);
      if (!stored) return stored.error();
      Chain chain = chain_of_case(stored->front().value);
      if (chain.members.empty()) return Error{"expected a webhook configuration", names.front()};
      return chain;
    }
  }
  auto subjects = find_subjects(names, outside);
  if (!subjects) return std::move(subjects).error();
  if (!subjects->reconcilers.empty())
    return Error{subjects->reconcilers.front() + " is a reconciler and stands in no chain"};
  if (auto problem = generators::learn_from_calls(*subjects, outside, seed, generators::kLearningSecondsMax))
    return *std::move(problem);
  return Chain{.members = std::move(subjects->chains.subjects)};
}

}  // namespace fixpoint::compare
