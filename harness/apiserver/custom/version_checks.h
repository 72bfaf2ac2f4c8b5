#pragma once

#include <string>
#include <string_view>

#include "harness/apiserver/text/formats.h"
#include "harness/apiserver/validation/errors.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::custom {

/// Adds what is wrong with the versions of a definition: their names, schemas, defaults, subresources and
/// printer columns (validateCustomResourceDefinitionVersion).
void check_versions(const document::Value& versions, const validation::Path& path, int minor,
                    validation::Errors& errors);

/// Expects a label of DNS that begins with a letter; all problems are one error, as in definitions.
void check_name_label(std::string_view text, const validation::Path& path, validation::Errors& errors);
std::string joined_problems(const validation::Problems& problems);

}  // namespace fixpoint::apiserver::custom
