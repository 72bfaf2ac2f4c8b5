#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/cases/outcome.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// What the create and update handlers do with a request's Pod before admission: decode, default, convert,
/// wipe system metadata, fill in the namespace. A status when the request ends there (another namespace:
/// 400); an error when the Pod cannot be decoded, which a Case must not ask for.
struct Received {
  document::Value object = {};
  document::Value old_object = {};  ///< of an UPDATE
  std::optional<cases::Status> status = {};
};
document::Result<Received> receive(const cases::Request& request, int minor);

/// What the registry does with a Pod after mutating admission, up to the storage.
struct Stored {
  document::Value object = {};
  std::optional<cases::Status> status = {};
  std::vector<cases::FieldError> invalid = {};  ///< sorted by field, then type
  std::vector<std::string> warnings = {};
};
struct StoreOptions {
  bool warns = true;  ///< the warnings of a creation are wanted too
  /// The Pods as the client sent them, when no webhook's patch was applied since: only then are empty lists
  /// other than absent ones.
  const cases::Request* as_sent = nullptr;
  /// What the registry made of another Pod of the same creation and found nothing wrong in; null for none.
  document::Value passed = {};
};
Stored store(const cases::Request& request, const document::Value& pod, const document::Value& old_pod,
             int minor, const StoreOptions& options = {});

}  // namespace fixpoint::apiserver
