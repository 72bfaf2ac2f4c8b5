#include "harness/compare/chain_advice.h"

#include <algorithm>
#include <set>

#include "generators/draw.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/compare/case_differences.h"
#include "harness/compare/chain_orders.h"
#include "harness/compare/reinvocation_advice.h"
#include "harness/external/manifests/selected_kinds.h"
#include "harness/properties/order_difference.h"

namespace fixpoint::compare {

namespace {

using cases::Case;
using document::Value;
using runner::Prepared;
using runner::Subject;

/// Returns the chain as one subject for the generators.
Subject together(const Chain& chain) {
  Subject joined = chain.members.front();
  for (const Subject& member : chain.members) joined = Pair{joined, member}.both();
  joined.objects.insert(joined.objects.end(), chain.objects.begin(), chain.objects.end());
  return joined;
}

class Adviser {
 public:
  Adviser(const Chain& chain, const AdviceOptions& options) : options_(options), runs_(chain, options) {
    for (const Subject& member : chain.members) {
      const bool runs_again = member.configuration["spec"]["reinvocationPolicy"].text() == "IfNeeded";
      for (const Value& object : member.objects)
        if (cases::is_policy(member.configuration) && cases::is_policy_binding(object))
          advice_.webhooks.push_back(
              {.webhook = name_of(member) + "/" + std::string(object["metadata"]["name"].text()),
               .is_if_needed = runs_again,
               .is_policy = true});
      for (const Value& webhook : member.configuration["webhooks"].elements()) {
        const bool is_if_needed = webhook["reinvocationPolicy"].text() == "IfNeeded";
        advice_.webhooks.push_back({.webhook = name_of(member) + "/" + std::string(webhook["name"].text()),
                                    .is_if_needed = is_if_needed});
      }
    }
  }

  /// Orders come last, because they are judged without the defects of the members.
  Advice run() {
    const generators::DrawContext draw_context({.subjects = {together(runs_.chain())},
                                                .has_faults = false,
                                                .has_scripts = false,
                                                .resolve = options_.resolve});
    const auto drawn = [&](std::uint64_t index) {
      runner::Choices choices(options_.seed, index);
      return without_webhooks(generators::draw(choices, draw_context));
    };
    for (; advice_.cases < options_.cases && !is_interrupted(); ++advice_.cases)
      look_at(drawn(advice_.cases));
    const std::uint64_t examples = generators::beginnings(draw_context);
    for (std::uint64_t i = 0; i < advice_.cases && !is_interrupted(); ++i)
      orders_.look_at_orders(drawn(i), i < examples);
    list_open_questions();
    for (WebhookAdvice& one : advice_.webhooks) {
      using Policy = WebhookAdvice::Policy;
      if (one.needed_case && one.harmful_case)
        one.policy = Policy::both;
      else if (one.needed_case)
        one.policy = Policy::needed;
      else if (one.harmful_case)
        one.policy = Policy::harmful;
      else if (one.changed > 0 && one.called_again > 0)
        one.policy = Policy::safe;
    }
    return std::move(advice_);
  }

 private:
  bool is_interrupted() const { return options_.interrupted && options_.interrupted(); }

  void look_at(const Case& plain) {
    const auto all = runs_.prepare(plain, {.all_if_needed = true});
    if (!all || !runner::has_valid_pod(*all)) return;
    for (WebhookAdvice& one : advice_.webhooks) advise_on_reinvocation(runs_, plain, *all, one);
    if (runs_.chain().members.size() > 1)
      for (std::size_t i = 0; i < runs_.chain().members.size(); ++i) orders_.look_at_alone(plain, i);
    for (const apiserver::CallEvent& event : all->admission.calls)
      for (const properties::PathValue& path_value : properties::added(event.before, event.result.after))
        orders_.note_written(event.before, path_value.path);
  }

  /// Lists the questions that these runs leave open: no container is started, and no object of a kind that
  /// nothing defines is drawn.
  void list_open_questions() {
    const bool adds_containers =
        std::any_of(orders_.written().begin(), orders_.written().end(), [](const std::string& element) {
          return element.starts_with("spec.containers[") && element.ends_with(']') &&
                 std::count(element.begin(), element.end(), '[') == 1;
        });
    if (adds_containers)
      advice_.not_asked.emplace_back("whether containers become ready beside those that the chain adds");
    for (const Subject& member : runs_.chain().members) {
      std::vector<Value> definitions;
      for (const Value& object : member.objects) external::add_definitions(object, definitions);
      const auto others = external::other_resources(external::rules_of(member.configuration), definitions);
      for (const std::string& resource : std::set<std::string>(others.begin(), others.end()))
        advice_.not_asked.push_back("the rules of " + name_of(member) + " on " + resource);
    }
  }

  const AdviceOptions& options_;
  Advice advice_ = {};
  const ChainRuns runs_;
  ChainOrders orders_{runs_, advice_};
};

}  // namespace

bool WebhookAdvice::is_right() const {
  return policy == Policy::safe || policy == Policy::unknown || (policy == Policy::needed && is_if_needed) ||
         (policy == Policy::harmful && !is_if_needed);
}

bool Advice::is_sound() const {
  return defects.empty() &&
         std::all_of(orders.begin(), orders.end(),
                     [](const auto& one) { return !one.may_happen || one.problem.empty(); }) &&
         std::all_of(webhooks.begin(), webhooks.end(), [](const auto& one) { return one.is_right(); });
}

bool Advice::has_evidence() const {
  return std::any_of(webhooks.begin(), webhooks.end(), [](const auto& one) { return one.changed > 0; });
}

Advice advise_on(const Chain& chain, const AdviceOptions& options) { return Adviser(chain, options).run(); }

const SaidPolicy& said_of(WebhookAdvice::Policy policy) {
  static constexpr SaidPolicy kPolicies[] = {{"if-needed", "IfNeeded is needed"},
                                             {"never", "Never is needed"},
                                             {"either", "Never is safe"},
                                             {"none", "neither policy is right"},
                                             {"unknown", "no evidence"}};
  return kPolicies[static_cast<std::size_t>(policy)];
}

}  // namespace fixpoint::compare
