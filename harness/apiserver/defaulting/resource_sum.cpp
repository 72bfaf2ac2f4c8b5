#include "harness/apiserver/defaulting/resource_sum.h"

#include <algorithm>

namespace fixpoint::apiserver {

namespace {

using document::Member;
using document::Name;
using document::Value;

Quantity amount_of(const Value& text) { return Quantity::parse(text.text()).value_or(Quantity()); }

bool is_restartable(const Value& container) { return container["restartPolicy"].text() == "Always"; }

}  // namespace

Value ResourceSum::Entry::written() const { return text.is_null() ? Value(amount.canonical()) : text; }

const ResourceSum::Entry* ResourceSum::find(std::string_view name) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.name == name; });
  return found == entries_.end() ? nullptr : &*found;
}

ResourceSum::Entry* ResourceSum::find_mutable(std::string_view name) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.name == name; });
  return found == entries_.end() ? nullptr : &*found;
}

void ResourceSum::add(const Value& resources) {
  for (const Member& member : resources.members()) {
    const Quantity amount = amount_of(member.value);
    if (Entry* known = find_mutable(member.key.text()); known != nullptr) {
      known->amount += amount;
      known->text = Value();
    } else {
      entries_.push_back({member.key.text(), amount, member.value});
    }
  }
}

void ResourceSum::add(const ResourceSum& other) {
  for (const Entry& entry : other.entries_) {
    if (Entry* known = find_mutable(entry.name); known != nullptr) {
      known->amount += entry.amount;
      known->text = Value();
    } else {
      entries_.push_back(entry);
    }
  }
}

void ResourceSum::set(std::string_view name, const Value& text) {
  if (Entry* known = find_mutable(name); known != nullptr) {
    *known = {known->name, amount_of(text), text};
  } else {
    entries_.push_back({name, amount_of(text), text});
  }
}

void ResourceSum::raise_to(const ResourceSum& other) {
  for (const Entry& entry : other.entries_) {
    Entry* known = find_mutable(entry.name);
    if (known == nullptr) {
      entries_.push_back(entry);
    } else if (compare(entry.amount, known->amount) > 0) {
      *known = entry;
    }
  }
}

ResourceSum aggregate_resources(const Value& spec, std::string_view list) {
  const Name name(list);
  ResourceSum total, restartable, initial;
  for (const Value& container : spec["containers"].elements()) total.add(container["resources"][name]);
  for (const Value& container : spec["initContainers"].elements()) {
    const Value& needs = container["resources"][name];
    if (is_restartable(container)) {
      total.add(needs);
      restartable.add(needs);
      initial.raise_to(restartable);
    } else {
      ResourceSum stage;
      stage.add(needs);
      stage.add(restartable);
      initial.raise_to(stage);
    }
  }
  total.raise_to(initial);
  return total;
}

bool is_hugepages_resource(std::string_view name) { return name.starts_with("hugepages-"); }
bool is_pod_level_resource(std::string_view name) {
  return name == "cpu" || name == "memory" || is_hugepages_resource(name);
}

}  // namespace fixpoint::apiserver
