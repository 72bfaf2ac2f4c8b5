#pragma once

#include <string_view>
#include <vector>

#include "harness/apiserver/types/quantity.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// Amounts of resources by name, each with its text.
class ResourceSum {
 public:
  struct Entry {
    std::string_view name;  ///< a view into the document that was summed
    Quantity amount;
    document::Value text;  ///< the amount as written; null once something was added
    document::Value written() const;
  };
  const Entry* find(std::string_view name) const;
  const std::vector<Entry>& entries() const { return entries_; }
  void add(const document::Value& resources);
  void add(const ResourceSum& other);
  /// Sets one amount, whatever it was; the name must outlive the sum.
  void set(std::string_view name, const document::Value& text);
  /// Raises each amount to the other's where that is greater.
  void raise_to(const ResourceSum& other);

 private:
  Entry* find_mutable(std::string_view name);
  std::vector<Entry> entries_ = {};
};

/// The total that the containers of a Pod need: the sum over regular and restartable init containers, but at
/// least the need of each stage of initialisation. `list` is "requests" or "limits".
ResourceSum aggregate_resources(const document::Value& spec, std::string_view list);

/// Returns true for the resources that a Pod as a whole can request: cpu, memory or hugepages-….
bool is_pod_level_resource(std::string_view name);
bool is_hugepages_resource(std::string_view name);

}  // namespace fixpoint::apiserver
