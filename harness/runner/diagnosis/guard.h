#pragma once

#include <span>
#include <string>

#include "harness/cases/finding.h"
#include "harness/properties/property.h"

namespace fixpoint::runner {

// The words behind the kind of change in cause.change, each after "; " (docs/judging.md#problem). They are no
// part of a problem's id.
inline constexpr const char* kUnguarded = "unguarded";  ///< it adds its element to an equal one of its own
inline constexpr const char* kFindsItsOwn = "finds its own";
inline constexpr const char* kAsksOneList = "asks one list";
inline constexpr const char* kTwice = "twice";         ///< it adds both of two equal ones in one call
inline constexpr const char* kByDesign = "by design";  ///< it refuses what was drawn wrong, and names it
inline constexpr const char* kMisconfigured = "configured wrong";  ///< an object fails every request
inline constexpr const char* kOfStranger = "an object alone";      ///< that the request does not name
inline constexpr const char* kOnlyIf = "only if ";                 ///< and what hardly any Pod has

/// Returns the kind of change: the text in front of the first "; ".
std::string kind_of_change(const std::string& change);
/// Returns true if the word stands behind the kind of change.
bool has_word(const cases::Cause& cause, const char* word);

/// Returns how the webhook looks for the element that a violation shows twice: a call on a Pod that has an
/// equal element of the webhook's own shows it. Empty if no call can tell.
std::string guard_of(const properties::Examination& examination, const properties::Violation& violation);

/// Returns true if the violation is about an element that stands in a container of the user's, too: the
/// webhook copies it into a container of its own, where it adds one with that key.
bool is_copy(const properties::Examination& examination, const properties::Violation& violation);

/// Returns what the Case needs and hardly any Pod has, unless the webhook's own output is enough: an
/// element of the user's with an unusual name or path of the webhook's own, which none of the examples has,
/// a field that few Pods set and without which the server takes the Pod, or the webhook's own notes; empty
/// if it needs none of them. Shortens a place that ends with a text which its author wrote elsewhere.
std::string contrived_part(const properties::Examination& examination, const properties::Violation& violation,
                           cases::Cause& cause, std::span<const document::Value> examples = {});
/// Returns the words of the cause that begin with kOnlyIf; empty if there are none.
std::string only_if(const cases::Cause& cause);

}  // namespace fixpoint::runner
