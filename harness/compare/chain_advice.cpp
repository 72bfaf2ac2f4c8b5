#include "harness/compare/chain_advice.h"

#include <algorithm>
#include <set>
#include <span>

#include "generators/draw.h"
#include "generators/reduce.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/compare/case_differences.h"
#include "harness/compare/chain_order.h"
#include "harness/external/manifests/selected_kinds.h"
#include "harness/properties/order_difference.h"
#include "harness/runner/examine.h"

namespace fixpoint::compare {

namespace {

using cases::Case;
using document::Value;
using properties::Property;
using runner::Prepared;
using runner::Subject;

/// Returns the chain as one subject for the generators.
Subject together(const Chain& chain) {
  Subject joined = chain.members.front();
  for (const Subject& member : chain.members) joined = Pair{joined, member}.both();
  joined.objects.insert(joined.objects.end(), chain.objects.begin(), chain.objects.end());
  return joined;
}

/// The properties of the final Pod, by which the effect of a policy is judged. An order must also converge.
constexpr std::string_view kOfTheResult[] = {"no-duplicate-names", "valid-spec"};
constexpr std::string_view kOfTheChain[] = {"no-duplicate-names", "valid-spec", "converges"};

/// A problem of a run of the chain.
struct Problem {
  std::string property;
  std::string because;
  std::string webhook = {};  ///< to blame
};

/// Returns the message with which the webhook refused the Pod when it was called again; nothing if it did
/// not.
std::optional<std::string> refusal_by(const Prepared& run, const std::string& webhook) {
  for (const apiserver::CallEvent& event : run.admission.calls) {
    const bool is_it = run.admission.webhooks[static_cast<std::size_t>(event.index)].key == webhook;
    if (is_it && event.pass == 2 && event.result.error == apiserver::CallError::denied)
      return event.result.answer.status.message;
  }
  return std::nullopt;
}

class Adviser {
 public:
  Adviser(const Chain& chain, const AdviceOptions& options) : chain_(chain), options_(options) {
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
    for (auto& order : orders_of(chain)) {
      OrderAdvice& one = advice_.orders.emplace_back();
      for (std::size_t index : order) one.order.push_back(name_of(chain.members[index]));
      one.may_happen =
          webhooks_in(order) == webhooks_in(advice_.orders.size() == 1 ? order : orders_.front());
      orders_.push_back(std::move(order));
    }
  }

