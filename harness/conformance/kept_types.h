#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "harness/cases/kind.h"
#include "harness/conformance/live_objects.h"
#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/webhooks/rest.h"

namespace fixpoint::conformance {

/// The types of custom resources that a run of `live` has created on a real server: each lasts as long as
/// the run, or until a Case has another one of its name.
class KeptTypes {
 public:
  using Create = std::function<std::optional<document::Error>(const std::string& collection,
                                                              const document::Value& object)>;
  using Forget = std::function<void(const std::string& path)>;
  /// `create` creates an object that is deleted when the run ends; `forget` says that one is gone before.
  KeptTypes(webhooks::Rest& rest, std::chrono::seconds patience, Create create, Forget forget)
      : rest_(rest), patience_(patience), create_(std::move(create)), forget_(std::move(forget)) {}

  /// Creates a type that holds anything, and waits until the server serves it.
  std::optional<document::Error> keep(const StoredKind& kind, const std::string& prefix_of_groups);
  /// Creates the definition of the kind, and waits until the server serves it.
  std::optional<document::Error> keep(const cases::Kind& kind);

 private:
  std::optional<document::Error> await(const std::string& path, bool is_served);

  webhooks::Rest& rest_;
  const std::chrono::seconds patience_;
  const Create create_;
  const Forget forget_;
  std::set<std::string> kinds_ = {};
  std::map<std::string, document::Value> definitions_ = {};  ///< by their names
};

}  // namespace fixpoint::conformance
