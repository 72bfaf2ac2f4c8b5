#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/apiserver/custom/embedded_resources.h"
#include "harness/apiserver/custom/rules.h"
#include "harness/apiserver/custom/scale_paths.h"
#include "harness/apiserver/custom/structural_schema.h"
#include "harness/apiserver/custom/whole_object.h"
#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/decoding/objects.h"
#include "harness/apiserver/decoding/server_status.h"
#include "harness/apiserver/plugins/plugins.h"
#include "harness/apiserver/preparation/prepare.h"
#include "harness/apiserver/registry/registry.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/apiserver/types/list_types.h"
#include "harness/apiserver/types/metadata_types.h"
#include "harness/apiserver/validation/checks.h"
#include "harness/document/go_number.h"
#include "harness/document/json.h"
#include "harness/document/server_text.h"

// The strategies of objects whose fields have no table: custom resources, which their definition describes
// (apiextensions-apiserver/pkg/apiserver/customresource_handler.go, pkg/registry/customresource), and other
// kinds of Kubernetes, of which the metadata are known.
namespace fixpoint::apiserver {

namespace {

using cases::Kind;
using cases::Request;
using cases::Status;
using document::Error;
using document::Result;
using document::Value;

/// Reads the metadata as ObjectMeta and writes them back; unknown members vanish.
Result<Value> with_read_metadata(Value object, int minor) {
  auto metadata = decode_as(kObjectMeta, object["metadata"], minor);
  if (!metadata) return std::move(metadata).error().within("/metadata");
  if (metadata->is_object() &&
      (*metadata)["creationTimestamp"].is_null()) metadata->remove("creationTimestamp");
  object.set("metadata", metadata->is_null() ? Value::empty_object() : *std::move(metadata));
  return object;
}

/// Changes each number below that is not written as an integer.
Value with_numbers(Value value, Value (*change)(double number)) {
  if (value.is_number() && !value.integer()) {
    const auto number = value.real();
    return number ? change(*number) : value;
  }
  for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) {
    Value element = with_numbers(value.at(i), change);
    if (!element.same(value.at(i))) value.edit(i) = std::move(element);
  }
  const Value before = value;
  for (const document::Member& member : before.members()) {
    Value part = with_numbers(member.value, change);
    if (!part.same(member.value)) value.set(member.key.name(), std::move(part));
  }
  return value;
}

/// A number as it is read: a float64 keeps that it is one, so that 1.0 is no 1.
Value read_number(double number) {
  std::string text = document::go_json_number(number);
  if (std::floor(number) == number && std::fabs(number) < 1e15) text += ".0";
  return Value::number(text);
}

/// A number as it is stored: one without a fraction is an integer.
Value stored_number(double number) { return Value::number(document::go_json_number(number)); }

Value as_sent(const Value& object) { return with_numbers(object, stored_number); }

/// Decodes what a client sends or the store has: unknown members vanish, and defaults come in.
Result<Value> decode_sent(const Value& sent, const Kind& kind, int minor) {
  if (!sent.is_object()) return Error{"expected an object"};
  auto object = with_read_metadata(sent, minor);
  if (!object || !kind.is_custom()) return object;
  object = with_numbers(*std::move(object), read_number);
  const Value& schema = custom::schema_of(kind);
  object = custom::with_embedded_metadata(
      custom::without_nulls(custom::pruned(*std::move(object), schema), schema), schema, minor);
  return object ? custom::with_defaults(*std::move(object), schema) : object;
}

/// The kind in the version in which its objects are stored.
Kind storage_kind(const Kind& kind) {
  for (const Value& version : (*kind.definition)["spec"]["versions"].elements()) {
    if (!version["storage"].is_true()) continue;
    Kind stored = kind;
    stored.version = version["name"].text();
    return stored;
  }
  return kind;
}

/// Decodes what the store has: by the schema of the version that is stored, and if that is another than the
/// kind's, converted to it and pruned, without its defaults (customresource_handler.go
/// schemaCoercingConverter).
Result<Value> decode_stored(const Value& stored, const Kind& kind, int minor) {
  if (!kind.is_custom()) return decode_sent(stored, kind, minor);
  const Kind storage = storage_kind(kind);
  auto object = decode_sent(stored, storage, minor);
  if (!object || storage.version == kind.version) return object;
  object->set("apiVersion", kind.api_version());
  return custom::pruned(*std::move(object), custom::schema_of(kind));
}

Result<Received> receive(const Request& request, const Kind& kind, int minor) {
  if (kind.is_custom()) {
    if (auto problem = custom::rule_problem(custom::schema_of(kind), minor))
      return std::move(*problem).within("rules of the CustomResourceDefinition of " + kind.resource());
  }
  auto object = decode_sent(request.object, kind, minor);
  if (!object) return std::move(object).error().within("/request/object");
  Received received{.object = *std::move(object)};
  const std::string_view space = kind.is_namespaced ? std::string_view(request.namespace_name)
      : std::string_view();
  if (!request.is_update()) {
    received.status = complete_metadata(space, received.object, minor);
    return received;
  }
  auto old = decode_stored(request.old_object, kind, minor);
  if (!old) return std::move(old).error().within("/request/oldObject");
  received.old_object = *std::move(old);
  for (Value* one : {&received.object, &received.old_object}) {
    if (!space.empty() && (*one)["metadata"]["namespace"].text().empty())
      one->edit("metadata").set("namespace", space);
  }
  return received;
}

/// A patched object is no more than an object with a kind (unstructuredscheme); nothing is pruned.
Result<Value> decode_patched(const Value& patched, const Kind&, int) {
  if (patched["kind"].text().empty())
    return Error{"Object 'Kind' is missing in '" + document::write_go_json(patched) + "'"};
  return patched;
}

Result<Value> decode_patched_untyped(const Value& patched, const Kind& kind, int minor) {
  auto decoded = decode_as(kAnyObject, patched, minor);
  if (!decoded) return decoded;
  if (patched["kind"].text() != kind.name || patched["apiVersion"].text() != kind.api_version())
    return decode_object(patched, minor);
  return with_read_metadata(patched, minor);
}

/// Returns the kind in the version that the object says, if the definition declares it.
std::optional<Kind> version_of(const Value& object, const Kind& kind) {
  const std::string_view version = object["apiVersion"].text();
  if (!kind.is_custom() || cases::group_of(version) != kind.group) return std::nullopt;
  return cases::defined_kind(*kind.definition, version.substr(kind.group.size() + 1));
}

std::vector<std::string> no_problems(const Value&, int) { return {}; }

/// The defaults are those of the version that the object says.
Value with_defaults(Value object, const Kind& kind, int) {
  if (!kind.is_custom()) return object;
  const auto said = version_of(object, kind);
  return said ? custom::with_defaults(std::move(object), custom::schema_of(*said)) : object;
}

bool is_same(const Value& before, const Value& after) { return before == after; }

/// Compares typed objects without their types: an absent list or map is an empty one.
bool is_same_but_for_empty(const Value& before, const Value& after) {
  const bool is_before_empty = before.is_null() ||
      ((before.is_array() || before.is_object()) && before.empty());
  const bool is_after_empty = after.is_null() || ((after.is_array() || after.is_object()) && after.empty());
  if (is_before_empty || is_after_empty) return is_before_empty && is_after_empty;
  if (before.is_array() && after.is_array()) {
    if (before.size() != after.size()) return false;
    for (std::size_t i = 0; i < before.size(); ++i)
      if (!is_same_but_for_empty(before.at(i), after.at(i))) return false;
    return true;
  }
  if (!before.is_object() || !after.is_object()) return before == after;
  for (const document::Member& member : before.members())
    if (!is_same_but_for_empty(member.value, after[member.key.name()])) return false;
  for (const document::Member& member : after.members()) {
    if (before.find(member.key.name()) == nullptr && !is_same_but_for_empty({}, member.value)) return false;
  }
  return true;
}

Result<Value> convert(const Value& object, const Kind& kind) {
  const std::string_view version = object["apiVersion"].text();
  if (version == kind.api_version()) return object;
  if (!version_of(object, kind))
    return Error{"request to convert CR from an invalid group/version: " + std::string(version)};
  Value converted = object;
  converted.set("apiVersion", kind.api_version());
  return converted;
}

/// The content by which the generation counts: all but the metadata, and the status where it is a
/// subresource.
Value content_of(Value object, const Kind& kind) {
  object.remove("metadata");
  if (kind.has_subresource("status")) object.remove("status");
  return object;
}

void check_identity(const Value& object, const Kind& kind, validation::Errors& errors) {
  const validation::Path api_version("apiVersion"), name("kind");
  if (object["kind"].text() != kind.name)
    errors.invalid(name, object["kind"].text(), std::string("must be ").append(kind.name));
  if (object["apiVersion"].text() != kind.api_version())
    errors.invalid(api_version, object["apiVersion"].text(), "must be " + kind.api_version());
}

std::vector<cases::FieldError> errors_of(const Value& object, const Value& old, const Kind& kind,
                                         bool is_status, int minor, std::vector<std::string>& warnings) {
  using validation::MetadataRules;
  validation::Errors errors(minor);
  if (kind.is_custom()) check_identity(object, kind, errors);
  if (!errors.empty()) return std::move(errors).take_sorted();
  const validation::Path metadata("metadata");
  const auto rules = kind.is_namespaced ? MetadataRules::of_all : MetadataRules::of_cluster_wide;
  validation::check_metadata(object["metadata"], metadata, rules, errors);
  if (const std::string_view name = object["metadata"]["name"].text(); kind.is_custom() && !name.empty())
    errors.invalid(metadata.child("name"), name, validation::check_dns_subdomain(name));
  // The registry asks what may change, and the strategy again (registry/rest/update.go validateCommonFields).
  for (int asked = 0; asked < (old.is_null() ? 0 : 2); ++asked)
    validation::check_metadata_update(object["metadata"], old["metadata"], metadata, rules, errors);
  custom::check_scale_paths(object, kind, is_status, errors);
  if (kind.is_custom())
    custom::check_by_schema({object, old, custom::schema_of(kind), is_status, minor}, errors, warnings);
  return std::move(errors).take_sorted();
}

/// Warns of finalizers that were added and name no domain (registry/customresource/strategy.go).
void add_finalizer_warnings(const Value& finalizers, const Value& old, std::vector<std::string>& warnings) {
  const auto known = old.elements();
  for (const Value& finalizer : finalizers.elements()) {
    const std::string_view name = finalizer.text();
    const bool is_old = std::find(known.begin(), known.end(), finalizer) != known.end();
    if (is_old || name.find('/') != std::string_view::npos) continue;
    const bool has_domain = name.find('.') != std::string_view::npos;
    warnings.push_back("metadata.finalizers: " + document::go_quoted(name) + ": prefer a " +
                       (has_domain ? "domain-qualified finalizer name including a path (/) to avoid"
                                   : "domain-qualified finalizer name to avoid") +
                       " accidental conflicts with other finalizer writers");
  }
}

Stored store_new(const Request& request, const Kind& kind, const Value& object, int minor,
                 const StoreOptions& options) {
  const std::string_view space = kind.is_namespaced ? std::string_view(request.namespace_name)
      : std::string_view();
  if (auto refused = refuse_other_namespace(object, space)) return {.status = bad_request(refused->message)};
  Stored stored{.object = object};
  Value metadata = new_metadata(object["metadata"], space);
  metadata.set("generation", 1);
  stored.object.set("metadata", std::move(metadata));
  if (kind.has_subresource("status")) stored.object.remove("status");
  stored.invalid = errors_of(stored.object, {}, kind, false, minor, stored.warnings);
  if (options.warns && stored.invalid.empty() && kind.is_custom())
    add_finalizer_warnings(stored.object["metadata"]["finalizers"], {}, stored.warnings);
  refuse_invalid(stored);
  return stored;
}

/// A request to the status takes nothing but the status of the object that is sent
/// (registry/customresource/status_strategy.go PrepareForUpdate).
Value status_of(const Value& object, const Value& old) {
  Value updated = old;
  updated.set("status", object["status"]);
  if (object["status"].is_null()) updated.remove("status");
  updated.edit("metadata").set("managedFields", object["metadata"]["managedFields"]);
  if (object["metadata"]["managedFields"].is_null()) updated.edit("metadata").remove("managedFields");
  return updated;
}

Stored store_update(const Request& request, const Kind& kind, const Value& object, const Value& old,
                    int minor,
                    const StoreOptions& options) {
  const std::string_view space = kind.is_namespaced ? old["metadata"]["namespace"].text()
      : std::string_view();
  if (auto refused = refuse_other_namespace(object, space)) return {.status = bad_request(refused->message)};
  Stored stored{.object = object};
  if (request.sub_resource == "status") {
    stored.object = status_of(object, old);
  } else if (kind.has_subresource("status")) {
    stored.object.set("status", old["status"]);
    if (old["status"].is_null()) stored.object.remove("status");
  }
  Value metadata = updated_metadata(stored.object["metadata"], old["metadata"]);
  if (request.sub_resource.empty() && !(content_of(stored.object, kind) == content_of(old, kind)))
    metadata.set("generation", next_generation(old["metadata"]));
  stored.object.set("metadata", std::move(metadata));
  stored.invalid = errors_of(stored.object, old, kind, request.sub_resource == "status", minor,
                             stored.warnings);
  if (options.warns && stored.invalid.empty() && kind.is_custom() && request.sub_resource.empty())
    add_finalizer_warnings(stored.object["metadata"]["finalizers"], old["metadata"]["finalizers"],
                           stored.warnings);
  refuse_invalid(stored);
  return stored;
}

Stored store(const Request& request, const Kind& kind, const Value& object, const Value& old, int minor,
             const StoreOptions& options) {
  return request.is_update() ? store_update(request, kind, object, old, minor, options)
                             : store_new(request, kind, object, minor, options);
}

/// Reading from the store drops each malformed member of the metadata alone
/// (apiextensions-apiserver/pkg/apiserver/schema/objectmeta coerce.go, with DropInvalidFields).
Value read_back(const Value& stored, const Kind& kind, int minor) {
  Value object = with_numbers(stored, stored_number);
  const Value metadata = object["metadata"];
  for (const document::Member& member : metadata.members()) {
    Value alone = Value::empty_object();
    alone.set(member.key.name(), member.value);
    if (!decode_as(kObjectMeta, alone, minor)) object.edit("metadata").remove(member.key.name());
  }
  auto decoded = decode_stored(object, kind, minor);
  return decoded ? *std::move(decoded) : object;
}

}  // namespace

const Strategy kCustomStrategy{.receive = receive,
                               .run_plugins = run_lifecycle,
                               .as_sent = as_sent,
                               .decode = decode_patched,
                               .strict_problems = no_problems,
                               .with_defaults = with_defaults,
                               .is_same = is_same,
                               .convert = convert,
                               .store = store,
                               .read_back = read_back};

const Strategy kUntypedStrategy{.validates_content = false,
                                .has_nanoseconds = true,
                                .receive = receive,
                                .run_plugins = run_lifecycle,
                                .decode = decode_patched_untyped,
                                .strict_problems = no_problems,
                                .with_defaults = with_defaults,
                                .is_same = is_same_but_for_empty,
                                .convert = convert,
                                .store = store,
                                .read_back = read_back};

}  // namespace fixpoint::apiserver
