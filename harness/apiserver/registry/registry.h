#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/cases/outcome.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// The result of the create and update handlers' work on a request's Pod before admission: decode, default,
/// convert, wipe system metadata, fill in the namespace. `status` is set if the request ends there (another
/// namespace: 400). receive() returns an error if the Pod cannot be decoded, which no Case may contain.
struct Received {
  document::Value object = {};
  document::Value old_object = {};  ///< for an UPDATE
  std::optional<cases::Status> status = {};
};
document::Result<Received> receive(const cases::Request& request, int minor);

/// The result of the registry's work on a Pod after mutating admission, up to the storage.
struct Stored {
  document::Value object = {};
  std::optional<cases::Status> status = {};
  std::vector<cases::FieldError> invalid = {};  ///< sorted by field, then type
  std::vector<std::string> warnings = {};
};
struct StoreOptions {
  bool warns = true;  ///< also compute the warnings of a creation
  /// The Pods as the client sent them, if no webhook's patch was applied since: only then do empty lists
  /// differ from absent ones.
  const cases::Request* as_sent = nullptr;
  /// The prepared object of another Pod of the same creation that was found valid, or null.
  document::Value passed = {};
};
Stored store(const cases::Request& request, const document::Value& pod, const document::Value& old_pod,
             int minor, const StoreOptions& options = {});

}  // namespace fixpoint::apiserver
