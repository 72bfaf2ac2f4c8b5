#pragma once

#include <string>
#include <string_view>

#include "harness/apiserver/cel/cel.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::custom {

/// Returns the types that the rules of a schema know (apiserver/pkg/cel/common/schemas.go SchemaDeclType).
/// A field without a type does not exist for them; the metadata of a resource have their names alone.
cel::SelfTypes self_types(const document::Value& schema, bool is_resource);

/// Returns the value as rules see it (apiserver/pkg/cel/common/values.go UnstructuredToVal): numbers, times,
/// durations and bytes by their schema, and names of members as CEL can write them.
cel::Datum rule_value(const document::Value& value, const document::Value& schema, bool is_resource);

/// Returns the name of a member as an expression writes it; empty if it cannot
/// (apiserver/pkg/cel/escaping.go).
std::string escaped_name(std::string_view name);

}  // namespace fixpoint::apiserver::custom
