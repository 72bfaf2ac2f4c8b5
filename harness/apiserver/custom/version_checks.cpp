#include "harness/apiserver/custom/version_checks.h"

#include <set>
#include <span>
#include <string>
#include <vector>

#include "harness/apiserver/custom/correlation.h"
#include "harness/apiserver/custom/embedded_resources.h"
#include "harness/apiserver/custom/rules.h"
#include "harness/apiserver/custom/schema_keywords.h"
#include "harness/apiserver/custom/structural_checks.h"
#include "harness/apiserver/custom/structural_schema.h"
#include "harness/apiserver/custom/validate_schema.h"
#include "harness/document/joined.h"

namespace fixpoint::apiserver::custom {

namespace {

using document::Member;
using document::Text;
using document::Value;
using validation::Errors;
using validation::Path;

constexpr std::string_view kColumnTypes[] = {"boolean", "date", "integer", "number", "string"};
constexpr std::string_view kColumnFormats[] = {"byte",  "date",  "date-time", "double",
                                               "float", "int32", "int64",     "password"};

/// Keywords that the root of a schema may have beside a status subresource.
constexpr std::string_view kAtRoot[] = {"description",
                                        "type",
                                        "format",
                                        "title",
                                        "maximum",
                                        "exclusiveMaximum",
                                        "minimum",
                                        "exclusiveMinimum",
                                        "maxLength",
                                        "minLength",
                                        "pattern",
                                        "maxItems",
                                        "minItems",
                                        "uniqueItems",
                                        "multipleOf",
                                        "required",
                                        "items",
                                        "properties",
                                        "externalDocs",
                                        "example",
                                        "x-kubernetes-preserve-unknown-fields",
                                        "x-kubernetes-validations"};

std::string all_of(std::span<const std::string_view> choices) {
  return document::joined(std::vector<std::string>(choices.begin(), choices.end()), ",");
}

class VersionChecker {
 public:
  VersionChecker(int minor, Errors& errors) : minor_(minor), errors_(errors) {}

  void check(const Value& versions, const Path& path) {
    std::set<std::string_view> names;
    std::vector<std::string_view> stored;
    for (std::size_t i = 0; i < versions.size(); ++i) {
      const Value& version = versions.at(i);
      const Path at = path.at(i);
      const std::string_view name = version["name"].text();
      if (version["storage"].is_true()) stored.push_back(name);
      names.insert(name);
      check_name_label(name, at.child("name"), errors_);
      if (i == 0 && !name.empty()) check_name_label(name, Path("spec.version"), errors_);
      if (!version["schema"]["openAPIV3Schema"].is_object())
        errors_.required(at.child("schema").child("openAPIV3Schema"));
      check_deprecation(version, at.child("deprecationWarning"));
    }
    check_parts(versions, path);
    if (names.size() != versions.size())
      errors_.invalid_hidden(path, Text("must contain unique version names"));
    constexpr Text kOneStored("must have exactly one version marked as storage version");
    if (versions.empty())
      errors_.invalid(path, versions, kOneStored);
    else if (stored.size() != 1)
      errors_.invalid_hidden(path, kOneStored);
    const Path kept("status.storedVersions");
    if (stored.empty()) errors_.invalid(kept, Value(), Text("must have at least one stored version"));
    for (const std::string_view one : stored)
      if (one != stored.front())
        errors_.invalid(kept, Value(Value::list({Value(stored.front())})),
                        Text("must have the storage version {}").with({one}));
  }

