#include "harness/runner/todays_configuration.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "harness/cases/webhook_configuration.h"

namespace fixpoint::runner {

namespace {

using cases::Case;
using document::Name;
using document::Value;

constexpr std::string_view kReinvocation = "reinvocationPolicy";
/// The members that decide which requests a webhook gets, and what to say if one of them leaves a request
/// out.
struct Member {
  std::string_view name, effect;
};
constexpr std::array kMembers{
    Member{"rules", "rules leave the request out"},
    Member{"namespaceSelector", "namespaceSelector leaves the namespace out"},
    Member{"objectSelector", "objectSelector leaves the object out"},
    Member{"matchConditions", "matchConditions leave the request out"},
    Member{"matchPolicy", "matchPolicy leaves the request out"},
    Member{kReinvocation, "reinvocationPolicy is Never: the webhook is not called again"}};

bool is_called_again(const Value& entry) { return entry[kReinvocation].text() == "IfNeeded"; }

/// Takes one member from another entry. A Case is not called again more often than it says.
void take_member(Value& entry, const Value& from, std::string_view member) {
  if (member == kReinvocation && (!is_called_again(entry) || is_called_again(from))) return;
  if (const Value* value = from.find(Name(member)))
    entry.set(Name(member), *value);
  else
    entry.remove(Name(member));
}

/// Returns the configuration with `take` applied to each of its webhooks that today's has, too.
template <class Take>
Value with_entries(Value configuration, const Value& today, const Take& take) {
  Value entries = Value::empty_list();
  for (const Value& entry : configuration["webhooks"].elements()) {
    Value changed = entry;
    if (const Value* other = cases::find_entry(today, entry["name"].text())) take(changed, *other);
    entries.push_back(std::move(changed));
  }
  configuration.set("webhooks", std::move(entries));
  return configuration;
}

bool is_same_object(const Value& a, const Value& b) {
  return a["kind"] == b["kind"] && a["metadata"]["name"] == b["metadata"]["name"];
}

std::set<std::string> operations_of(const Value& rules) {
  std::set<std::string> all;
  for (const Value& rule : rules.elements())
    for (const Value& operation : rule["operations"].elements()) all.emplace(operation.text());
  return all;
}

std::string effect_of(const Member& member, const Value& stored, const Value& today) {
  std::string left_out;
  const auto now = operations_of(today["rules"]);
  if (member.name == "rules" && !now.contains("*"))
    for (const std::string& operation : operations_of(stored["rules"]))
      if (!now.contains(operation)) left_out += (left_out.empty() ? "" : ", ") + operation;
  return left_out.empty() ? std::string(member.effect) : "rules leave out " + left_out;
}

/// Returns the object with these members of the configuration of its name, if it is one of a webhook.
Value with_members(Value object, const Value& from, std::span<const Member> members) {
  if (!cases::is_of_webhooks(object)) return object;
  return with_entries(std::move(object), from, [&](Value& entry, const Value& other) {
    for (const Member& member : members) take_member(entry, other, member.name);
  });
}

/// Returns the Case with take(object, configuration) in the place of each object that has a namesake among
/// the configurations, and is not a neighbour's.
template <class Take>
Case with_namesakes(Case value, std::span<const Value> configurations, const Take& take) {
  for (Value& object : value.cluster.objects) {
    const auto namesake = std::find_if(configurations.begin(), configurations.end(),
                                       [&](const Value& one) { return is_same_object(one, object); });
    if (namesake == configurations.end()) continue;
    if (cases::is_neighbour(value, object["metadata"]["name"].text())) continue;
    object = take(std::move(object), *namesake);
  }
  return value;
}

}  // namespace

Case with_configurations(Case value, std::span<const Value> today) {
  return with_namesakes(std::move(value), today, [](Value object, const Value& now) {
    return cases::is_of_policies(object) ? now : with_members(std::move(object), now, kMembers);
  });
}

Case with_rules(Case value, std::span<const Value> configurations) {
  return with_namesakes(std::move(value), configurations, [](Value object, const Value& from) {
    return with_members(std::move(object), from, std::span(kMembers).first<1>());
  });
}

std::vector<ChangedMember> changed_members(const Case& stored, const Case& today, std::string_view webhook) {
  const cases::WebhookRef changing = cases::webhook_ref(stored, webhook);
  const Value* before = cases::find_configuration(stored.cluster, changing.configuration);
  const Value* after = cases::find_configuration(today.cluster, changing.configuration);
  if (before == nullptr || after == nullptr) return {};
  const Value* old_entry = cases::find_entry(*before, changing.name);
  const Value* new_entry = cases::find_entry(*after, changing.name);
  if (old_entry == nullptr || new_entry == nullptr) return {};
  std::vector<ChangedMember> changed;
  for (const Member& member : kMembers) {
    if ((*old_entry)[Name(member.name)] == (*new_entry)[Name(member.name)]) continue;
    Case one = stored;
    for (Value& object : one.cluster.objects) {
      if (!is_same_object(object, *before)) continue;
      object = with_entries(std::move(object), *after, [&](Value& entry, const Value& from) {
        if (entry["name"] == (*old_entry)["name"]) take_member(entry, from, member.name);
      });
    }
    changed.push_back({member.name, std::move(one), effect_of(member, *old_entry, *new_entry)});
  }
  return changed;
}

}  // namespace fixpoint::runner
