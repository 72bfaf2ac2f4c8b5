#pragma once

#include <map>
#include <string>

#include "harness/apiserver/cel/declarations.h"

namespace fixpoint::apiserver::cel {

/// The types that type parameters are bound to so far.
using Substitution = std::map<std::string, TypePtr>;

bool is_dyn(const Type& type);
bool is_dyn_or_error(const Type& type);
/// The type within an optional, or null.
TypePtr unwrapped_optional(const TypePtr& type);

/// Replaces parameters by what they stand for; open ones by dyn if `closes`.
TypePtr substitute(const Substitution& known, const TypePtr& type, bool closes);

/// Returns true if a value of the second type can stand where the first is wanted (gradual typing: dyn fits
/// everything), and then binds parameters.
bool unify(Substitution& known, const TypePtr& wanted, const TypePtr& is);
bool unify_all(Substitution& known, const std::vector<TypePtr>& wanted, const std::vector<TypePtr>& are);

/// The less specific of two types that fit one another.
TypePtr most_general(const TypePtr& a, const TypePtr& b);

}  // namespace fixpoint::apiserver::cel
