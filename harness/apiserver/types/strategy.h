#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/apiserver/types/field.h"
#include "harness/cases/case.h"
#include "harness/cases/kind.h"
#include "harness/cases/outcome.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

struct Received;
struct Stored;
struct StoreOptions;

/// The steps of the API server for objects of a kind around and between the calls of admission, as a row:
/// the strategy of its registry (apiserver/pkg/registry/rest RESTCreateStrategy, RESTUpdateStrategy) and
/// the interfaces by which admission handles its objects (apiserver/pkg/admission ObjectInterfaces).
/// Built-in kinds have rows (registry/strategies.h), and one row serves all custom resources. Whoever calls
/// webhooks or runs policies gets the row as a value.
struct Strategy {
  using Value = document::Value;
  template <class T>
  using Result = document::Result<T>;

  /// The fields of the objects; nullptr if there is no table of them.
  const Type* type = nullptr;
  /// The members that lead to the template of Pods; none if the objects have no template.
  std::span<const document::Name> template_steps = {};
  /// Not only the metadata of an object are validated.
  bool validates_content = true;
  /// The fractions of seconds in the server's memory make an object differ from its copy
  /// (decoding/nanoseconds.h).
  bool has_nanoseconds = false;

  /// The handler's work on a request before admission.
  Result<Received> (*receive)(const cases::Request& request, const cases::Kind& kind, int minor);
  /// Runs the mutating plugins that concern the kind (plugins/plugins.h).
  std::optional<cases::Status> (*run_plugins)(const cases::Request& request, const cases::Cluster& cluster,
                                              Value& object, int pass);
  /// Returns the object as webhooks get it and patches change it, where its JSON says less than the server's
  /// memory; nullptr: as it is.
  Value (*as_sent)(const Value& object) = nullptr;
  /// Decodes a patched object, without defaults.
  Result<Value> (*decode)(const Value& patched, const cases::Kind& kind, int minor);
  /// Returns why a policy's patched object cannot be decoded strictly.
  std::vector<std::string> (*strict_problems)(const Value& patched, int minor);
  /// Gives an object that was decoded its defaults.
  Value (*with_defaults)(Value object, const cases::Kind& kind, int minor);
  /// Returns true if the server takes both for the same: then nobody changed anything.
  bool (*is_same)(const Value& before, const Value& after);
  /// Converts the object to the server's own form at the end of a pass that replaced it; an error in the
  /// server's words for an object that became something else.
  Result<Value> (*convert)(const Value& object, const cases::Kind& kind);
  /// Prepares, validates and warns as the registry does.
  Stored (*store)(const cases::Request& request, const cases::Kind& kind, const Value& object,
                  const Value& old_object, int minor, const StoreOptions& options);
  /// Returns a stored object as it is read back.
  Value (*read_back)(const Value& stored, const cases::Kind& kind, int minor);
};

}  // namespace fixpoint::apiserver
