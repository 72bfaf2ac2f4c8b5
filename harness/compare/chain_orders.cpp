#include "harness/compare/chain_orders.h"

#include <algorithm>

#include "harness/cases/webhook_configuration.h"
#include "harness/compare/case_differences.h"
#include "harness/properties/order_difference.h"

namespace fixpoint::compare {

using cases::Case;
using document::Value;
using runner::Prepared;
using runner::Subject;

namespace {

/// The members of an order that are webhooks, whose order the server keeps.
Order webhooks_in(const Chain& chain, const Order& order) {
  Order kept;
  for (const std::size_t index : order)
    if (!cases::is_policy(chain.members[index].configuration)) kept.push_back(index);
  return kept;
}

/// Turns `spec.containers[main].env[LOG]` into `spec.containers[*].env[LOG]`.
std::string without_owners(std::string_view element) {
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

std::string loss_between(const Prepared& run, const Prepared& other) {
  if (run.admission.object.is_null() || other.admission.object.is_null()) return {};
  return properties::first_loss(properties::differing(run.admission.object, other.admission.object));
}

std::string difference_between(const Prepared& own, const Prepared& other) {
  if (own.admission.object.is_null() || other.admission.object.is_null()) return {};
  return properties::first_difference(
      properties::order_difference(own.admission.object, other.admission.object, true));
}

}  // namespace

ChainOrders::ChainOrders(const ChainRuns& runs, Advice& advice) : runs_(runs), advice_(advice) {
  const Chain& chain = runs.chain();
  for (auto& order : orders_of(chain)) {
    OrderAdvice& one = advice_.orders.emplace_back();
    for (std::size_t index : order) one.order.push_back(name_of(chain.members[index]));
    one.may_happen =
        webhooks_in(chain, order) == webhooks_in(chain, advice_.orders.size() == 1 ? order : orders_.front());
    orders_.push_back(std::move(order));
  }
}

void ChainOrders::look_at_alone(const Case& plain, std::size_t index) {
  const Subject& member = runs_.chain().members[index];
  if (defective_.contains(std::string(cases::first_own_name(member.configuration)))) return;
  auto shown = runs_.smallest_problem(plain, {.alone = index}, {});
  if (!shown) return;
  advice_.defects.push_back({.configuration = name_of(member),
                             .property = std::move(shown->problem.property),
                             .problem = std::move(shown->problem.reason),
                             .shown_by = std::move(shown->value)});
  for (const Value& webhook : member.configuration["webhooks"].elements())
    defective_.emplace(webhook["name"].text());
}

void ChainOrders::note_written(const Value& before, std::string_view path) {
  const std::string_view element = properties::element_of(path);
  if (properties::locate(before, element).empty()) written_.insert(without_owners(element));
}

/// Returns true if the user's Pod already has an element that the chain adds, which a member may mistake
/// for its own.
bool ChainOrders::has_near_match(const Value& pod) const {
  const auto path_values = properties::path_values_of(pod);
  return std::any_of(path_values.begin(), path_values.end(), [&](const properties::PathValue& path_value) {
    return written_.contains(without_owners(properties::element_of(path_value.path)));
  });
}

void ChainOrders::look_at_orders(const Case& plain, bool is_example) {
  const auto own = runs_.prepare(plain, {});
  if (!own || !runner::has_valid_pod(*own)) return;
  if (!is_example && has_near_match(own->value.request.object)) return;
  ++advice_.order_cases;
  advice_.examples += is_example ? 1 : 0;
  for (std::size_t i = 0; i < orders_.size(); ++i) {
    if (advice_.orders[i].problem.empty()) look_at(plain, orders_[i], advice_.orders[i]);
  }
  compare_orders(plain);
}

bool ChainOrders::shows_own_defect(const Case& plain) const {
  for (std::size_t i = 0; i < runs_.chain().members.size(); ++i) {
    if (!defective_.contains(std::string(cases::first_own_name(runs_.chain().members[i].configuration))))
      continue;
    const auto alone = runs_.prepare(plain, {.alone = i});
    if (!alone || runs_.problem_of(*alone, kOfTheChain)) return true;
  }
  return false;
}

/// Compares the orders with each other, by a Pod on which no member shows a defect of its own.
void ChainOrders::compare_orders(const Case& plain) {
  if (shows_own_defect(plain)) return;
  Runs runs;
  for (const auto& order : orders_) runs.push_back(runs_.prepare(plain, {.order = order}));
  look_for_losses(plain, runs);
  look_for_other_values(plain, runs);
}

/// An order fails if its result lacks an element that another order gives.
void ChainOrders::look_for_losses(const Case& plain, const Runs& runs) {
  for (std::size_t i = 0; i < orders_.size(); ++i) {
    for (std::size_t j = 0; j < orders_.size() && advice_.orders[i].problem.empty(); ++j) {
      if (runs[i] && runs[j] && advice_.orders[j].problem.empty() &&
          !loss_between(*runs[i], *runs[j]).empty())
        tell(plain, i, j, loss_between, " is missing, which another order gives");
    }
  }
}

/// The server promises no order of policies: an order of them fails if it gives another Pod than the first.
/// Webhooks that run in the order of their names always give the same result.
void ChainOrders::look_for_other_values(const Case& plain, const Runs& runs) {
  for (std::size_t i = 1; i < orders_.size(); ++i) {
    const OrderAdvice& one = advice_.orders[i];
    if (!one.may_happen || !one.problem.empty() || !runs.front() || !runs[i]) continue;
    if (difference_between(*runs.front(), *runs[i]).empty()) continue;
    tell(plain, i, 0, difference_between, " is another than in the first order");
  }
}

/// Tells that an order fails beside another one, by the smallest Case in which they differ so.
void ChainOrders::tell(const Case& plain, std::size_t index, std::size_t other,
                       std::string (*difference)(const Prepared& run, const Prepared& beside),
                       const char* sentence) {
  const auto difference_in = [&](const Case& candidate) -> std::string {
    const auto run = runs_.prepare(candidate, {.order = orders_[index]}),
               beside = runs_.prepare(candidate, {.order = orders_[other]});
    return run && beside && runner::has_valid_pod(*run) ? difference(*run, *beside) : "";
  };
  const Case small = runs_.shrink(plain, [&](const Case& tried) { return !difference_in(tried).empty(); });
  OrderAdvice& one = advice_.orders[index];
  one.property = "order-independent";
  one.problem = difference_in(small) + sentence;
  one.shown_by = arranged(small, runs_.chain(), {.order = orders_[index]});
}

void ChainOrders::look_at(const Case& plain, const Order& order, OrderAdvice& one) {
  auto shown = runs_.smallest_problem(plain, {.order = order}, defective_);
  if (!shown) return;
  one.property = std::move(shown->problem.property);
  one.problem = std::move(shown->problem.reason);
  one.shown_by = std::move(shown->value);
}

}  // namespace fixpoint::compare
