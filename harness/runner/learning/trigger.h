#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"
#include "harness/runner/learning/field_path.h"

namespace fixpoint::runner {

using document::Value;
struct Vocabulary;

/// A property of a Case by which a webhook may decide whether it acts. Its options are absence, each of its
/// values, and any other value. Labels and annotations are those of the object, or of the request's
/// Namespace. The values of a field are JSON texts: `"reader"`, `true`; `metadata.namespace` is the request's
/// namespace, which always has a value.
struct Trigger {
  enum class Where : std::uint8_t { label, annotation, namespace_label, namespace_annotation, field, user };
  Where where = Where::label;
  /// Of a label or an annotation, or the path of a field (field_path.h); of a user kUserName, kUserGroups.
  std::string key = {};
  std::vector<std::string> values = {};
  bool is_rare = false;  ///< drawn rarely
  FieldPath path = {};   ///< the key of a field, parsed; empty if it is no path
  bool operator==(const Trigger&) const = default;
};
/// Returns the trigger; that of a field with its path.
Trigger trigger_of(Trigger::Where where, std::string key, std::vector<std::string> values,
                   bool is_rare = false);

/// The field that stands for the request's namespace, which need not be in the object.
inline constexpr const char* kNamespaceField = "metadata.namespace";
/// The keys of triggers in the request's userInfo.
inline constexpr const char *kUserName = "username", *kUserGroups = "groups";
/// The label that the server puts on every Namespace: its name.
inline constexpr std::string_view kNameOfNamespace = "kubernetes.io/metadata.name";

/// Returns the triggers of a vocabulary, each key once: one that is both rare and common is common and has
/// the values of both. A key without a known value is left out.
std::vector<Trigger> triggers_of(const Vocabulary& vocabulary);

/// Adds to the vocabulary that a webhook decides by the key, and by that value if there is one: for a field a
/// JSON text. No label gets a value that every server refuses. The numbers of values per key and of keys of
/// each kind are bounded.
void learn_trigger(Vocabulary& vocabulary, Trigger::Where where, std::string_view key,
                   std::optional<std::string_view> value, bool is_rare = false);
inline constexpr std::size_t kTriggersMax = 64, kTriggerValuesMax = 16;

/// Gives a known key other values; and removes one value from it, with the last one also the key.
void set_trigger_values(Vocabulary& vocabulary, Trigger::Where where, std::string_view key,
                        const std::vector<std::string>& values);
void forget_trigger_value(Vocabulary& vocabulary, Trigger::Where where, std::string_view key,
                          std::string_view value);

/// Gives values that the type of a field allows to the triggers without a known one: a key without a value is
/// never drawn.
void complete(Vocabulary& vocabulary);

/// Texts in the value of an annotation that stand for names of the object's own: programs split such a value
/// and look the names up. A drawn Case has the names in their places: those of all containers, separated by
/// commas; the first container that mounts a volume, where one is named again the next container; the volume
/// that it mounts, and a path within the mount.
inline constexpr std::string_view kContainerNames = "<names of the containers>",
                                  kContainerName = "<name of a container>",
                                  kVolumeName = "<name of its volume>",
                                  kPathInVolume = "<path in its volume>";
/// Returns true if the value has such texts.
bool has_own_names(std::string_view value);
/// Returns the value in the object: with the names in the places of these texts.
std::string value_in(const Value& object, std::string_view value);
/// Puts the names in their places in the annotations of the object and of its template.
void put_own_names(Value& object);

/// Returns the option of the Case: 0 if the key is absent (of several elements: in all), i + 1 if its value
/// is values[i] (in one of them), else values.size() + 1.
std::size_t option_of(const Trigger& trigger, const cases::Case& value);

}  // namespace fixpoint::runner
