#pragma once

#include <map>
#include <string>
#include <string_view>

#include "harness/apiserver/cel/declarations.h"
#include "harness/apiserver/cel/syntax.h"

namespace fixpoint::apiserver::cel {

/// The newest compatibility version that is known.
inline constexpr int kNewestMinor = 36;

/// The types that a rule of a schema knows: of the value that it is asked about, and of the objects in it.
struct SelfTypes {
  TypePtr self = {};
  bool is_old_optional = false;  ///< oldSelf is an optional value
  /// The types of the fields of each object, by the object's own name.
  std::map<std::string, std::map<std::string, TypePtr, std::less<>>, std::less<>> objects = {};
};

/// The variables, types and functions that an expression may use
/// (apiserver/pkg/admission/plugin/cel/compile.go createEnvForOpts).
struct Environment {
  /// The compatibility version 1.N that new expressions are checked with; a server's is one below its minor.
  int minor = kNewestMinor;
  /// The expression was stored before: everything that the server's release knows is available.
  bool is_stored = false;
  bool has_params = false;
  bool has_authorizer = false;
  bool has_patch_types = false;  ///< Object{...}, JSONPatch{...}, as in mutations
  bool has_variables = false;    ///< `variables` is known
  /// The types of the variables `variables.NAME`.
  std::map<std::string, TypePtr> variables = {};
  /// The expression is a rule of a schema: `self` and `oldSelf` are the only variables.
  const SelfTypes* rule = nullptr;

  bool knows(Library library) const;
  Dialect dialect() const;
};

/// The type of a variable of the environment, or null.
TypePtr variable_type(const Environment& environment, std::string_view name);
/// The type of an identifier that names a type, or null: `int` has type(int).
TypePtr named_type(const Environment& environment, std::string_view name);
/// Returns true if a message type of that name can be selected from or constructed.
bool is_message_type(const Environment& environment, std::string_view name);
/// The type of a field of a message type, or null if it has none of that name.
TypePtr field_type(const Environment& environment, std::string_view message, std::string_view field);

/// The type that `variables.NAME` has for an expression of a type: what a list or a map holds is known, other
/// types than the plain ones are dyn (apiserver/pkg/admission/plugin/cel/composition.go).
TypePtr composed_type(const TypePtr& type);

}  // namespace fixpoint::apiserver::cel
