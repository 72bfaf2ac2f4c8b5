#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/cases/kind.h"
#include "harness/cases/outcome.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// The result of the create and update handlers' work on a request's object before admission: decode,
/// default, convert, wipe system metadata, fill in the namespace. `status` is set if the request ends there
/// (another namespace: 400). receive() returns an error if the object cannot be decoded or its kind is not
/// served, which no Case may contain.
struct Received {
  document::Value object = {};
  document::Value old_object = {};  ///< for an UPDATE
  std::optional<cases::Status> status = {};
};
document::Result<Received> receive(const cases::Request& request, const cases::Cluster& cluster, int minor);

/// The result of the registry's work on an object after mutating admission, up to the storage.
struct Stored {
  document::Value object = {};
  std::optional<cases::Status> status = {};
  std::vector<cases::FieldError> invalid = {};  ///< sorted by field, then type
  std::vector<std::string> warnings = {};
  bool crashed = false;  ///< the API server panics: its client gets no answer
};
struct StoreOptions {
  bool warns = true;  ///< also compute the warnings of a creation
  /// The Pods as the client sent them, if no webhook's patch was applied since: only then do empty lists
  /// differ from absent ones.
  const cases::Request* as_sent = nullptr;
  /// The prepared object of another Pod of the same creation that was found valid, or null.
  document::Value passed = {};
};
Stored store(const cases::Request& request, const cases::Cluster& cluster, const document::Value& object,
             const document::Value& old_object, int minor, const StoreOptions& options = {});

// Functions that the strategies of kinds share (strategies.h).
/// Wipes the server's own metadata of a new object that a client sends, and fills in the namespace
/// (apiserver/pkg/registry/rest/meta.go WipeObjectMetaSystemFields,
/// EnsureObjectNamespaceMatchesRequestNamespace). An answer for an object that names another namespace.
std::optional<cases::Status> complete_metadata(std::string_view own_namespace, document::Value& object,
                                               int minor);
/// Gives the errors as the answer to the client: 422, with the object's kind and name.
void refuse_invalid(Stored& stored);

// The rows' functions for Pods.
document::Result<Received> receive_pod(const cases::Request& request, const cases::Kind& kind, int minor);
Stored store_pod(const cases::Request& request, const cases::Kind& kind, const document::Value& pod,
                 const document::Value& old_pod, int minor, const StoreOptions& options);

}  // namespace fixpoint::apiserver
