#pragma once

#include <optional>
#include <string_view>

#include "harness/document/named.h"
#include "harness/document/value.h"

/// Edits of decoded Pods by the rules of upstream's helpers (docs/kserve.md#2-helpers). They write what Go's
/// encoder would: no empty strings, no `false`, no empty lists.
namespace fixpoint::injectors::kserve {

using document::Value;

/// Return the annotation or label, which may be empty, or nullptr if it is absent.
const Value* annotation(const Value& pod, const document::Name& key);
const Value* label(const Value& pod, const document::Name& key);
std::string_view annotation_or(const Value& pod, const document::Name& key, std::string_view fallback = {});
void annotate(Value& pod, const document::Name& key, std::string_view value);

/// Returns the index of the first container of that name in `containers` or `initContainers`.
std::optional<std::size_t> find_container(const Value& pod, const char* list, std::string_view name);
std::optional<std::size_t> find_container(const Value& pod, std::string_view name);
Value& container_at(Value& pod, std::size_t index);
Value& init_container_at(Value& pod, std::size_t index);

/// Returns an env entry; an empty value is omitted.
Value env(std::string_view name, std::string_view value);
Value env_from_secret(std::string_view name, std::string_view secret, std::string_view key);
void append_env(Value& container, std::string_view name, std::string_view value);
/// Sets `value` of the first entry of that name (its valueFrom is kept), else appends the entry.
void merge_env(Value& container, const Value& entry);
void merge_env(Value& container, std::string_view name, std::string_view value);
/// Appends the entry unless one of that name exists.
void add_env_if_absent(Value& container, std::string_view name, std::string_view value);

struct Mount {
  std::string_view name;
  std::string_view path;
  bool read_only = false;
  std::string_view sub_path = {};
};
void append_mount(Value& container, const Mount& mount);
/// Appends the mount unless one of that name exists, whatever its path. Returns true if it appended the
/// mount.
bool add_mount_if_absent(Value& container, const Mount& mount);

/// Returns a volume with one source: `volume("data", "emptyDir", {})`.
Value volume(std::string_view name, const char* source, Value settings);
Value empty_dir(std::string_view name);
void append_volume(Value& pod, Value entry);
/// Appends the volume unless one of that name exists. Returns true if it appended the volume.
bool add_volume_if_absent(Value& pod, Value entry);

}  // namespace fixpoint::injectors::kserve
