#include "harness/apiserver/cel/environment.h"

#include <array>

namespace fixpoint::apiserver::cel {

namespace {

struct FieldRow {
  const char* message;
  const char* field;
  const char* type;
};

/// BuildRequestType and BuildNamespaceType.
constexpr std::array kFields = {
    FieldRow{"kubernetes.GroupVersionKind", "group", "string"},
    FieldRow{"kubernetes.GroupVersionKind", "version", "string"},
    FieldRow{"kubernetes.GroupVersionKind", "kind", "string"},
    FieldRow{"kubernetes.GroupVersionResource", "group", "string"},
    FieldRow{"kubernetes.GroupVersionResource", "version", "string"},
    FieldRow{"kubernetes.GroupVersionResource", "resource", "string"},
    FieldRow{"kubernetes.UserInfo", "username", "string"},
    FieldRow{"kubernetes.UserInfo", "uid", "string"},
    FieldRow{"kubernetes.UserInfo", "groups", "list(string)"},
    FieldRow{"kubernetes.UserInfo", "extra", "map(string, list(string))"},
    FieldRow{"kubernetes.AdmissionRequest", "kind", "kubernetes.GroupVersionKind"},
    FieldRow{"kubernetes.AdmissionRequest", "resource", "kubernetes.GroupVersionResource"},
    FieldRow{"kubernetes.AdmissionRequest", "subResource", "string"},
    FieldRow{"kubernetes.AdmissionRequest", "requestKind", "kubernetes.GroupVersionKind"},
    FieldRow{"kubernetes.AdmissionRequest", "requestResource", "kubernetes.GroupVersionResource"},
    FieldRow{"kubernetes.AdmissionRequest", "requestSubResource", "string"},
    FieldRow{"kubernetes.AdmissionRequest", "name", "string"},
    FieldRow{"kubernetes.AdmissionRequest", "namespace", "string"},
    FieldRow{"kubernetes.AdmissionRequest", "operation", "string"},
    FieldRow{"kubernetes.AdmissionRequest", "userInfo", "kubernetes.UserInfo"},
    FieldRow{"kubernetes.AdmissionRequest", "dryRun", "bool"},
    FieldRow{"kubernetes.AdmissionRequest", "options", "dyn"},
    FieldRow{"kubernetes.NamespaceSpec", "finalizers", "list(string)"},
    FieldRow{"kubernetes.NamespaceCondition", "status", "string"},
    FieldRow{"kubernetes.NamespaceCondition", "type", "string"},
    FieldRow{"kubernetes.NamespaceCondition", "lastTransitionTime", "timestamp"},
    FieldRow{"kubernetes.NamespaceCondition", "message", "string"},
    FieldRow{"kubernetes.NamespaceCondition", "reason", "string"},
    FieldRow{"kubernetes.NamespaceStatus", "conditions", "list(kubernetes.NamespaceCondition)"},
    FieldRow{"kubernetes.NamespaceStatus", "phase", "string"},
    FieldRow{"kubernetes.NamespaceMetadata", "name", "string"},
    FieldRow{"kubernetes.NamespaceMetadata", "generateName", "string"},
    FieldRow{"kubernetes.NamespaceMetadata", "namespace", "string"},
    FieldRow{"kubernetes.NamespaceMetadata", "labels", "map(string, string)"},
    FieldRow{"kubernetes.NamespaceMetadata", "annotations", "map(string, string)"},
    FieldRow{"kubernetes.NamespaceMetadata", "UID", "string"},
    FieldRow{"kubernetes.NamespaceMetadata", "creationTimestamp", "timestamp"},
    FieldRow{"kubernetes.NamespaceMetadata", "deletionGracePeriodSeconds", "int"},
    FieldRow{"kubernetes.NamespaceMetadata", "deletionTimestamp", "timestamp"},
    FieldRow{"kubernetes.NamespaceMetadata", "generation", "int"},
    FieldRow{"kubernetes.NamespaceMetadata", "resourceVersion", "string"},
    FieldRow{"kubernetes.NamespaceMetadata", "finalizers", "list(string)"},
    FieldRow{"kubernetes.Namespace", "metadata", "kubernetes.NamespaceMetadata"},
    FieldRow{"kubernetes.Namespace", "spec", "kubernetes.NamespaceSpec"},
    FieldRow{"kubernetes.Namespace", "status", "kubernetes.NamespaceStatus"},
};

constexpr const char* kVariablesType = "kubernetes.variables";

struct VariableRow {
  const char* name;
  const char* type;
  bool Environment::* declared;  ///< nullptr: always
};
constexpr std::array kVariables = {
    VariableRow{"object", "dyn", nullptr},
    VariableRow{"oldObject", "dyn", nullptr},
    VariableRow{"namespaceObject", "kubernetes.Namespace", nullptr},
    VariableRow{"request", "kubernetes.AdmissionRequest", nullptr},
    VariableRow{"params", "dyn", &Environment::has_params},
    VariableRow{"authorizer", "kubernetes.authorization.Authorizer", &Environment::has_authorizer},
    VariableRow{"authorizer.requestResource", "kubernetes.authorization.ResourceCheck",
                &Environment::has_authorizer},
    VariableRow{"variables", kVariablesType, &Environment::has_variables},
};

struct NamedType {
  const char* name;
  const char* type;
  Library library = Library::standard;
};
constexpr std::array kNamedTypes = {
    NamedType{"bool", "bool"},
    NamedType{"bytes", "bytes"},
    NamedType{"double", "double"},
    NamedType{"int", "int"},
    NamedType{"list", "list(dyn)"},
    NamedType{"map", "map(dyn, dyn)"},
    NamedType{"null_type", "null"},
    NamedType{"string", "string"},
    NamedType{"type", "type"},
    NamedType{"uint", "uint"},
    NamedType{"google.protobuf.Duration", "duration"},
    NamedType{"google.protobuf.Timestamp", "timestamp"},
    NamedType{"optional_type", "optional_type"},
    NamedType{"net.IP", "net.IP", Library::network},
    NamedType{"net.CIDR", "net.CIDR", Library::network},
};

bool is_object_type(const Environment& environment, std::string_view name) {
  return environment.has_patch_types && (name == "Object" || name.substr(0, 7) == "Object.");
}

}  // namespace

bool Environment::knows(Library library) const {
  if (library == Library::json_patch) return has_patch_types;
  for (const LibraryRow& row : library_rows()) {
    if (row.library == library) return is_stored || row.introduced <= minor;
  }
  return false;
}

Dialect Environment::dialect() const {
  return {.optionals = knows(Library::optionals),
          .two_variable_folds = knows(Library::two_variables),
          .sort_by = knows(Library::lists_3)};
}

TypePtr variable_type(const Environment& environment, std::string_view name) {
  if (const SelfTypes* rule = environment.rule) {
    if (name == "self") return rule->self;
    if (name != "oldSelf") return nullptr;
    return rule->is_old_optional ? optional_type(rule->self) : rule->self;
  }
  for (const VariableRow& row : kVariables) {
    if (name == row.name && (row.declared == nullptr || environment.*row.declared))
      return read_type(row.type);
  }
  return nullptr;
}

TypePtr named_type(const Environment& environment, std::string_view name) {
  for (const NamedType& row : kNamedTypes) {
    if (name == row.name && environment.knows(row.library))
      return make_type(TypeKind::type, "type", {read_type(row.type)});
  }
  if (is_message_type(environment, name)) {
    return make_type(TypeKind::type, "type", {make_type(TypeKind::message, std::string(name))});
  }
  return nullptr;
}

bool is_message_type(const Environment& environment, std::string_view name) {
  if (environment.has_patch_types && name == "JSONPatch") return true;
  if (is_object_type(environment, name)) return true;
  if (environment.rule != nullptr) return environment.rule->objects.contains(name);
  if (environment.has_variables && name == kVariablesType) return true;
  for (const FieldRow& row : kFields) {
    if (name == row.message) return true;
  }
  return false;
}

TypePtr field_type(const Environment& environment, std::string_view message, std::string_view field) {
  if (is_object_type(environment, message)) return read_type("dyn");
  if (environment.has_patch_types && message == "JSONPatch") {
    if (field == "op" || field == "path" || field == "from") return read_type("string");
    return field == "value" ? read_type("dyn") : make_type(TypeKind::unknown, "");
  }
  if (environment.rule != nullptr) {
    const auto object = environment.rule->objects.find(message);
    if (object == environment.rule->objects.end()) return nullptr;
    const auto found = object->second.find(field);
    return found == object->second.end() ? nullptr : found->second;
  }
  if (message == kVariablesType) {
    const auto found = environment.variables.find(std::string(field));
    return found == environment.variables.end() ? nullptr : found->second;
  }
  for (const FieldRow& row : kFields) {
    if (message == row.message && field == row.field) return read_type(row.type);
  }
  return nullptr;
}

TypePtr composed_type(const TypePtr& type) {
  switch (type->kind) {
    case TypeKind::list:
      return list_type(composed_type(type->of[0]));
    case TypeKind::map:
      return map_type(composed_type(type->of[0]), composed_type(type->of[1]));
    case TypeKind::null:
    case TypeKind::boolean:
    case TypeKind::integer:
    case TypeKind::unsigned_integer:
    case TypeKind::real:
    case TypeKind::text:
    case TypeKind::bytes:
    case TypeKind::duration:
    case TypeKind::timestamp:
      return type;
    default:
      return read_type("dyn");
  }
}

}  // namespace fixpoint::apiserver::cel