 private:
  /// Schemas, subresources and columns. What all versions share, also the only one, the server names as the
  /// definition's own (conversion of CustomResourceDefinitionSpec).
  void check_parts(const Value& versions, const Path& path) {
    const auto for_each = [&](const char* part, const char* shared, const auto& check) {
      const Value& first = versions.at(0)[part];
      bool is_shared = true;
      for (const Value& version : versions.elements()) is_shared = is_shared && version[part] == first;
      if (is_shared) return check(versions.at(0), Path("spec").child(shared));
      for (std::size_t i = 0; i < versions.size(); ++i) check(versions.at(i), path.at(i).child(part));
    };
    if (versions.empty()) return;
    for_each("schema", "validation", [&](const Value& version, const Path& at) {
      if (version["schema"]["openAPIV3Schema"].is_object()) check_schema_of(version, at);
    });
    for_each("subresources", "subresources", [&](const Value& version, const Path& at) {
      check_scale(version["subresources"]["scale"], at);
    });
    for_each("additionalPrinterColumns", "additionalPrinterColumns",
             [&](const Value& version, const Path& at) {
               check_columns(version["additionalPrinterColumns"], at);
             });
  }

  void check_deprecation(const Value& version, const Path& path) {
    const Value* warning = version.find("deprecationWarning");
    if (warning == nullptr || warning->is_null()) return;
    constexpr std::size_t kBytesMax = 256;
    const std::string_view text = warning->text();
    if (!version["deprecated"].is_true())
      return errors_.invalid(path, text, Text("can only be set for deprecated versions"));
    if (text.size() > kBytesMax) errors_.invalid(path, text, Text("must be <= 256 characters long"));
    if (text.empty()) errors_.invalid(path, text, Text("must not be an empty string"));
  }

  void check_schema_of(const Value& version, const Path& path) {
    const Value& schema = version["schema"]["openAPIV3Schema"];
    const Path root = path.child("openAPIV3Schema");
    if (version["subresources"].find("status") != nullptr) check_root(schema, path);
    if (schema["nullable"].is_true())
      errors_.forbidden(path.child("openAPIV3Schema.nullable"), Text("nullable cannot be true at the root"));
    const bool can_be = can_be_structural(schema);
    Errors found(minor_);
    if (can_be) check_structure(schema, root, found);
    if (can_be && found.empty()) check_defaults(schema, root, true, found);
    check_keywords(schema, root, found);
    if (can_be && found.empty()) check_expressions(schema, root, minor_, found);
    errors_.append(std::move(found));
  }

  /// With a status subresource the schema of the status is taken out of the root's.
  void check_root(const Value& schema, const Path& path) {
    const std::string_view type = schema["type"].text();
    if (!type.empty() && type != "object")
      return errors_.invalid(path.child("openAPIV3Schema.type"), type,
                             Text("only \"object\" is allowed as the type at the root of the schema if the "
                                  "status subresource is enabled"));
    for (const Member& keyword : schema.members()) {
      const bool is_zero =
          keyword.value.is_null() || (keyword.value.is_boolean() && !keyword.value.is_true());
      if (is_zero || validation::is_one_of(keyword.key.text(), validation::Choices(kAtRoot))) continue;
      return errors_.invalid_hidden(path.child("openAPIV3Schema"),
                                    Text("only [Description Type Format Title Maximum ExclusiveMaximum "
                                         "Minimum ExclusiveMinimum MaxLength "
                                         "MinLength Pattern MaxItems MinItems UniqueItems MultipleOf "
                                         "Required Items Properties ExternalDocs "
                                         "Example XPreserveUnknownFields XValidations] fields are allowed at "
                                         "the root of the schema if the "
                                         "status subresource is enabled"));
    }
  }

  /// Defaults are pruned and valid by the schema that has them (schema/defaulting ValidateDefaults); those of
  /// additionalProperties are not looked at.
  void check_defaults(const Value& schema, const Path& path, bool is_resource, Errors& errors) {
    if (const Value* value = schema.find("default"); value != nullptr && !value->is_null())
      check_default(*value, schema, path.child("default"), is_resource, errors);
    if (schema["items"].is_object()) check_defaults(schema["items"], path.child("items"), false, errors);
    const Path properties = path.child("properties");
    for (const Member& property : schema["properties"].members()) {
      const bool is_meta =
          property.key.is("metadata") || property.key.is("kind") || property.key.is("apiVersion");
      const bool is_of_resource = is_resource || schema[kEmbeddedKey].is_true();
      if (is_of_resource && is_meta) continue;
      check_defaults(property.value, properties.key(property.key.text()), false, errors);
    }
  }

