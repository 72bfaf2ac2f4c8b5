#pragma once

#include <string>
#include <string_view>

#include "harness/apiserver/types/field.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

// Texts of Go's decoders for a value that they refuse, word for word.

/// The error of the type's own decoder: that of quantities (ParseQuantity of apimachinery) and that of times
/// (Go's time.Parse). Empty for a value of another JSON type, which the JSON decoder itself refuses.
std::string refusal_of(Shape shape, const document::Value& sent);

/// The value as the JSON decoder's refusal names it: `string`, `number 1.5`.
std::string refused_kind(Shape shape, const document::Value& sent);

/// Our own words for a refusal of a decoder, in which no path and no value stands: the identity of a finding
/// is made of them.
std::string_view decoding_sketch(std::string_view said);

std::string quantity_refusal(std::string_view text);
std::string time_refusal(std::string_view text);

}  // namespace fixpoint::apiserver
