#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/webhooks/rest.h"

namespace fixpoint::conformance {

/// The objects that a run of `live` has created, to be deleted from the last to the first.
class CreatedObjects {
 public:
  /// `rest` must outlive it. `id` marks the objects of this run.
  CreatedObjects(webhooks::Rest& rest, std::string id) : rest_(rest), id_(std::move(id)) {}

  /// Creates an object and remembers to delete it.
  std::optional<document::Error> create(const std::string& collection, const document::Value& object,
                                        bool may_exist = false);
  /// Deletes all but the first ones.
  void remove_from(std::size_t count);
  /// Their paths.
  std::vector<std::string>& paths() { return paths_; }

 private:
  webhooks::Rest& rest_;
  const std::string id_;
  std::vector<std::string> paths_ = {};
};

std::string text_of(const webhooks::RestAnswer& answer);
bool is_good(const webhooks::RestAnswer& answer);

}  // namespace fixpoint::conformance
