#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/properties/property.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::runner {

/// A step of a place: a member, or in brackets the key of an element or of a map's entry: `name=LOG`,
/// `/mnt/models`, `*`.
struct PlaceStep {
  std::string text;
  bool is_key = false;
};
std::vector<PlaceStep> steps_of(std::string_view place);

/// Returns true for the lists of containers of a Pod, whose names are the user's.
bool is_list_of_containers(std::string_view member);

/// Returns the value with every string and member of that name renamed.
document::Value renamed(const document::Value& value, std::string_view from, const std::string& to);

/// Returns the first call of the webhook in the admission, if it went well.
std::optional<properties::FirstCall> first_call_of(const properties::Examination& examination,
                                                   std::string_view webhook);

/// Returns true if the webhook changes the element of that key because of the key: with another key it leaves
/// the element alone. `list` is the name of the list, at any depth of the Pod.
bool looks_for(const properties::Examination& examination, const properties::FirstCall& call,
               std::string_view list, const std::string& key);

/// Puts into the shape of a violation the keys of the user's elements that the webhook looks for:
/// `spec.containers[*].env[*].value` becomes `spec.containers[*].env[name=JAVA_TOOL_OPTIONS].value`.
void keep_own_keys(const properties::Examination& examination, properties::Violation& violation);

/// Takes out of the shape the keys that the webhook makes of the value of a label or an annotation, which are
/// others with each Pod: `spec.volumes[name=my-data].name` becomes `spec.volumes[*].name` if the webhook adds
/// my-other-data where the annotation says so.
void drop_keys_of_values(const properties::Examination& examination, properties::Violation& violation);

}  // namespace fixpoint::runner
