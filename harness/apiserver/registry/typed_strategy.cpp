#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/decoding/internal_type.h"
#include "harness/apiserver/decoding/objects.h"
#include "harness/apiserver/decoding/other_kinds.h"
#include "harness/apiserver/decoding/server_status.h"
#include "harness/apiserver/decoding/strict_fields.h"
#include "harness/apiserver/defaulting/default_table.h"
#include "harness/apiserver/kinds/typed_kind.h"
#include "harness/apiserver/plugins/plugins.h"
#include "harness/apiserver/preparation/drop_disabled.h"
#include "harness/apiserver/preparation/prepare.h"
#include "harness/apiserver/registry/registry.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/apiserver/types/equality.h"
#include "harness/apiserver/types/find_field.h"
#include "harness/apiserver/types/metadata_types.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/apiserver/validation/checks.h"
#include "harness/apiserver/validation/sent_empties.h"
#include "harness/apiserver/warnings/warnings.h"
#include "harness/document/server_text.h"

// The strategies of the kinds with tables beside Pods, as far as they share them. Each kind has its own parts
// in apiserver/kinds.
namespace fixpoint::apiserver {

namespace {

using cases::Kind;
using cases::Request;
using document::Error;
using document::Result;
using document::Value;
using kinds::Change;
using kinds::TypedKind;

bool has_template(const TypedKind& row) { return !row.template_steps.empty(); }

const Value& template_of(const Value& object, const TypedKind& row) {
  static const Value none;
  return has_template(row) ? kinds::template_of(object, row.template_steps) : none;
}

const Field* status_of(const TypedKind& row, int minor) { return find_field(row.type, "status", minor); }

const Type& spec_type(const TypedKind& row) { return *find_field(row.type, "spec", kNewestMinor)->type; }

Value defaulted(Value object, const TypedKind& row, int minor) {
  if (row.set_defaults != nullptr) row.set_defaults(object, minor);
  return default_object(row.type, object, minor);
}

/// Converts to the internal type and back.
Result<Value> converted(Value object, const TypedKind& row, const Kind& kind) {
  if (object["kind"].text() != kind.name) put_member(object, row.type, "kind", kind.name);
  if (const std::string version = kind.api_version(); object["apiVersion"].text() != version)
    put_member(object, row.type, "apiVersion", version);
  if (Value pod_template = template_of(object, row); has_template(row)) {
    template_through_internal_type(pod_template);
    if (!pod_template.same(template_of(object, row)))
      kinds::edit_template(object, row.template_steps) = std::move(pod_template);
  }
  if (row.convert != nullptr)
    if (const std::string problem = row.convert(object); !problem.empty()) return Error{problem};
  return object;
}

Result<Value> decode_sent(const Value& sent, const TypedKind& row, const Kind& kind, int minor) {
  auto decoded = decode_kind(kind, row.type, sent, minor);
  if (!decoded) return decoded;
  return converted(defaulted(*std::move(decoded), row, minor), row, kind);
}

/// The namespace of the objects of a request; empty for a kind of the whole cluster.
std::string_view space_of(const Request& request, const Kind& kind) {
  return kind.is_namespaced ? std::string_view(request.namespace_name) : std::string_view();
}

template <const TypedKind& kRow>
Result<Received> receive_typed(const Request& request, const Kind& kind, int minor) {
  auto object = decode_sent(request.object, kRow, kind, minor);
  if (!object) return std::move(object).error().within("/request/object");
  Received received{.object = *std::move(object)};
  const std::string_view space = space_of(request, kind);
  if (!request.is_update()) {
    received.status = complete_metadata(space, received.object, minor);
    return received;
  }
  auto old = decode_sent(request.old_object, kRow, kind, minor);
  if (!old) return std::move(old).error().within("/request/oldObject");
  received.old_object = *std::move(old);
  for (Value* one : {&received.object, &received.old_object})
    if (!space.empty() && (*one)["metadata"]["namespace"].text().empty())
      put_member(one->edit("metadata"), kObjectMeta, "namespace", space);
  return received;
}

template <const TypedKind& kRow>
Result<Value> decode_patched(const Value& patched, const Kind& kind, int minor) {
  return decode_object_of(kind, kRow.type, patched, minor);
}

template <const TypedKind& kRow>
std::vector<std::string> strict(const Value& patched, int minor) {
  return patched["kind"].text() == kRow.type.name ? strict_problems(kRow.type, patched, minor)
                                                  : strict_problems_of_other_kind(patched, minor);
}

bool may_be_of(const Value& object, const Kind& kind) {
  const std::string_view name = object["kind"].text(), version = object["apiVersion"].text();
  return (name.empty() || name == kind.name) && (version.empty() || version == kind.api_version());
}

template <const TypedKind& kRow>
Value with_defaults(Value object, const Kind& kind, int minor) {
  return may_be_of(object, kind) ? defaulted(std::move(object), kRow, minor) : object;
}

template <const TypedKind& kRow>
bool is_same(const Value& before, const Value& after) {
  return semantically_equal_as(kRow.type, before, after);
}

template <const TypedKind& kRow>
Result<Value> convert(const Value& object, const Kind& kind) {
  if (may_be_of(object, kind)) return converted(object, kRow, kind);
  const std::string_view version = object["apiVersion"].text();
  return Error{
      document::Text("converting ({}.{}) to ({}.{}): unknown conversion")
          .with({version.substr(version.rfind('/') + 1), object["kind"].text(), kind.group, kind.name})};
}

/// In the server's memory, the labels that a Job takes over from its template are those of the template until
/// a patch was applied: what is added to these is added to them. An object whose name is generated is copied
/// (apiserver/pkg/registry/generic/registry/store.go createWithGenerateNameRetry).
bool shares_labels(const StoreOptions& options, int minor) {
  constexpr int kCopiedSince = 31;
  if (options.as_sent == nullptr) return false;
  const Value& sent = options.as_sent->object;
  if (minor >= kCopiedSince && sent["metadata"]["name"].text().empty()) return false;
  return sent["metadata"]["labels"].empty() && sent["spec"]["template"]["metadata"]["labels"].is_object();
}

void drop_of_template(Value& object, const Value& old, const TypedKind& row, int minor) {
  if (!has_template(row)) return;
  Value spec = template_of(object, row)["spec"];
  validation::drop_disabled(spec, template_of(old, row)["spec"], minor);
  if (!spec.same(template_of(object, row)["spec"]))
    kinds::edit_template(object, row.template_steps).set("spec", std::move(spec));
}

std::vector<std::string> warnings_of(const Change& change, const TypedKind& row, const Value& sent) {
  std::vector<std::string> warnings;
  const validation::Path path(row.template_path);
  const bool is_as_before =
      row.warns_of_new_templates_alone
          ? semantically_equal_as(kPodTemplateSpec, template_of(change.object, row),
                                  template_of(change.old, row))
          : change.object["metadata"]["generation"] == change.old["metadata"]["generation"];
  if (has_template(row) && (!change.is_update() || !is_as_before))
    warnings = template_warnings(template_of(change.object, row), path, change.minor, template_of(sent, row));
  if (row.warn != nullptr) row.warn(change, warnings);
  return warnings;
}

const Value& sent_object(const StoreOptions& options) {
  static const Value none;
  return options.as_sent == nullptr ? none : options.as_sent->object;
}

validation::MetadataRules metadata_rules(const Kind& kind) {
  return kind.is_namespaced ? validation::MetadataRules::of_all : validation::MetadataRules::of_cluster_wide;
}

void check_new_metadata(const Value& metadata, const TypedKind& row, const Kind& kind, int minor,
                        validation::Errors& errors) {
  const validation::Path path("metadata");
  validation::check_metadata(metadata, path, metadata_rules(kind), errors);
  const std::string_view name = metadata["name"].text();
  if (row.check_name != nullptr && !name.empty())
    errors.invalid(path.child("name"), name, row.check_name(name, minor));
}

/// Notes that the server panics on the object.
bool panics(Stored& stored, const TypedKind& row) {
  if (row.panics == nullptr || !row.panics(stored.object)) return false;
  stored.crashed = true;
  stored.status = no_answer();
  return true;
}

Stored store_new(const Request& request, const Kind& kind, const TypedKind& row, Value object, int minor,
                 const StoreOptions& options) {
  const std::string_view space = space_of(request, kind);
  if (auto refused = refuse_other_namespace(object, space)) return {.status = bad_request(refused->message)};
  Value metadata = new_metadata(object["metadata"], space);
  if (row.has_generation) put_member(metadata, kObjectMeta, "generation", 1);
  object.set("metadata", std::move(metadata));
  if (const Field* status = status_of(row, minor))
    put_member(object, row.type, "status", zero_of(*status, minor));
  if (row.prepare != nullptr) row.prepare(object, {}, minor);
  if (row.type.name == "Job" && shares_labels(options, minor) && !object["spec"]["manualSelector"].is_true())
    put_member(object.edit("metadata"), kObjectMeta, "labels",
               Value(object["spec"]["template"]["metadata"]["labels"]));
  drop_of_template(object, {}, row, minor);
  Stored stored{.object = std::move(object)};
  if (panics(stored, row)) return stored;
  const auto of_template = validation::make_options(template_of(stored.object, row), {}, minor);
  const Value none;
  const Change change{stored.object, none, of_template, minor, sent_object(options)};
  validation::Errors errors(minor);
  if (row.check_create == nullptr || row.check_name != nullptr)
    check_new_metadata(stored.object["metadata"], row, kind, minor, errors);
  if (row.check_create != nullptr) row.check_create(change, errors);
  stored.invalid = std::move(errors).take_sorted();
  validation::show_sent_empties(stored.invalid, sent_object(options));
  if (options.warns && stored.invalid.empty())
    stored.warnings = warnings_of(change, row, sent_object(options));
  refuse_invalid(stored);
  return stored;
}

void check_common_update(const Value& object, const Value& old, const Kind& kind,
                         validation::Errors& errors) {
  using validation::MetadataRules;
  const validation::Path path("metadata");
  const MetadataRules rules = metadata_rules(kind);
  validation::check_metadata(object["metadata"], path, rules, errors);
  validation::check_metadata_update(object["metadata"], old["metadata"], path, rules, errors);
  validation::check_metadata_update(object["metadata"], old["metadata"], path,
                                    kind.is_namespaced ? MetadataRules::of_pods : rules, errors);
}

/// Prepares an update of the content: the status is the stored one.
void prepare_content(Value& object, const Value& old, const TypedKind& row, int minor) {
  if (status_of(row, minor) != nullptr) put_member(object, row.type, "status", old["status"]);
  if (row.prepare != nullptr) row.prepare(object, old, minor);
  drop_of_template(object, old, row, minor);
  if (!row.has_generation) return;
  const bool is_new_generation = !semantically_equal_as(spec_type(row), object["spec"], old["spec"]) ||
                                 (row.makes_generation != nullptr && row.makes_generation(object, old));
  if (is_new_generation)
    put_member(object.edit("metadata"), kObjectMeta, "generation", next_generation(old["metadata"]));
}

Stored store_update(const Request& request, const Kind& kind, const TypedKind& row, Value object,
                    const Value& old, int minor, const StoreOptions& options) {
  if (auto refused = refuse_other_namespace(object, old["metadata"]["namespace"].text()))
    return {.status = bad_request(refused->message)};
  const bool is_status = request.sub_resource == "status";
  object.set("metadata", updated_metadata(object["metadata"], old["metadata"]));
  if (is_status) {
    put_member(object, row.type, "spec", old["spec"]);
    if (row.prepare_status != nullptr) row.prepare_status(object, old, minor);
  } else {
    prepare_content(object, old, row, minor);
  }
  Stored stored{.object = std::move(object)};
  if (!is_status && panics(stored, row)) return stored;
  Value stored_before = old;
  if (stored_before["metadata"]["resourceVersion"].text().empty())
    put_member(stored_before.edit("metadata"), kObjectMeta, "resourceVersion", "1");
  const auto of_template =
      validation::make_options(template_of(stored.object, row), template_of(stored_before, row), minor);
  const Change change{stored.object, stored_before, of_template, minor, sent_object(options)};
  validation::Errors errors(minor);
  check_common_update(stored.object, stored_before, kind, errors);
  if (!is_status && row.check_update != nullptr)
    row.check_update(change, errors);
  else if (is_status && row.check_status != nullptr)
    row.check_status(change, errors);
  stored.invalid = std::move(errors).take_sorted();
  validation::show_sent_empties(stored.invalid, sent_object(options));
  if (options.warns && stored.invalid.empty() && !is_status)
    stored.warnings = warnings_of(change, row, sent_object(options));
  refuse_invalid(stored);
  return stored;
}

template <const TypedKind& kRow>
Stored store_typed(const Request& request, const Kind& kind, const Value& object, const Value& old, int minor,
                   const StoreOptions& options) {
  return request.is_update() ? store_update(request, kind, kRow, object, old, minor, options)
                             : store_new(request, kind, kRow, object, minor, options);
}

/// The stored form does not tell an empty list from an absent one.
Value without_empty_lists(Value object, const Type& type) {
  const Value before = object;
  for (const document::Member& member : before.members()) {
    const Field* field = find_field(type, member.key.name(), kNewestMinor);
    if (field == nullptr) continue;
    if (field->many == Many::list && member.value.is_array() && member.value.empty())
      object.set(member.key.name(), Value());
    if (field->type == nullptr || member.value.empty()) continue;
    if (field->many == Many::one) {
      Value below = without_empty_lists(member.value, *field->type);
      if (!below.same(member.value)) object.set(member.key.name(), std::move(below));
    }
    for (std::size_t i = 0; field->many == Many::list && i < member.value.size(); ++i) {
      Value below = without_empty_lists(member.value.at(i), *field->type);
      if (!below.same(member.value.at(i))) object.edit(member.key.name()).edit(i) = std::move(below);
    }
  }
  return object;
}

template <const TypedKind& kRow>
Value read_back(const Value& stored, const Kind& kind, int minor) {
  auto object = decode_sent(without_empty_lists(stored, kRow.type), kRow, kind, minor);
  return object ? *std::move(object) : stored;
}

template <const TypedKind& kRow>
Strategy strategy_for() {
  return {.type = &kRow.type,
          .template_steps = kRow.template_steps,
          .validates_content = kRow.check_create != nullptr,
          .has_nanoseconds = true,
          .receive = receive_typed<kRow>,
          .run_plugins = kRow.run_plugins != nullptr ? kRow.run_plugins : run_lifecycle,
          .decode = decode_patched<kRow>,
          .strict_problems = strict<kRow>,
          .with_defaults = with_defaults<kRow>,
          .is_same = is_same<kRow>,
          .convert = convert<kRow>,
          .store = store_typed<kRow>,
          .read_back = read_back<kRow>};
}

struct Row {
  std::string_view group, name;
  Strategy strategy;
  std::string_view version = "v1";
};

}  // namespace

const Strategy* typed_strategy(const Kind& kind) {
  static const Row kRows[] = {
      {"apps", "Deployment", strategy_for<kinds::kDeployments>()},
      {"apps", "ReplicaSet", strategy_for<kinds::kReplicaSets>()},
      {"apps", "StatefulSet", strategy_for<kinds::kStatefulSets>()},
      {"apps", "DaemonSet", strategy_for<kinds::kDaemonSets>()},
      {"batch", "Job", strategy_for<kinds::kJobs>()},
      {"batch", "CronJob", strategy_for<kinds::kCronJobs>()},
      {"", "Service", strategy_for<kinds::kServices>()},
      {"", "ConfigMap", strategy_for<kinds::kConfigMaps>()},
      {"", "Secret", strategy_for<kinds::kSecrets>()},
      {"", "ServiceAccount", strategy_for<kinds::kServiceAccounts>()},
      {"", "Namespace", strategy_for<kinds::kNamespaces>()},
      {"", "PersistentVolumeClaim", strategy_for<kinds::kVolumeClaims>()},
      {"networking.k8s.io", "Ingress", strategy_for<kinds::kIngresses>()},
      {"autoscaling", "HorizontalPodAutoscaler", strategy_for<kinds::kAutoscalers>(), "v2"}};
  const auto* row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& one) {
    return one.group == kind.group && one.name == kind.name && one.version == kind.version;
  });
  return row == std::end(kRows) ? nullptr : &row->strategy;
}

}  // namespace fixpoint::apiserver