  void check_default(const Value& value, Value schema, const Path& path, bool is_resource, Errors& errors) {
    if (is_resource) schema.set(kEmbeddedKey, true);
    // Beneath a member of its own, since these functions begin at a resource.
    const Value within{{"properties", {{"status", schema}}}}, object{{"status", value}};
    if (pruned(object, within) != object) errors.invalid(path, value, Text("must not have unknown fields"));
    Errors found(minor_);
    check_embedded_resources(object, within, found);
    if (found.empty()) check_status(object, {}, within, minor_, found);
    std::vector<std::string> warnings;
    if (found.empty()) check_rules(object, {}, within, minor_, found, warnings);
    errors.append_below(path, "status", std::move(found));
  }

  void check_path(const Value& text, const Path& path, std::string_view prefix, Text below) {
    const std::string_view json_path = text.text();
    if (json_path.empty()) return errors_.required(path);
    if (json_path[0] != '.')
      errors_.invalid(path, json_path, Text("must be a simple json path starting with ."));
    else if (!json_path.starts_with(prefix))
      errors_.invalid(path, json_path, below);
  }

  void check_scale(const Value& scale, const Path& path) {
    if (!scale.is_object()) return;
    check_path(scale["specReplicasPath"], path.child("scale.specReplicasPath"), ".spec.",
               Text("should be a json path under .spec"));
    check_path(scale["statusReplicasPath"], path.child("scale.statusReplicasPath"), ".status.",
               Text("should be a json path under .status"));
    const std::string_view selector = scale["labelSelectorPath"].text();
    const Path at = path.child("scale.labelSelectorPath");
    if (selector.empty()) return;
    if (selector[0] != '.')
      errors_.invalid(at, selector, Text("must be a simple json path starting with ."));
    else if (!selector.starts_with(".spec.") && !selector.starts_with(".status."))
      errors_.invalid(at, selector, Text("should be a json path under either .spec or .status"));
  }

  void check_columns(const Value& columns, const Path& path) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const Value& column = columns.at(i);
      const Path at = path.at(i);
      constexpr Text kOneOf("must be one of {}");
      if (column["name"].text().empty()) errors_.required(at.child("name"));
      const std::string_view type = column["type"].text(), format = column["format"].text();
      if (type.empty())
        errors_.required(at.child("type"), kOneOf.with({all_of(kColumnTypes)}));
      else if (!validation::is_one_of(type, kColumnTypes))
        errors_.invalid(at.child("type"), type, kOneOf.with({all_of(kColumnTypes)}));
      if (!format.empty() && !validation::is_one_of(format, kColumnFormats))
        errors_.invalid(at.child("format"), format, kOneOf.with({all_of(kColumnFormats)}));
      const std::string_view json_path = column["jsonPath"].text();
      if (json_path.empty())
        errors_.required(at.child("JSONPath"));
      else if (json_path[0] != '.')
        errors_.invalid(at.child("JSONPath"), json_path, Text("must be a simple json path starting with ."));
    }
  }

  const int minor_;
  Errors& errors_;
};

}  // namespace

std::string joined_problems(const validation::Problems& problems) {
  std::vector<std::string> all;
  for (const Text& one : problems) all.emplace_back(one.words());
  return document::joined(all, ",");
}

void check_name_label(std::string_view text, const Path& path, Errors& errors) {
  if (const auto problems = validation::check_dns_1035_label(text); !problems.empty())
    errors.invalid(path, text, joined_problems(problems));
}

void check_versions(const Value& versions, const Path& path, int minor, Errors& errors) {
  VersionChecker(minor, errors).check(versions, path);
}

}  // namespace fixpoint::apiserver::custom
