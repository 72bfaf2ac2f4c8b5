#pragma once

#include <string_view>
#include <vector>

/// The definition of secrets, used by redaction.h.
namespace fixpoint::cases {

/// Returns true if the name of an env, flag, header, label, annotation or key suggests a secret. A prefix
/// that ends in a slash is a domain and does not count.
bool names_a_secret(std::string_view name);

/// Returns true for values that injectors read and that are never secrets: truth values, short numbers and
/// quantities, absolute paths, references to other variables.
bool is_plain(std::string_view text);
/// Returns the same for a value whose name suggests a secret, where a number may be the secret.
bool is_plain_beside_secret(std::string_view text);

/// The kind of the text that is searched.
enum class TextKind {
  any,      ///< only tokens of a known format, and values behind a telling name and =
  value,    ///< a value written by people: also random tokens and named values
  command,  ///< a command line or a script: also exported variables
};
/// Returns the parts of the text that are secrets, in order and without overlaps.
std::vector<std::string_view> secrets_in(std::string_view text, TextKind kind);

}  // namespace fixpoint::cases
