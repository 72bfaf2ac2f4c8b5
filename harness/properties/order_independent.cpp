#include <algorithm>
#include <numeric>
#include <random>

#include "harness/cases/webhook_configuration.h"
#include "harness/properties/contract.h"
#include "harness/properties/judge.h"
#include "harness/properties/order_difference.h"
#include "harness/properties/property.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

using apiserver::Admission;
using apiserver::ConfiguredWebhook;
using Order = std::vector<std::size_t>;

constexpr std::size_t kAllOrdersMax = 4;  ///< configurations; all orders of more are not tried

Violation takes_place_for_name(const FirstCall& call, const PlaceDependence& found) {
  Violation violation = violation_at(call.webhook, found.path, found.result.after, found.result);
  violation.verdict = "order-dependent";
  violation.severity = Severity::warning;
  violation.reason = violation.path + " depends on a plain container in front or behind: it looks for " +
                     "containers by index, not by name";
  violation.calls = found.calls;
  return violation;
}

/// The chain of some configurations of the Case, in any order.
class Chain {
 public:
  Chain(const Examination& examination, std::vector<std::string> names)
      : examination_(examination), names_(std::move(names)), plain_(examination.value) {
    std::erase_if(plain_.cluster.objects, [&](const Value& object) {
      return cases::is_webhook_configuration(object) &&
             std::find(names_.begin(), names_.end(), object["metadata"]["name"].text()) == names_.end();
    });
    plain_.faults.clear();
  }

  std::size_t size() const { return names_.size(); }
  /// Admits the Pod in that order: configurations run in the order of their names, so that each gets a
  /// numbered prefix. Returns nothing if a call fails or refuses.
  std::optional<Admission> admit(const Order& order) const {
    cases::NewNames names;
    for (std::size_t place = 0; place < order.size(); ++place)
      names.emplace(names_[order[place]], prefix(place) + names_[order[place]]);
    cases::Case value = plain_;
    cases::rename_configurations(value, names);
    Handlers handlers;
    for (const ConfiguredWebhook& webhook : examination_.admission.webhooks) {
      if (names.contains(webhook.configuration))
        handlers.emplace(cases::renamed_webhook(webhook.key, names), examination_.handlers.at(webhook.key));
    }
    auto made = apiserver::admit(value, handlers, examination_.limits, {.store = false, .warns = false});
    if (!made || !made->allowed || made->object.is_null()) return {};
    for (const auto& event : made->calls) {
      if (event.result.error != apiserver::CallError::none) return {};
    }
    return *std::move(made);
  }
  /// The calls of such a run, each by its webhook's own name.
  std::vector<OwnCall> calls_of(const Admission& run, const std::string& order) const {
    std::vector<OwnCall> calls;
    for (const apiserver::CallEvent& event : run.calls) {
      const auto& renamed = run.webhooks[static_cast<std::size_t>(event.index)];
      calls.push_back({"in the order " + order, original(renamed).key, event.before, event.result});
    }
    return calls;
  }
  std::string text_of(const Order& order) const {
    std::string text;
    for (std::size_t index : order) text.append(text.empty() ? "" : ", ").append(names_[index]);
    return text;
  }
  /// Returns the Case's own webhook that a renamed configuration stands for.
  const ConfiguredWebhook& original(const ConfiguredWebhook& renamed) const {
    const auto& all = examination_.admission.webhooks;
    const std::string key = renamed.is_policy ? renamed.key : renamed.key.substr(kPrefixSize);
    return *std::find_if(all.begin(), all.end(), [&](const auto& webhook) { return webhook.key == key; });
  }

 private:
  static constexpr std::size_t kPrefixSize = 4;
  static std::string prefix(std::size_t place) {
    const std::string digits = std::to_string(place);
    return std::string(3 - std::min<std::size_t>(3, digits.size()), '0') + digits + "-";
  }

  const Examination& examination_;
  std::vector<std::string> names_;
  cases::Case plain_;
};

