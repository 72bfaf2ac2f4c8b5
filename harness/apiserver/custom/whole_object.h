#pragma once

#include <string>
#include <vector>

#include "harness/apiserver/validation/errors.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::custom {

/// A custom resource that is judged by the schema of its version.
struct WholeObject {
  const document::Value& object;
  const document::Value& old;  ///< null for a new object
  const document::Value& schema;
  bool is_status = false;  ///< the request is to the subresource
  int minor = kNewestMinor;
};

/// Adds what the schema refuses: by its keywords, embedded resources, lists that are sets or maps, and then
/// by its rules, unless the object is too broken for them (registry/customresource/validator.go). What an
/// update leaves as it was is forgiven; of rules it warns.
void check_by_schema(const WholeObject& whole, validation::Errors& errors,
                     std::vector<std::string>& warnings);

/// Returns true if the schema takes a new object, and its rules compile.
bool is_valid(const document::Value& object, const document::Value& schema, int minor);

}  // namespace fixpoint::apiserver::custom
