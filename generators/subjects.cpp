#include "generators/subjects.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "generators/reduce.h"
#include "generators/reduce_sequence.h"
#include "harness/external/manifests/manifest.h"
#include "harness/runner/clock.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::generators {

namespace {

using runner::Subject;

/// Returns true if a backend of that type answers for one of its webhooks.
template <class Backend>
bool has_backend(const Subject& subject) {
  return std::any_of(subject.webhooks.begin(), subject.webhooks.end(),
                     [](const auto& webhook) { return std::holds_alternative<Backend>(webhook.second); });
}

}  // namespace

bool calls_urls(const Subjects& subjects) {
  const auto is_url = [](const auto& webhook) { return std::holds_alternative<cases::Url>(webhook.second); };
  return std::any_of(subjects.chains.subjects.begin(), subjects.chains.subjects.end(),
                     [&](const Subject& subject) {
                       return std::any_of(subject.webhooks.begin(), subject.webhooks.end(), is_url);
                     });
}

bool calls_out(const Subject& subject) {
  return std::any_of(subject.webhooks.begin(), subject.webhooks.end(),
                     [](const auto& one) { return external::is_external(one.second); });
}

bool takes_pods(const Subject& subject) {
  const auto& kinds = subject.kinds;
  return kinds.empty() ||
         std::any_of(kinds.begin(), kinds.end(), [](const auto& kind) { return kind.is_pod(); });
}

bool is_bundled(const Subject& subject) {
  return !subject.webhooks.empty() &&
         std::all_of(subject.webhooks.begin(), subject.webhooks.end(),
                     [](const auto& one) { return std::holds_alternative<cases::InjectorName>(one.second); });
}

std::vector<std::string> Subjects::names() const {
  std::vector<std::string> all;
  for (const Subject& subject : chains.subjects) all.push_back(subject.name);
  all.insert(all.end(), reconcilers.begin(), reconcilers.end());
  return all;
}

std::vector<properties::Tested> Subjects::tested() const {
  std::vector<properties::Tested> all;
  for (const Subject& subject : chains.subjects) {
    all.push_back({.name = subject.name,
                   .configuration = subject.configuration,
                   .is_program = has_backend<cases::Command>(subject),
                   .is_server = has_backend<cases::Url>(subject)});
  }
  for (const std::string& reconciler : reconcilers) all.push_back({.name = reconciler});
  return all;
}

runner::Draw draw_of(const Subjects& subjects, const external::Bundled& bundled) {
  if (subjects.chains.subjects.empty()) {
    return
        [reconcilers = subjects.reconcilers, draw_sequence = bundled.draw_sequence](
            runner::Choices& choices, auto) -> runner::Drawn { return draw_sequence(choices, reconcilers); };
  }
  return [draw_context = generators::DrawContext(subjects.chains), reconcilers = subjects.reconcilers,
          draw_sequence = bundled.draw_sequence, webhooks = subjects.chains.subjects.size()](
             runner::Choices& choices, std::span<const runner::Steering> steering) -> runner::Drawn {
    const bool is_beginning = choices.index() && *choices.index() < generators::beginnings(draw_context);
    const bool is_sequence =
        !is_beginning && !reconcilers.empty() && choices.below(webhooks + reconcilers.size()) >= webhooks;
    if (is_sequence) return draw_sequence(choices, reconcilers);
    return generators::draw(choices, draw_context, steering);
  };
}

namespace {

/// Returns the values of labels and annotations that have a meaning to the subjects.
std::set<std::string> values_of_keys(const std::vector<std::vector<runner::Trigger>>& triggers) {
  std::set<std::string> values;
  for (const auto& of_subject : triggers) {
    for (const runner::Trigger& trigger : of_subject) {
      if (trigger.where != runner::Trigger::Where::field)
        values.insert(trigger.values.begin(), trigger.values.end());
    }
  }
  return values;
}

}  // namespace

namespace {

/// Returns the objects that subjects from files always bring along.
std::vector<Value> chart_objects_of(const std::vector<Subject>& subjects) {
  std::vector<Value> objects;
  for (const Subject& subject : subjects) {
    if (!is_bundled(subject)) objects.insert(objects.end(), subject.objects.begin(), subject.objects.end());
  }
  return objects;
}

}  // namespace

runner::RunOptions run_of(const Subjects& subjects, const external::ExternalWebhooks& webhooks) {
  return run_of(subjects, webhooks.bundled(), webhooks.resolve());
}

runner::RunOptions run_of(const Subjects& subjects, const external::Bundled& bundled,
                          const webhooks::Resolve& resolve) {
  runner::RunOptions run;
  run.subjects.names = subjects.names();
  for (const Subject& subject : subjects.chains.subjects)
    run.subjects.configurations.emplace_back(subject.configuration["metadata"]["name"].text());
  for (const Subject& subject : subjects.chains.subjects)
    run.subjects.triggers.push_back(runner::triggers_of(subject.vocabulary));
  for (const Subject& subject : subjects.chains.subjects)
    for (const cases::Case& example : subject.examples)
      run.subjects.example_pods.push_back(example.request.object);
  run.drawing.steering = subjects.steering;
  run.subjects.catalog = bundled.catalog.applicable_to(subjects.tested());
  run.drawing.draws_cases = !subjects.chains.subjects.empty();
  run.drawing.draws_sequences = !subjects.reconcilers.empty();
  run.drawing.draw = draw_of(subjects, bundled);
  run.drawing.reduce = reduction_keeping({.values = values_of_keys(run.subjects.triggers),
                                          .objects = chart_objects_of(subjects.chains.subjects)});
  run.drawing.reduce_sequence = [kinds = run.subjects.catalog.steps()](const cases::Sequence& value,
                                                                       const auto& take) {
    reduce_sequence(value, kinds, take);
  };
  run.subjects.resolve = resolve;
  run.subjects.resolve_reconciler = bundled.resolve_reconciler;
  run.hooks.clock = runner::now;
  return run;
}

}  // namespace fixpoint::generators
