#include "generators/draw_context.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "harness/properties/spellings.h"

namespace fixpoint::generators {

namespace {

using HandlerMap = std::map<std::string, webhooks::Handler>;

/// Adds the handlers of the subject's webhooks, with the injector `name` behind them.
void add_handlers(PreparedSubject& prepared_subject, const webhooks::Resolve& resolve,
                  const std::string& name) {
  HandlerMap handlers;
  for (const auto& [key, backend] : prepared_subject.subject.webhooks) {
    if (!std::holds_alternative<cases::InjectorName>(backend)) return;
    auto handler = resolve(name);
    if (!handler) return;
    handlers.emplace(key, *std::move(handler));
  }
  if (!handlers.empty()) prepared_subject.injected_by.push_back(std::move(handlers));
}

/// Adds the handlers of external webhooks, whose output on a Pod also serves as drawn input.
void add_outside_handlers(PreparedSubject& prepared_subject, const webhooks::Resolve& resolve) {
  HandlerMap handlers;
  for (const auto& [key, backend] : prepared_subject.subject.webhooks) {
    const bool is_outside =
        std::holds_alternative<cases::Url>(backend) || std::holds_alternative<cases::Command>(backend);
    if (!is_outside || !resolve.outside) return;
    auto handler = resolve.outside(backend);
    if (!handler) return;
    handlers.emplace(key, *std::move(handler));
  }
  if (!handlers.empty()) prepared_subject.injected_by.push_back(std::move(handlers));
}

bool is_outside(const Subject& subject) {
  return std::any_of(subject.webhooks.begin(), subject.webhooks.end(), [](const auto& webhook) {
    return std::holds_alternative<cases::Url>(webhook.second) ||
           std::holds_alternative<cases::Command>(webhook.second);
  });
}

/// Returns the numbers of the surest triggers: switches first, common ones before rare ones, and of each
/// place those that were learned first.
std::vector<std::size_t> surest(const std::vector<runner::Trigger>& triggers) {
  std::map<std::pair<bool, runner::Trigger::Where>, std::size_t> counts;
  std::vector<std::size_t> numbers, positions;
  for (const runner::Trigger& trigger : triggers) {
    numbers.push_back(numbers.size());
    positions.push_back(counts[{trigger.is_rare, trigger.where}]++);
  }
  std::stable_sort(numbers.begin(), numbers.end(), [&](std::size_t a, std::size_t b) {
    const auto rank = [&](std::size_t of) {
      const runner::Trigger& trigger = triggers[of];
      const bool is_switch =
          trigger.where != runner::Trigger::Where::field &&
          std::find(trigger.values.begin(), trigger.values.end(), "true") != trigger.values.end() &&
          properties::is_name_of_switch(trigger.key);
      return std::tuple(!is_switch, trigger.is_rare, positions[of]);
    };
    return rank(a) < rank(b);
  });
  numbers.resize(std::min(numbers.size(), kTriedTriggersMax));
  return numbers;
}

PreparedSubject prepared_subject_of(const Subject& subject, const DrawOptions& options) {
  PreparedSubject prepared_subject{
      .subject = subject,
      .configuration = std::string(subject.configuration["metadata"]["name"].text()),
      .vocabulary = prepare_vocabulary(subject.vocabulary),
      .triggers = runner::triggers_of(subject.vocabulary)};
  prepared_subject.is_outside = is_outside(subject);
  if (prepared_subject.is_outside) prepared_subject.tried = surest(prepared_subject.triggers);
  if (!options.resolve) return prepared_subject;
  add_handlers(prepared_subject, options.resolve, subject.name);
  add_outside_handlers(prepared_subject, options.resolve);
  for (const std::string& name : options.earlier) {
    if (runner::without_release(name) == runner::without_release(subject.name) && name != subject.name) {
      add_handlers(prepared_subject, options.resolve, name);
    }
  }
  return prepared_subject;
}

}  // namespace

DrawContext::DrawContext(DrawOptions options) {
  auto prepared = std::make_shared<Prepared>();
  for (const Subject& subject : options.subjects)
    prepared->subjects.push_back(prepared_subject_of(subject, options));
  for (const Subject& peer : options.peers) prepared->peers.push_back(prepared_subject_of(peer, options));
  if (options.has_scripts) {
    for (const Subject& peer : script_peers()) prepared->peers.push_back(prepared_subject_of(peer, options));
    for (const Subject& policy : policy_neighbours())
      prepared->policies.push_back(prepared_subject_of(policy, options));
  }
  prepared->options = std::move(options);
  prepared_ = std::move(prepared);
}

}  // namespace fixpoint::generators
