#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/apiserver/text/formats.h"
#include "harness/apiserver/types/field.h"
#include "harness/apiserver/validation/errors.h"
#include "harness/apiserver/validation/validation_options.h"
#include "harness/cases/case.h"
#include "harness/cases/outcome.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::kinds {

using document::Name;
using document::Value;

/// An object on its way into the store, prepared, and the stored one of an update.
struct Change {
  const Value& object;
  const Value& old;                        ///< null for a creation
  const validation::Options& of_template;  ///< the rules for its template
  int minor;
  const Value& sent;  ///< the object as it was sent; null once a patch was applied
  bool is_update() const { return !old.is_null(); }
  const Value& spec() const { return object["spec"]; }
  const Value& old_spec() const { return old["spec"]; }
};

/// The steps of the API server for objects of one kind with a table of fields: the parts of its defaulting,
/// conversion, strategy and validation that it does not share with the other such kinds. A part that a kind
/// does not have is nullptr; of a kind without checks only the metadata are validated.
///
///     constexpr auto kLeaseFields = object_fields(raw("spec"));  // in types/: `raw` is not looked into
///     constinit const Type kLease{"Lease", kLeaseFields};
///     const TypedKind kLeases{.type = kLease, .has_generation = false, .check_name = check_subdomain};
struct TypedKind {
  using Path = validation::Path;
  using Errors = validation::Errors;

  const Type& type;
  /// The members that lead to the template of Pods, and the same with dots; none if it has none.
  std::span<const Name> template_steps = {};
  std::string_view template_path = {};
  /// Sets the defaults that no table has.
  void (*set_defaults)(Value& object, int minor) = nullptr;
  /// Does what the conversion to the internal type and back does beside that of the template. Returns
  /// what the server says if it cannot.
  std::string (*convert)(Value& object) = nullptr;
  /// Prepares the object beside its status, its generation and its template. `old` is null for a creation.
  void (*prepare)(Value& object, const Value& old, int minor) = nullptr;
  /// Prepares an object of which only the status changes.
  void (*prepare_status)(Value& object, const Value& old, int minor) = nullptr;
  /// Returns true if a change of more than the spec, which always does, makes a new generation.
  bool (*makes_generation)(const Value& object, const Value& old) = nullptr;
  bool has_generation = true;
  /// Returns the problems with the name of a new object, whose metadata `check_create` then leaves alone.
  validation::Problems (*check_name)(std::string_view name, int minor) = nullptr;
  /// Runs the mutating plugins that concern the kind; nullptr: NamespaceLifecycle alone.
  std::optional<cases::Status> (*run_plugins)(const cases::Request& request, const cases::Cluster& cluster,
                                              Value& object, int pass) = nullptr;
  void (*check_create)(const Change& change, Errors& errors) = nullptr;
  /// Checks an update, but for what the server checks of the metadata of all kinds.
  void (*check_update)(const Change& change, Errors& errors) = nullptr;
  void (*check_status)(const Change& change, Errors& errors) = nullptr;
  /// Returns true for an object on which the server's own validation panics.
  bool (*panics)(const Value& object) = nullptr;
  /// An update is warned about only if it changes the template; else if it makes a new generation.
  bool warns_of_new_templates_alone = false;
  /// Adds the warnings beside those about the template.
  void (*warn)(const Change& change, std::vector<std::string>& warnings) = nullptr;
};

/// Stands for the uid that the server gives a new Job, which is in its labels and its selector.
inline constexpr std::string_view kPlaceholderUid = "00000000-0000-4000-8000-000000000000";

// The kinds, each in its file.
extern const TypedKind kDeployments, kReplicaSets, kStatefulSets, kDaemonSets, kJobs, kCronJobs, kAutoscalers;
// Those whose content is not validated (plain_kinds.cpp).
extern const TypedKind kServices, kConfigMaps, kSecrets, kServiceAccounts, kNamespaces, kVolumeClaims,
    kIngresses;

/// Follows the steps to the template of an object.
const Value& template_of(const Value& object, std::span<const Name> steps);
Value& edit_template(Value& object, std::span<const Name> steps);

}  // namespace fixpoint::apiserver::kinds
