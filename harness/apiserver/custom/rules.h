#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/apiserver/validation/errors.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::custom {

/// Returns what keeps the rules of the schema from being asked: an expression that no server compiles, in
/// the compiler's words, or that fixpoint does not support. Nothing if all compile.
std::optional<document::Error> rule_problem(const document::Value& schema, int minor);

bool has_rules(const document::Value& schema, int minor);

/// Adds what the rules of the schema (x-kubernetes-validations) refuse in an object, and warns of what they
/// would refuse but the update left as it was (apiextensions-apiserver/pkg/apiserver/schema/cel
/// validation.go). `old` is null for a new object. All rules compile (rule_problem).
void check_rules(const document::Value& object, const document::Value& old, const document::Value& schema,
                 int minor, validation::Errors& errors, std::vector<std::string>& warnings);

}  // namespace fixpoint::apiserver::custom
