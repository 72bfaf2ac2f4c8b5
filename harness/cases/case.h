#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/cases/minors.h"
#include "harness/cases/object_name.h"
#include "harness/cases/script.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::cases {

using document::Error;
using document::Result;
using document::Value;

inline constexpr std::string_view kApiVersion = "fixpoint/v1";
/// The in-tree plugins of a Case that names none, in the API server's order (kSimulatedPlugins has all).
inline constexpr std::array<std::string_view, 5> kAdmissionPlugins{
    "LimitRanger", "ServiceAccount", "Priority", "DefaultTolerationSeconds", "RuntimeClass"};

/// The annotation of a drawn ConfigMap that says which settings of its chart the Case changed:
/// `logger.enabled = true`.
inline constexpr std::string_view kChangedSettings = "fixpoint/changed-settings";

/// The feature gate that a Case may switch on.
inline constexpr std::string_view kPolicyGate = "MutatingAdmissionPolicy";

struct UserInfo {
  std::string username = {};
  std::string uid = {};
  std::vector<std::string> groups = {};
  std::map<std::string, std::vector<std::string>> extra = {};
  bool operator==(const UserInfo&) const = default;
};

struct Request {
  std::string operation = "CREATE";  ///< CREATE or UPDATE
  std::string namespace_name = "default";
  /// "", of a Pod "ephemeralcontainers" or "resize", of others "status" or "scale"
  std::string sub_resource = {};
  bool dry_run = false;
  std::optional<UserInfo> user_info = {};
  /// The server's field tracking: with it, the first applied patch of a create always counts as a change.
  bool managed_fields = true;
  Value object = {};
  Value old_object = {};  ///< the stored object of an UPDATE, else null
  /// In the calls about a Scale, whose `old_object` is the old Scale, the stored object; null in a Case.
  Value scaled = {};
  bool is_scale() const { return sub_resource == "scale"; }
  const Value& stored() const { return scaled.is_null() ? old_object : scaled; }
  bool is_update() const { return operation == "UPDATE"; }
  bool operator==(const Request&) const = default;
};

struct Cluster {
  std::string version{kNewestVersion};  ///< the Kubernetes minor: one of versions()
  std::vector<std::string> admission_plugins{kAdmissionPlugins.begin(), kAdmissionPlugins.end()};
  std::map<std::string, Value> plugin_settings = {};  ///< of the plugins that have any, by name
  std::vector<std::string> feature_gates = {};        ///< that are on, beyond the version's own
  /// Names of MutatingAdmissionPolicies in the order in which they run; the server promises none.
  std::vector<std::string> policy_order = {};
  std::vector<Value> objects = {};  ///< real manifests
  bool has_plugin(std::string_view name) const;
  /// The settings of a plugin; null if it has none.
  const Value& settings_of(std::string_view plugin) const;
  /// Finds the object of that kind, namespace ("" for cluster-wide objects) and name, the last one if there
  /// are several, else a PriorityClass that every server has (built_in_objects.h); nullptr if there is none.
  const Value* find(GroupKind kind, std::string_view namespace_name, std::string_view name) const;
  const Value* find(const ObjectName& object) const;
  /// Adds the object unless the cluster has one of its name.
  void add_missing(Value object);
  /// Returns all objects of that kind, sorted bytewise by name.
  std::vector<const Value*> of_kind(GroupKind kind) const;
  /// Returns true if there is an object of that kind.
  bool has_kind(GroupKind kind) const;
  bool operator==(const Cluster&) const = default;
};

/// The backend of a webhook: a bundled injector by name, a script, a URL, or a command.
struct InjectorName {
  std::string name;
  bool operator==(const InjectorName&) const = default;
};
struct Url {
  std::string url;
  std::string ca_bundle = {};
  bool operator==(const Url&) const = default;
};
struct Command {
  std::vector<std::string> argv;
  bool operator==(const Command&) const = default;
};
using Backend = std::variant<InjectorName, Script, Url, Command>;

struct Fault {
  std::string webhook;           ///< <configuration>/<webhook>
  std::optional<int> call = {};  ///< counted from 1; absent for every call
  std::string fault;
  bool operator==(const Fault&) const = default;
};

/// Everything that one admission depends on (docs/formats.md#case). A Case is a value: it is drawn, mutated,
/// shrunk, stored, replayed and printed.
///
///     Case value;
///     value.request.object = read_yaml("metadata: {name: web}\nspec: {…}").value();
///     value.cluster.objects.push_back(configuration);  // named c, of the webhook inject.example.io
///     value.webhooks["c/inject.example.io"] = InjectorName{"kserve/agent"};
struct Case {
  std::string name = {};
  std::string note = {};
  Request request = {};
  Cluster cluster = {};
  std::map<std::string, Backend> webhooks = {};  ///< by <configuration>/<webhook>
  std::vector<Fault> faults = {};
  /// The configurations that are not under test, in the order of the file; absent if an old Case does not
  /// list them.
  std::optional<std::vector<std::string>> neighbours = {};
  bool operator==(const Case&) const = default;
};

/// Reads a Case strictly; errors name the JSON pointer. `known_injector` checks the name of an injector: it
/// returns an error text, or nothing for a known name. Without it, every name is accepted.
using KnownInjector = std::function<std::optional<std::string>(std::string_view)>;
Result<Case> read_case(const Value& document, const KnownInjector& known_injector = {});

/// Returns the canonical form: fixpoint's own fields in the order of the format, foreign members sorted
/// bytewise.
Value write_case(const Case& value);
/// Returns the bytes of the canonical form, indented by two spaces.
std::string canonical_text(const Case& value);

/// Returns userInfo in the form of the format and of an AdmissionReview, without empty members.
Value write_user(const UserInfo& user);

}  // namespace fixpoint::cases