/// Returns all orders of up to four; of more the reversal, swaps of adjacent ones and drawn ones.
std::vector<Order> orders_of(std::size_t size, std::size_t orders_max) {
  Order order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<Order> orders;
  if (size <= kAllOrdersMax) {
    while (std::next_permutation(order.begin(), order.end())) orders.push_back(order);
    return orders;
  }
  orders.emplace_back(order.rbegin(), order.rend());
  for (std::size_t i = 0; i + 1 < size && orders.size() < orders_max; ++i) {
    orders.push_back(order);
    std::swap(orders.back()[i], orders.back()[i + 1]);
  }
  std::minstd_rand random(1);
  while (orders.size() < orders_max) {
    for (std::size_t i = size; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    orders.push_back(order);
  }
  return orders;
}

/// The configurations whose order is checked.
struct OrderQuestion {
  const std::vector<FirstCall>& calls;
  const std::vector<std::string>& left_out;
  bool is_under_test = false;  ///< no neighbours, and webhooks that are called once, too
};

/// Returns the configurations whose order is checked: each of their webhooks was called, has
/// reinvocationPolicy IfNeeded, and is called whatever the others write.
std::vector<std::string> configurations_of(const Examination& examination, const OrderQuestion& question) {
  std::vector<std::string> names;
  for (const ConfiguredWebhook& webhook : examination.admission.webhooks) {
    if (question.is_under_test && !webhook.is_subject) continue;
    if (names.empty() || names.back() != webhook.configuration) names.push_back(webhook.configuration);
  }
  const auto fits = [&](const ConfiguredWebhook& webhook) {
    if (webhook.is_policy) return false;
    const bool was_called =
        std::any_of(question.calls.begin(), question.calls.end(),
                    [&](const FirstCall& call) { return call.webhook.key == webhook.key; });
    return was_called && (webhook.if_needed || question.is_under_test) && webhook.conditions.empty() &&
           webhook.object_selector.empty();
  };
  std::erase_if(names, [&](const std::string& name) {
    if (std::find(question.left_out.begin(), question.left_out.end(), name) != question.left_out.end())
      return true;
    return std::any_of(examination.admission.webhooks.begin(), examination.admission.webhooks.end(),
                       [&](const auto& webhook) { return webhook.configuration == name && !fits(webhook); });
  });
  return names;
}

/// Returns the last call of a run that changed the value at the path.
const apiserver::CallEvent* author_of(const Admission& run, const std::string& path) {
  for (auto event = run.calls.rbegin(); event != run.calls.rend(); ++event) {
    if (!event->result.applied) continue;
    const auto before = path_values_of(event->before), after = path_values_of(event->result.after);
    const PathValue* old = find(before, path);
    const PathValue* now = find(after, path);
    if ((old == nullptr) != (now == nullptr) || (old != nullptr && !(*old == *now))) return &*event;
  }
  return nullptr;
}

std::optional<Violation> broken_promise(const Examination& examination, const Chain& chain,
                                        const Admission& run, const std::string& order) {
  for (const ConfiguredWebhook& renamed : run.webhooks) {
    const ConfiguredWebhook& webhook = chain.original(renamed);
    for (const Promise& promise : promises_of(examination, webhook)) {
      const Value& list = run.object["spec"][document::Name(promise.list)];
      const Value& place = list.at(promise.is_first ? 0 : list.empty() ? 0 : list.size() - 1);
      const auto elements = list.elements();
      const bool is_there = std::any_of(elements.begin(), elements.end(),
                                        [&](const Value& one) { return one["name"].text() == promise.name; });
      if (!is_there || place["name"].text() == promise.name) continue;
      const std::string where = promise.is_first ? "first" : "last";
      Violation violation{.webhook = webhook.key, .verdict = "order-dependent"};
      violation.path = "spec." + promise.list;
      violation.value = promise.name;
      violation.shape = "spec." + promise.list + "[name=" + promise.name + "]:" + where;
      violation.reason = promise.name + " is promised to stand " + where + " of " + violation.path +
                         " and does not in the order " + order;
      violation.calls = chain.calls_of(run, order);
      return violation;
    }
  }
  return {};
}

/// An admission of the chain in one of its orders.
struct Ordered {
  std::string order;  ///< in words
  const Admission& run;
};

Violation differs(const Chain& chain, const Ordered& own, const Ordered& other, const std::string& path) {
  const Admission &base = own.run, &run = other.run;
  const bool is_in_run = !locate(run.object, path).empty();
  const auto& shown = is_in_run ? run : base;
  const apiserver::CallEvent* event = author_of(run, path);
  const Admission* of = &run;
  if (event == nullptr) event = author_of(base, path), of = &base;
  const auto& blamed = of->webhooks[event == nullptr ? 0 : static_cast<std::size_t>(event->index)];
  Violation violation = violation_at(chain.original(blamed), path, shown.object,
                                     event == nullptr ? apiserver::CallResult() : event->result);
  violation.verdict = "order-dependent";
  violation.severity = Severity::warning;
  violation.reason = "in the order " + other.order + " the Pod has another " + violation.path;
  violation.calls = chain.calls_of(base, own.order);
  for (OwnCall& call : chain.calls_of(run, other.order)) violation.calls.push_back(std::move(call));
  return violation;
}

std::optional<Violation> ask_orders(const Examination& examination, const Chain& chain, Held& held) {
  Order own(chain.size());
  std::iota(own.begin(), own.end(), std::size_t{0});
  const auto base = chain.admit(own);
  if (!base) return {};
  if (auto broken = broken_promise(examination, chain, *base, chain.text_of(own))) return broken;
  const bool with_resources = !has_limit_range(examination.value.cluster);
  for (const Order& order : orders_of(chain.size(), examination.limits.orders_max)) {
    const auto run = chain.admit(order);
    if (!run) continue;
    if (auto broken = broken_promise(examination, chain, *run, chain.text_of(order))) return broken;
    const std::string path = first_difference(order_difference(base->object, run->object, with_resources));
    if (path.empty()) continue;
    const auto again = chain.admit(own);
    const bool is_repeatable =
        again && first_difference(order_difference(base->object, again->object, with_resources)).empty();
    if (!is_repeatable) return {};
    return differs(chain, {chain.text_of(own), *base}, {chain.text_of(order), *run}, path);
  }
  if (chain.size() > kAllOrdersMax) held.verdict = "no-difference-seen";
  return {};
}

/// Checks the order that the owner of the chain chose: it must lose nothing that another order keeps, even if
/// a webhook has reinvocationPolicy Never.
std::optional<Violation> ask_losses(const Examination& examination, const Chain& chain) {
  Order own(chain.size());
  std::iota(own.begin(), own.end(), std::size_t{0});
  const auto base = chain.admit(own);
  if (!base) return {};
  const bool with_resources = !has_limit_range(examination.value.cluster);
  const auto loss = [&](const Admission& run, const Admission& other) {
    return first_loss(order_difference(run.object, other.object, with_resources));
  };
  for (const Order& order : orders_of(chain.size(), examination.limits.orders_max)) {
    const auto run = chain.admit(order);
    const std::string path = run ? loss(*base, *run) : "";
    if (path.empty()) continue;
    const auto again = chain.admit(own);
    if (!again || loss(*again, *run) != path) return {};
    Violation violation = differs(chain, {chain.text_of(own), *base}, {chain.text_of(order), *run}, path);
    violation.reason = "in the order " + chain.text_of(own) + " the Pod lacks " + violation.path +
                       ", which the order " + chain.text_of(order) + " gives it";
    return violation;
  }
  return {};
}

/// Policies run in an order that the server does not promise, so that each order must give the same Pod.
std::optional<Violation> ask_policy_orders(const Examination& examination) {
  const apiserver::Admission& admission = examination.admission;
  std::vector<std::string> names;
  for (const ConfiguredWebhook& policy : admission.webhooks)
    if (policy.is_policy && (names.empty() || names.back() != policy.configuration))
      names.push_back(policy.configuration);
  const bool is_any_judged = std::ranges::any_of(
      admission.webhooks, [](const auto& policy) { return policy.is_policy && policy.is_subject; });
  if (names.size() < 2 || !is_any_judged || !admission.allowed) return {};
  for (const Order& order : orders_of(names.size(), examination.limits.orders_max)) {
    cases::Case value = examination.value;
    value.cluster.policy_order.clear();
    std::string text;
    for (const std::size_t index : order) {
      value.cluster.policy_order.push_back(names[index]);
      text.append(text.empty() ? "" : ", ").append(names[index]);
    }
    const auto run =
        apiserver::admit(value, examination.handlers, examination.limits, {.store = false, .warns = false});
    if (!run || run->object.is_null()) continue;
    const std::string path = first_difference(order_difference(admission.object, run->object, true));
    if (path.empty()) continue;
    const apiserver::CallEvent* event = author_of(*run, path);
    const Admission* of = &*run;
    if (event == nullptr) event = author_of(admission, path), of = &admission;
    if (event == nullptr) continue;
    const ConfiguredWebhook& blamed = of->webhooks[static_cast<std::size_t>(event->index)];
    if (!blamed.is_policy) continue;
    Violation violation = violation_at(blamed, path, run->object, event->result);
    violation.verdict = "order-dependent";
    violation.reason = "in the order " + text + " the Pod has another " + violation.path +
                       ", and the server promises no order among policies";
    return violation;
  }
  return {};
}

Judgement order_independent(const Examination& examination) {
  const auto calls = first_calls(examination);
  if (calls.empty()) return not_reached("no webhook was called");
  if (!examination.value.faults.empty()) return not_applicable("a fault strikes in one order only");
  std::vector<Violation> violations;
  std::vector<std::string> left_out;
  for (const FirstCall& call : calls) {
    const auto found = depends_on_place(examination, call.webhook, call.event.before);
    if (!found) continue;
    left_out.push_back(call.webhook.configuration);
    violations.push_back(takes_place_for_name(call, *found));
  }
  Held held;
  const Chain chain(examination, configurations_of(examination, {calls, left_out}));
  if (chain.size() > 0 && examination.admission.allowed) {
    if (auto violation = ask_orders(examination, chain, held)) violations.push_back(*std::move(violation));
  }
  if (violations.empty() && examination.value.neighbours && examination.admission.allowed) {
    const Chain judged(
        examination,
        configurations_of(examination, {.calls = calls, .left_out = left_out, .is_under_test = true}));
    if (judged.size() > 1)
      if (auto loss = ask_losses(examination, judged)) violations.push_back(*std::move(loss));
  }
  if (auto violation = ask_policy_orders(examination)) violations.push_back(*std::move(violation));
  if (violations.empty()) return held;
  return Violated{std::move(violations)};
}

}  // namespace

extern constinit const Property kOrderIndependent = {
    .name = "order-independent",
    .claim = "Every order of the chain gives the same Pod, and what is promised to be first or last is.",
    .is_cheap = false,
    .ask = order_independent,
    .takes_any_kind = true,
    .symptom = "order",
    .explanation =
        {.example = "The container at index 0 is instrumented, which is another injector's proxy.",
         .matters =
             "Order is the alphabet of configuration names: installing or renaming another one changes Pods.",
         .fix = "Choose containers by name or annotation; see to a promised place at every call."},
};

}  // namespace fixpoint::properties
