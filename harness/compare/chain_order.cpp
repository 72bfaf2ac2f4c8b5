#include "harness/compare/chain_order.h"

#include <algorithm>

#include "harness/cases/webhook_configuration.h"

namespace fixpoint::compare {

namespace {

using cases::Case;
using document::Value;
using runner::Subject;

constexpr std::size_t kAllOrdersMax = 4;
constexpr const char* kIfNeeded = "IfNeeded";
constexpr const char* kNever = "Never";

void set_policies(Value& configuration, const std::string& name, const Arrangement& arrangement) {
  if (cases::is_policy(configuration)) {
    const bool is_never = cases::belongs_to(arrangement.never, name);
    if (is_never || arrangement.all_if_needed)
      configuration.edit("spec").set("reinvocationPolicy", is_never ? kNever : kIfNeeded);
    return;
  }
  Value& webhooks = configuration.edit("webhooks");
  for (std::size_t i = 0; i < webhooks.size(); ++i) {
    const std::string key = name + "/" + std::string(webhooks.at(i)["name"].text());
    if (arrangement.all_if_needed) webhooks.edit(i).set("reinvocationPolicy", kIfNeeded);
    if (key == arrangement.never) webhooks.edit(i).set("reinvocationPolicy", kNever);
  }
}

/// Returns the order itself, or all orders of these members, beginning with it.
std::vector<Order> permutations_of(const Order& own, bool all) {
  std::vector<Order> orders{own};
  if (!all) {
    if (own.size() > 1) orders.emplace_back(own.rbegin(), own.rend());
    return orders;
  }
  Order next = own;
  std::sort(next.begin(), next.end());
  do {
    if (next != own) orders.push_back(next);
  } while (std::next_permutation(next.begin(), next.end()));
  return orders;
}

}  // namespace

std::string name_of(const Subject& member) {
  return std::string(member.configuration["metadata"]["name"].text());
}

Case arranged(Case value, const Chain& chain, const Arrangement& arrangement) {
  cases::NewNames names;
  for (std::size_t i = 0; i < chain.members.size(); ++i) {
    const std::size_t index = arrangement.order.empty() ? i : arrangement.order[i];
    if (arrangement.alone && *arrangement.alone != index) continue;
    const Subject& member = chain.members[index];
    const std::string name = name_of(member);
    const bool is_policy = cases::is_policy(member.configuration);
    if (!arrangement.order.empty() && is_policy) value.cluster.policy_order.push_back(name);
    if (!arrangement.order.empty() && !is_policy) names.emplace(name, std::to_string(i) + "-" + name);
    Value configuration = member.configuration;
    set_policies(configuration, name, arrangement);
    value.cluster.objects.push_back(std::move(configuration));
    for (const Value& object : member.objects) value.cluster.add_missing(object);
    value.webhooks.insert(member.webhooks.begin(), member.webhooks.end());
  }
  cases::rename_configurations(value, names);
  return value;
}

std::vector<Order> orders_of(const Chain& chain) {
  Order policies, webhooks;
  for (std::size_t i = 0; i < chain.members.size(); ++i)
    (cases::is_policy(chain.members[i].configuration) ? policies : webhooks).push_back(i);
  for (Order* own : {&policies, &webhooks})
    std::sort(own->begin(), own->end(), [&](std::size_t a, std::size_t b) {
      return name_of(chain.members[a]) < name_of(chain.members[b]);
    });
  const bool all = chain.members.size() <= kAllOrdersMax;
  std::vector<Order> orders;
  for (const Order& of_webhooks : permutations_of(webhooks, all))
    for (const Order& of_policies : permutations_of(policies, all)) {
      orders.push_back(of_policies);
      orders.back().insert(orders.back().end(), of_webhooks.begin(), of_webhooks.end());
    }
  return orders;
}

}  // namespace fixpoint::compare
