#pragma once

#include <string>
#include <string_view>

#include "reports/run_record.h"

namespace fixpoint::reports {

/// What stands in the place of a value that may be a secret.
inline constexpr std::string_view kHidden = "redacted";

/// The record without values that may be secrets, for all formats alike: values of env and of other
/// name-and-value pairs (truth values, numbers and texts with `$(` stay), the data of Secrets, annotations
/// whose name or value looks like a secret, and arguments that pass one. What is hidden in a finding is
/// hidden in all of its texts.
RunRecord redacted(RunRecord record);
cases::Finding redacted(const cases::Finding& finding);
document::Value redacted(const document::Value& document);

/// Whether a name promises a secret: PASSWORD, api-key, token, …
bool names_a_secret(std::string_view name);
/// Whether a text looks like one: a PEM block, a JSON Web Token, a URL with a password, a long run of letters
/// and digits in no order.
bool looks_secret(std::string_view text);

}  // namespace fixpoint::reports
