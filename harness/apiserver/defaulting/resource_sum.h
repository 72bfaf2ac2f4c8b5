#pragma once

#include <string_view>
#include <vector>

#include "harness/apiserver/types/quantity.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// Amounts of resources, by name; each with the text it is written with.
class ResourceSum {
 public:
  struct Entry {
    std::string_view name;  ///< a view of the document summed up
    Quantity amount;
    document::Value text;  ///< as written, when nothing was added to it; else null
    document::Value written() const;
  };
  const Entry* find(std::string_view name) const;
  const std::vector<Entry>& entries() const { return entries_; }
  void add(const document::Value& resources);
  void add(const ResourceSum& other);
  /// Takes over what is greater in the other.
  void raise_to(const ResourceSum& other);

 private:
  Entry* find_mutable(std::string_view name);
  std::vector<Entry> entries_ = {};
};

/// What the containers of a Pod need together: the sum over regular and restartable init containers, but at
/// least what each stage of initialisation needs. `list` is "requests" or "limits".
ResourceSum aggregate_resources(const document::Value& spec, std::string_view list);

/// cpu, memory or hugepages-…: what a Pod as a whole can ask for.
bool is_pod_level_resource(std::string_view name);
bool is_hugepages_resource(std::string_view name);

}  // namespace fixpoint::apiserver
