#include "harness/apiserver/custom/embedded_resources.h"

#include <optional>
#include <string>
#include <utility>

#include "harness/apiserver/custom/schema_walk.h"
#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/text/formats.h"
#include "harness/apiserver/types/metadata_types.h"
#include "harness/apiserver/validation/checks.h"
#include "harness/document/lower_case.h"

namespace fixpoint::apiserver::custom {

namespace {

using document::Error;
using document::Member;
using document::Name;
using document::Result;
using document::Value;
using validation::Errors;
using validation::Path;

std::optional<Error> read_metadata(Value& resource, int minor) {
  for (const char* name : {"apiVersion", "kind"}) {
    const Value* text = resource.find(Name(name));
    if (text != nullptr && !text->is_string()) return Error{"must be a string", std::string("/") + name};
  }
  if (resource.find("metadata") == nullptr) return std::nullopt;
  auto metadata = decode_as(kObjectMeta, resource["metadata"], minor);
  if (!metadata) return std::move(metadata).error().within("/metadata");
  if (metadata->is_object() && (*metadata)["creationTimestamp"].is_null())
    metadata->remove("creationTimestamp");
  resource.set("metadata", metadata->is_null() ? Value::empty_object() : *std::move(metadata));
  return std::nullopt;
}

/// Reads the metadata of the resources in a part; copies only what changes.
std::optional<Error> read_below(Value& part, const Value& schema, int minor) {
  if (part.is_object() && schema[kEmbeddedKey].is_true()) {
    if (auto problem = read_metadata(part, minor)) return problem;
  }
  const Value before = part;
  for (std::size_t i = 0; before.is_array() && i < before.size(); ++i) {
    Value element = before.at(i);
    if (auto problem = read_below(element, schema["items"], minor)) return problem;
    if (!element.same(before.at(i))) part.edit(i) = std::move(element);
  }
  for (const Member& member : before.members()) {
    const Value& below = schema_of_member(schema, member.key.name());
    if (!below.is_object()) continue;
    Value value = member.value;
    if (auto problem = read_below(value, below, minor)) return problem;
    if (!value.same(member.value)) part.set(member.key.name(), std::move(value));
  }
  return std::nullopt;
}

void check_text(const Value& resource, const char* name, const Path& path, Errors& errors) {
  const Value* value = resource.find(Name(name));
  const Path place = path.child(name);
  if (value == nullptr) return errors.required(place);
  if (value->text().empty()) return errors.invalid(place, "", std::string("must not be empty"));
  if (std::string_view(name) == "kind")
    errors.invalid(place, value->text(),
                    validation::check_dns_1035_label(document::lower_case(value->text())));
}

void check_resource(const Value& resource, const Path& path, Errors& errors) {
  check_text(resource, "apiVersion", path, errors);
  check_text(resource, "kind", path, errors);
  const Value& metadata = resource["metadata"];
  if (metadata.is_null()) return;
  // A resource without a name would be refused for that alone.
  Value named = metadata;
  if (named["name"].text().empty()) named.set("name", "fakename");
  const auto rules = metadata["namespace"].text().empty() ? validation::MetadataRules::of_cluster_wide
                                                          : validation::MetadataRules::of_all;
  validation::check_metadata(named, path.child("metadata"), rules, errors);
}

}  // namespace

Result<Value> with_embedded_metadata(Value object, const Value& schema, int minor) {
  if (auto problem = read_below(object, schema, minor)) return *std::move(problem);
  return object;
}

void check_embedded_resources(const Value& object, const Value& schema, Errors& errors) {
  for_each_part_of_resource(object, schema, [&](const Value& part, const Value& below, const Path& path) {
    if (part.is_object() && below[kEmbeddedKey].is_true()) check_resource(part, path, errors);
  });
}

}  // namespace fixpoint::apiserver::custom