  /// Orders come last, because they are judged without the defects of the members.
  Advice run() {
    const generators::DrawContext draw_context({.subjects = {together(chain_)},
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
      look_at_orders(drawn(i), i < examples);
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

  std::optional<Prepared> prepare(const Case& plain, const Arrangement& arrangement) const {
    auto prepared = runner::prepare(arranged(plain, chain_, arrangement), options_.resolve, options_.limits,
                                    runner::kWithoutWarnings);
    if (!prepared) return std::nullopt;
    return *std::move(prepared);
  }

  /// Returns the first of these properties that the run violates, ignoring violations by the webhooks in
  /// `left_out`.
  std::optional<Problem> problem_of(const Prepared& run, std::span<const std::string_view> names,
                                    const std::set<std::string>& left_out = {}) const {
    for (std::string_view name : names) {
      const Property* property = properties::find(name);
      for (const runner::PropertyJudgement& asked : runner::ask(run, {&property, 1}, {}, options_.limits)) {
        const auto* violated = std::get_if<properties::Violated>(&asked.judgement);
        if (violated == nullptr) continue;
        for (const properties::Violation& violation : violated->violations)
          if (!left_out.contains(std::string(cases::own_name_of(violation.webhook))))
            return Problem{std::string(name), violation.because, violation.webhook};
      }
    }
    return std::nullopt;
  }

  /// A problem of the chain, and the smallest Case that shows it in this arrangement.
  struct Shown {
    Problem problem;
    Case value;
  };
  std::optional<Shown> smallest_problem(const Case& plain, const Arrangement& arrangement,
                                        const std::set<std::string>& left_out) const {
    const auto problem_in = [&](const Case& candidate) -> std::optional<Problem> {
      const auto run = prepare(candidate, arrangement);
      return run && runner::has_valid_pod(*run) ? problem_of(*run, kOfTheChain, left_out) : std::nullopt;
    };
    auto problem = problem_in(plain);
    if (!problem) return std::nullopt;
    const Case small = shrink(plain, [&](const Case& tried) {
      auto still = problem_in(tried);
      const bool is_it = still && still->property == problem->property;
      if (is_it) problem = std::move(still);
      return is_it;
    });
    return Shown{*std::move(problem), arranged(small, chain_, arrangement)};
  }

  /// Looks for a problem of a member without the others: its own defect, which no order repairs.
  void look_at_alone(const Case& plain, std::size_t index) {
    const Subject& member = chain_.members[index];
    if (defective_.contains(std::string(cases::first_own_name(member.configuration)))) return;
    auto shown = smallest_problem(plain, {.alone = index}, {});
    if (!shown) return;
    advice_.defects.push_back({.configuration = name_of(member),
                               .property = std::move(shown->problem.property),
                               .problem = std::move(shown->problem.because),
                               .shown_by = std::move(shown->value)});
    for (const Value& webhook : member.configuration["webhooks"].elements())
      defective_.emplace(webhook["name"].text());
  }

  void look_at(const Case& plain) {
    const auto all = prepare(plain, {.all_if_needed = true});
    if (!all || !runner::has_valid_pod(*all)) return;
    for (WebhookAdvice& one : advice_.webhooks) look_at(plain, *all, one);
    if (chain_.members.size() > 1)
      for (std::size_t i = 0; i < chain_.members.size(); ++i) look_at_alone(plain, i);
    for (const apiserver::CallEvent& event : all->admission.calls)
      for (const properties::PathValue& path_value : properties::added(event.before, event.result.after))
        note_written(event.before, path_value.path);
  }

  void note_written(const Value& before, std::string_view path) {
    const std::string_view element = properties::element_of(path);
    if (properties::locate(before, element).empty()) written_.insert(without_owners(element));
  }
  /// Turns `spec.containers[main].env[LOG]` into `spec.containers[*].env[LOG]`.
  static std::string without_owners(std::string_view element) {
    std::string out;
    const auto last = element.rfind('[');
    for (std::size_t at = 0; at < element.size(); ++at) {
      out += element[at];
      if (element[at] != '[' || at == last) continue;
      out += '*';
      at = std::min(element.find(']', at), element.size()) - 1;
    }
    return out;
  }
  /// Returns true if the user's Pod already has an element that the chain adds, which a member may mistake
  /// for its own.
  bool has_near_match(const Value& pod) const {
    const auto path_values = properties::path_values_of(pod);
    return std::any_of(path_values.begin(), path_values.end(), [&](const properties::PathValue& path_value) {
      return written_.contains(without_owners(properties::element_of(path_value.path)));
    });
  }

  /// Lists the questions that these runs leave open: no container is started, and no object of a kind that
  /// nothing defines is drawn.
  void list_open_questions() {
    const bool adds_containers =
        std::any_of(written_.begin(), written_.end(), [](const std::string& element) {
          return element.starts_with("spec.containers[") && element.ends_with(']') &&
                 std::count(element.begin(), element.end(), '[') == 1;
        });
    if (adds_containers)
      advice_.not_asked.emplace_back("whether containers become ready beside those that the chain adds");
    for (const Subject& member : chain_.members) {
      std::vector<Value> definitions;
      for (const Value& object : member.objects) external::add_definitions(object, definitions);
      const auto others = external::other_resources(external::rules_of(member.configuration), definitions);
      for (const std::string& resource : std::set<std::string>(others.begin(), others.end()))
        advice_.not_asked.push_back("the rules of " + name_of(member) + " on " + resource);
    }
  }

  /// Of the drawn Pods those count that have nothing yet that the chain adds; an example Pod always does.
  void look_at_orders(const Case& plain, bool is_example) {
    const auto own = prepare(plain, {});
    if (!own || !runner::has_valid_pod(*own)) return;
    if (!is_example && has_near_match(own->value.request.object)) return;
    ++advice_.order_cases;
    advice_.examples += is_example ? 1 : 0;
    for (std::size_t i = 0; i < orders_.size(); ++i) {
      if (advice_.orders[i].problem.empty()) look_at(plain, orders_[i], advice_.orders[i]);
    }
    compare_orders(plain);
  }

  /// Returns true if a call of the webhook passes the test.
  template <class Test>
  static bool has_call(const Prepared& run, const std::string& webhook, const Test& test) {
    const auto& calls = run.admission.calls;
    return std::any_of(calls.begin(), calls.end(), [&](const apiserver::CallEvent& event) {
      return test(event) && run.admission.webhooks[static_cast<std::size_t>(event.index)].key == webhook;
    });
  }
  static bool changes(const Prepared& run, const std::string& webhook) {
    return has_call(run, webhook, [](const auto& event) { return event.result.changed; });
  }
  static bool calls_again(const Prepared& run, const std::string& webhook) {
    return has_call(run, webhook, [](const auto& event) { return event.pass == 2; });
  }

  static std::string loss_between(const Prepared& run, const Prepared& other) {
    if (run.admission.object.is_null() || other.admission.object.is_null()) return {};
    return properties::first_loss(properties::differing(run.admission.object, other.admission.object));
  }

  bool shows_own_defect(const Case& plain) const {
    for (std::size_t i = 0; i < chain_.members.size(); ++i) {
      if (!defective_.contains(std::string(cases::first_own_name(chain_.members[i].configuration)))) continue;
      const auto alone = prepare(plain, {.alone = i});
      if (!alone || problem_of(*alone, kOfTheChain)) return true;
    }
    return false;
  }

  /// The admissions of one Pod in each order; none where a Case of it cannot run.
  using Runs = std::vector<std::optional<Prepared>>;

  /// Compares the orders with each other, by a Pod on which no member shows a defect of its own.
  void compare_orders(const Case& plain) {
    if (shows_own_defect(plain)) return;
    Runs runs;
    for (const auto& order : orders_) runs.push_back(prepare(plain, {.order = order}));
    look_for_losses(plain, runs);
    look_for_other_values(plain, runs);
  }

  /// An order fails if its result lacks an element that another order gives.
  void look_for_losses(const Case& plain, const Runs& runs) {
    for (std::size_t i = 0; i < orders_.size(); ++i) {
      for (std::size_t j = 0; j < orders_.size() && advice_.orders[i].problem.empty(); ++j) {
        if (runs[i] && runs[j] && advice_.orders[j].problem.empty() &&
            !loss_between(*runs[i], *runs[j]).empty())
          tell(plain, i, j, loss_between, " is missing, which another order gives");
      }
    }
  }

  /// The server promises no order of policies: an order of them fails if it gives another Pod than the first.
  /// What webhooks give in the order of their names is what they always give.
  void look_for_other_values(const Case& plain, const Runs& runs) {
    for (std::size_t i = 1; i < orders_.size(); ++i) {
      const OrderAdvice& one = advice_.orders[i];
      if (!one.may_happen || !one.problem.empty() || !runs.front() || !runs[i]) continue;
      if (difference_between(*runs.front(), *runs[i]).empty()) continue;
      tell(plain, i, 0, difference_between, " is another than in the first order");
    }
  }
  static std::string difference_between(const Prepared& own, const Prepared& other) {
    if (own.admission.object.is_null() || other.admission.object.is_null()) return {};
    return properties::first_difference(
        properties::order_difference(own.admission.object, other.admission.object, true));
  }

  /// Tells that an order fails beside another one, by the smallest Case in which they differ so.
  void tell(const Case& plain, std::size_t index, std::size_t other,
            std::string (*difference)(const Prepared& run, const Prepared& beside), const char* sentence) {
    const auto difference_in = [&](const Case& candidate) -> std::string {
      const auto run = prepare(candidate, {.order = orders_[index]}),
                 beside = prepare(candidate, {.order = orders_[other]});
      return run && beside && runner::has_valid_pod(*run) ? difference(*run, *beside) : "";
    };
    const Case small = shrink(plain, [&](const Case& tried) { return !difference_in(tried).empty(); });
    OrderAdvice& one = advice_.orders[index];
    one.property = "order-independent";
    one.problem = difference_in(small) + sentence;
    one.shown_by = arranged(small, chain_, {.order = orders_[index]});
  }

  /// The members of an order that are webhooks, whose order the server keeps.
  Order webhooks_in(const Order& order) const {
    Order kept;
    for (const std::size_t index : order)
      if (!cases::is_policy(chain_.members[index].configuration)) kept.push_back(index);
    return kept;
  }

  /// The benefit and the harm of calling a webhook again.
  struct Effect {
    std::string missed = {};
    std::optional<Problem> harm = {};
  };
  Effect effect_of(const Case& plain, const Prepared& all, const std::string& webhook) const {
    if (!calls_again(all, webhook)) return {};
    const auto never = prepare(plain, {.all_if_needed = true, .never = webhook});
    if (!never) return {};
    if (all.admission.object.is_null() || never->admission.object.is_null())
      return effect_of_refusal(all, *never, webhook);
    const auto with = problem_of(all, kOfTheResult), without = problem_of(*never, kOfTheResult);
    if (with && !without) return {.harm = with};
    if (without && !with)
      return is_of_another(plain, *without, webhook) ? Effect{} : Effect{without->because};
    if (with) return {};
    const auto both = properties::differing(all.admission.object, never->admission.object);
    const std::string path = properties::first_difference(both);
    if (path.empty()) return {};
    const bool is_there = properties::find(both.after, path) != nullptr;
    return {.missed = path + (is_there ? " has another value" : " is missing")};
  }

  /// The refusal of a Pod by a webhook that is called again is harm. Who else refuses it says nothing about
  /// this webhook.
  static Effect effect_of_refusal(const Prepared& all, const Prepared& never, const std::string& webhook) {
    const auto refusal = refusal_by(all, webhook);
    if (!refusal || never.admission.object.is_null()) return {};
    return {.harm = Problem{"accepts-own-output", std::string(kRefusesAgain) + ": " + *refusal, webhook}};
  }

  /// Returns true if another member shows the problem of a run without the rest of the chain.
  bool is_of_another(const Case& plain, const Problem& problem, const std::string& webhook) const {
    const std::string_view blamed = cases::configuration_of(problem.webhook);
    if (blamed == cases::configuration_of(webhook)) return false;
    for (std::size_t i = 0; i < chain_.members.size(); ++i) {
      if (name_of(chain_.members[i]) != blamed) continue;
      const auto alone = prepare(plain, {.alone = i});
      const auto own = alone ? problem_of(*alone, kOfTheResult) : std::nullopt;
      return own && own->property == problem.property;
    }
    return false;
  }

  void look_at(const Case& plain, const Prepared& all, WebhookAdvice& one) {
    one.called_again += calls_again(all, one.webhook) ? 1 : 0;
    one.changed += changes(all, one.webhook) ? 1 : 0;
    if (one.needed_case && one.harmful_case) return;
    const auto effect_on = [&](const Case& candidate) -> Effect {
      const auto run = prepare(candidate, {.all_if_needed = true});
      return run && runner::has_valid_pod(*run) ? effect_of(candidate, *run, one.webhook) : Effect{};
    };
    const Effect effect = effect_of(plain, all, one.webhook);
    if (!effect.missed.empty() && !one.needed_case) {
      const Case small = shrink(plain, [&](const Case& tried) { return !effect_on(tried).missed.empty(); });
      one.missed = effect_on(small).missed;
      one.needed_case = arranged(small, chain_, {.all_if_needed = true, .never = one.webhook});
    }
    if (effect.harm && !one.harmful_case) {
      const Case small = shrink(plain, [&](const Case& tried) {
        const auto harm = effect_on(tried).harm;
        return harm && harm->property == effect.harm->property;
      });
      one.harm = effect_on(small).harm->because;
      one.harmful_case = arranged(small, chain_, {.all_if_needed = true});
    }
  }

  void look_at(const Case& plain, const Order& order, OrderAdvice& one) {
    auto shown = smallest_problem(plain, {.order = order}, defective_);
    if (!shown) return;
    one.property = std::move(shown->problem.property);
    one.problem = std::move(shown->problem.because);
    one.shown_by = std::move(shown->value);
  }

  Case shrink(Case best, const std::function<bool(const Case&)>& still_shows) const {
    std::size_t tries = 0;
    for (bool progress = true; progress && tries < options_.limits.shrink_tries_max;) {
      progress = false;
      generators::reduce(best, [&](const Case& candidate) {
        if (++tries > options_.limits.shrink_tries_max || !still_shows(candidate)) return false;
        best = candidate;
        return progress = true;
      });
    }
    return best;
  }

  const Chain& chain_;
  const AdviceOptions& options_;
  std::vector<Order> orders_ = {};
  std::set<std::string> written_ = {};    ///< elements that the chain adds, from any member
  std::set<std::string> defective_ = {};  ///< webhooks of members with a defect of their own
  Advice advice_ = {};
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
