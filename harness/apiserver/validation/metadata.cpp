#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>

#include "harness/apiserver/validation/checks.h"
#include "harness/document/utf8.h"

namespace fixpoint::apiserver::validation {

namespace {

constexpr std::size_t kAnnotationBytesMax = 256 * 1024, kManagerBytesMax = 128, kSubresourceBytesMax = 256;

/// The parts of an API version; both are empty if the text has more than one slash.
struct GroupVersion {
  std::string_view group, version;
};
GroupVersion split_api_version(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return {{}, text};
  if (text.find('/', slash + 1) != std::string_view::npos) return {};
  return {text.substr(0, slash), text.substr(slash + 1)};
}

constexpr document::GoMember kOwnerReference[] = {{"apiVersion", "apiVersion", "\"\""},
                                                  {"kind", "kind", "\"\""},
                                                  {"name", "name", "\"\""},
                                                  {"uid", "uid", "\"\""},
                                                  {"controller", "controller", ""},
                                                  {"blockOwnerDeletion", "blockOwnerDeletion", ""}};

void check_owner_reference(const Value& owner, const Path& path, Errors& errors) {
  const std::string_view api_version = owner["apiVersion"].text(), kind = owner["kind"].text();
  const bool is_malformed = std::count(api_version.begin(), api_version.end(), '/') > 1;
  const auto [group, version] = split_api_version(api_version);
  if (version.empty())
    errors.invalid(path.child("apiVersion"), api_version, Text("version must not be empty"));
  if (kind.empty()) errors.invalid(path.child("kind"), kind, Text("must not be empty"));
  if (owner["name"].text().empty()) errors.invalid(path.child("name"), "", Text("must not be empty"));
  if (owner["uid"].text().empty()) errors.invalid(path.child("uid"), "", Text("must not be empty"));
  if (!is_malformed && group.empty() && version == "v1" && kind == "Event") {
    errors.invalid(path, owner, kOwnerReference, Text("/v1, Kind=Event is disallowed from being an owner"));
  }
}

/// An owner as an error names it.
std::string owner_name(const Value& owner) {
  return std::string(owner["kind"].text()).append("/").append(owner["name"].text());
}

void check_owner_references(const Value& owners, const Path& path, Errors& errors) {
  const Value* controller = nullptr;
  for (const Value& owner : owners.elements()) {
    check_owner_reference(owner, path, errors);
    if (!owner["controller"].is_true()) continue;
    if (controller != nullptr) {
      errors.invalid(path, owners, kOwnerReference,
                     Text("Only one reference can have Controller set to true. Found \"true\" in references "
                          "for {} and {}")
                         .with({owner_name(*controller), owner_name(owner)}));
    } else {
      controller = &owner;
    }
  }
}

void check_finalizers(const Value& finalizers, const Path& path, Errors& errors) {
  bool has_orphan = false, has_foreground = false;
  for (std::size_t i = 0; i < finalizers.size(); ++i) {
    const std::string_view name = finalizers.at(i).text();
    errors.invalid(path, name, check_qualified_name(name));
    has_orphan = has_orphan || name == "orphan";
    has_foreground = has_foreground || name == "foregroundDeletion";
  }
  if (has_orphan && has_foreground)
    errors.invalid(path, finalizers, Text("finalizer orphan and foregroundDeletion cannot be both set"));
}

void check_finalizer_domains(const Value& finalizers, const Path& path, Errors& errors) {
  for (std::size_t i = 0; i < finalizers.size(); ++i) {
    const std::string_view name = finalizers.at(i).text();
    const bool is_standard = is_one_of(name, {"kubernetes", "orphan", "foregroundDeletion"});
    if (name.find('/') == std::string_view::npos && !is_standard) {
      errors.invalid(path.at(i), name,
                     Text("name is neither a standard finalizer name nor is it fully qualified"));
    }
  }
}

/// The code point as Go's %#U writes one that is not printable.
std::string code_text(std::uint32_t code) {
  std::string digits;
  for (; code != 0 || digits.size() < 4; code >>= 4)
    digits.insert(digits.begin(), "0123456789ABCDEF"[code & 0xF]);
  return "U+" + digits;
}

void check_manager(std::string_view manager, const Path& path, Errors& errors) {
  if (manager.size() > kManagerBytesMax) errors.too_long(path, kManagerBytesMax);
  for (std::size_t at = 0; at < manager.size();) {
    const std::size_t length = std::max<std::size_t>(document::utf8_length(manager, at), 1);
    if (const auto code = document::code_point(manager.substr(at, length));
        !document::is_printable_code(code)) {
      errors.invalid(
          path, manager,
          Text("invalid character {} (at position {})").with({code_text(code), std::to_string(at)}));
    }
    at += length;
  }
}

void check_managed_fields(const Value& entries, const Path& path, Errors& errors) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Path entry_path = path.at(i);
    const Value& entry = entries.at(i);
    if (!is_one_of(entry["operation"].text(), {"Apply", "Update"})) {
      errors.invalid_typed(entry_path.child("operation"), entry["operation"].text(),
                           Text("must be `Apply` or `Update`"));
    }
    if (const auto type = entry["fieldsType"].text(); !type.empty() && type != "FieldsV1") {
      errors.invalid(entry_path.child("fieldsType"), type, Text("must be `FieldsV1`"));
    }
    check_manager(entry["manager"].text(), entry_path.child("manager"), errors);
    if (entry["subresource"].text().size() > kSubresourceBytesMax) {
      errors.too_long(entry_path.child("subresource"), kSubresourceBytesMax);
    }
  }
}

