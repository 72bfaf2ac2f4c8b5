#include "harness/apiserver/types/quantity.h"
#include "harness/apiserver/validation/checks.h"

namespace fixpoint::apiserver::validation {

namespace {

/// Checks both kinds of references to the data source of a claim.
void check_data_source(const Value& source, const Path& path, Errors& errors) {
  if (source.is_null()) return;
  const std::string_view kind = source["kind"].text(), group = source["apiGroup"].text();
  if (source["name"].text().empty()) errors.required(path.child("name"));
  if (kind.empty()) errors.required(path.child("kind"));
  if (group.empty() && kind != "PersistentVolumeClaim") {
    errors.invalid(path, kind, Text("must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  }
  if (!group.empty()) errors.invalid(path.child("apiGroup"), group, check_dns_subdomain(group));
  if (const auto space = source["namespace"].text(); !space.empty()) {
    errors.invalid(path.child("namespace"), space, check_dns_label(space));
  }
}

void check_data_sources(const Value& spec, const Path& path, Errors& errors) {
  const Value& source = spec["dataSource"];
  const Value& ref = spec["dataSourceRef"];
  check_data_source(source, path.child("dataSource"), errors);
  check_data_source(ref, path.child("dataSourceRef"), errors);
  if (source.is_null() || ref.is_null()) return;
  if (!ref["namespace"].text().empty()) {
    errors.invalid(path, Value::empty_object(),
                   Text("may not be specified when dataSourceRef.namespace is specified"));
  } else if (!(source["apiGroup"] == ref["apiGroup"]) || !(source["kind"] == ref["kind"]) ||
             !(source["name"] == ref["name"])) {
    errors.invalid(path, Value::empty_object(), Text("must match dataSourceRef"));
  }
}

void check_access_modes(const Value& modes, const Path& path, Errors& errors) {
  constexpr std::string_view kModes[] = {"ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce",
                                         "ReadWriteOncePod"};
  if (modes.empty()) errors.required(path, Text("at least 1 access mode is required"));
  bool has_single = false, has_other = false;
  for (const Value& mode : modes.elements()) {
    if (!is_one_of(mode.text(), kModes)) {
      errors.not_supported(path, mode.text(), kModes);
    } else {
      (mode.text() == "ReadWriteOncePod" ? has_single : has_other) = true;
    }
  }
  if (has_single && has_other)
    errors.forbidden(path, Text("may not use ReadWriteOncePod with other access modes"));
}

void check_storage(const Value& resources, const Path& path, Errors& errors) {
  const Value* storage = resources["requests"].find("storage");
  if (storage == nullptr) return errors.required(path);
  const auto amount = Quantity::parse(storage->text());
  if (amount && amount->sign() > 0) return;
  errors.invalid(path, storage->text(), Text("must be greater than zero"));
}

}  // namespace

void check_claim_spec(const Value& spec, const Path& path, Errors& errors) {
  check_label_selector(spec["selector"], false, path.child("selector"), errors);
  check_access_modes(spec["accessModes"], path.child("accessModes"), errors);
  const Path resources_path = path.child("resources");
  check_storage(spec["resources"], resources_path.key("storage"), errors);
  static constexpr Name kNames[] = {"storageClassName", "volumeAttributesClassName"};
  for (const Name& name : kNames) {
    const std::string_view text = spec[name].text();
    if (!text.empty()) errors.invalid(path.child(name.text), text, check_dns_subdomain(text));
  }
  constexpr std::string_view kModes[] = {"Block", "Filesystem"};
  const Value& mode = spec["volumeMode"];
  if (!mode.is_null() && !is_one_of(mode.text(), kModes)) {
    errors.not_supported(path.child("volumeMode"), mode.text(), kModes);
  }
  check_data_sources(spec, path, errors);
}

void check_claim_template(const Value& claim_template, const Path& path, Errors& errors) {
  const Path metadata_path = path.child("metadata");
  const Value& metadata = claim_template["metadata"];
  check_annotation_keys(metadata["annotations"], metadata_path.child("annotations"), errors);
  check_labels(metadata["labels"], metadata_path.child("labels"), errors);
  for (const Member& member : metadata.members()) {
    const std::string_view name = member.key.text();
    if (is_one_of(name, {"annotations", "labels"}) || member.value.is_null()) continue;
    errors.forbidden(metadata_path.child(name == "uid" ? "uID" : name), Text("cannot be set"));
  }
  check_claim_spec(claim_template["spec"], path.child("spec"), errors);
}

}  // namespace fixpoint::apiserver::validation