void check_immutable(const Value& metadata, const Value& old, const Name& name, const Path& path,
                     Errors& errors) {
  if (metadata[name] == old[name]) return;
  const bool is_text = is_one_of(name.text, {"name", "namespace", "uid"});
  const Value shown = metadata[name].is_null() && is_text ? Value("") : metadata[name];
  if (name.text == "uid")
    return errors.invalid_typed(path.child("uid"), shown.text(), Text("field is immutable"));
  errors.invalid(path.child(name.text), shown, Text("field is immutable"));
}

bool contains(const Value& list, const Value& element) {
  for (const Value& other : list.elements()) {
    if (other == element) return true;
  }
  return false;
}

/// The finalizers that the old ones do not have, sorted, as Go prints the elements of a list.
std::string added_finalizers(const Value& now, const Value& old) {
  std::set<std::string_view> names;
  for (const Value& finalizer : now.elements()) {
    if (!contains(old, finalizer)) names.insert(finalizer.text());
  }
  std::string added;
  for (std::string_view name : names)
    added.append(added.empty() ? "" : ", ").append(document::go_quoted(name));
  return added;
}

/// Returns true if the key is valid. Keeps the keys found valid lately: documents share their keys, and a run
/// sees few of them.
bool is_known_right(const document::Key& key) {
  constexpr std::size_t kKnown = 256;
  static thread_local std::array<std::optional<document::Key>, kKnown> known;
  auto& slot = known[(key.hash() ^ (key.hash() >> 16)) % kKnown];
  if (slot && slot->same(key)) return true;
  if (!check_qualified_name_lowered(key.text()).empty()) return false;
  slot = key;
  return true;
}

}  // namespace

void check_annotation_keys(const Value& annotations, const Path& path, Errors& errors, const Value& passed) {
  std::size_t bytes = 0;
  for (const Member& member : annotations.members()) {
    if (passed.find(member.key.name()) == nullptr && !is_known_right(member.key))
      errors.invalid(path, member.key.text(), check_qualified_name_lowered(member.key.text()));
    bytes += member.key.text().size() + member.value.text().size();
  }
  if (bytes > kAnnotationBytesMax) errors.too_long(path, kAnnotationBytesMax);
}

void check_metadata(const Value& metadata, const Path& path, MetadataRules rules, Errors& errors,
                    const Value& passed) {
  const bool has_labels = rules == MetadataRules::of_stateful_sets;
  const bool is_pod = rules == MetadataRules::of_pods || has_labels;
  const std::string_view name = metadata["name"].text(), generate_name = metadata["generateName"].text();
  if (!generate_name.empty()) {
    errors.invalid(path.child("generateName"), generate_name,
                   has_labels ? check_generated_label(generate_name)
                   : is_pod   ? check_generate_name(generate_name)
                              : check_path_segment(generate_name, true));
  }
  if (name.empty()) {
    errors.required(path.child("name"), Text("name or generateName is required"));
  } else if (name != passed["name"].text()) {
    errors.invalid(path.child("name"), name,
                   has_labels ? check_dns_label(name)
                   : is_pod   ? check_dns_subdomain(name)
                              : check_path_segment(name, false));
  }
  const std::string_view space = metadata["namespace"].text();
  if (rules == MetadataRules::of_cluster_wide) {
    if (!space.empty()) errors.forbidden(path.child("namespace"), std::string("not allowed on this type"));
  } else if (space.empty()) {
    errors.required(path.child("namespace"));
  } else if (space != passed["namespace"].text()) {
    errors.invalid(path.child("namespace"), space, check_dns_label(space));
  }
  if (metadata["generation"].text().starts_with('-')) {
    errors.invalid(path.child("generation"), metadata["generation"],
                   Text("must be greater than or equal to 0"));
  }
  if (passed.is_null() || !metadata["labels"].same(passed["labels"])) {
    check_labels(metadata["labels"], path.child("labels"), errors);
  }
  check_annotation_keys(metadata["annotations"], path.child("annotations"), errors, passed["annotations"]);
  check_owner_references(metadata["ownerReferences"], path.child("ownerReferences"), errors);
  check_finalizers(metadata["finalizers"], path.child("finalizers"), errors);
  check_managed_fields(metadata["managedFields"], path.child("managedFields"), errors);
  if (is_pod) check_finalizer_domains(metadata["finalizers"], path.child("finalizers"), errors);
}

void check_metadata_update(const Value& metadata, const Value& old, const Path& path, MetadataRules rules,
                           Errors& errors) {
  if (!old["deletionTimestamp"].is_null()) {
    if (const std::string added = added_finalizers(metadata["finalizers"], old["finalizers"]);
        !added.empty()) {
      errors.forbidden(path.child("finalizers"), Text("no new finalizers can be added if the object is being "
                                                      "deleted, found new finalizers []string{{}}")
                                                     .with({added}));
    }
  }
  if (metadata["resourceVersion"].text().empty()) {
    errors.invalid(path.child("resourceVersion"), "", Text("must be specified for an update"));
  }
  if (metadata["generation"].integer().value_or(0) < old["generation"].integer().value_or(0)) {
    errors.invalid(path.child("generation"), metadata["generation"], Text("must not be decremented"));
  }
  static constexpr Name kNames[] = {
      "name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"};
  for (const Name& name : kNames) {
    check_immutable(metadata, old, name, path, errors);
  }
  check_labels(metadata["labels"], path.child("labels"), errors);
  check_annotation_keys(metadata["annotations"], path.child("annotations"), errors);
  check_owner_references(metadata["ownerReferences"], path.child("ownerReferences"), errors);
  check_managed_fields(metadata["managedFields"], path.child("managedFields"), errors);
  if (rules == MetadataRules::of_pods) {
    check_finalizer_domains(metadata["finalizers"], path.child("finalizers"), errors);
  }
}

}  // namespace fixpoint::apiserver::validation
