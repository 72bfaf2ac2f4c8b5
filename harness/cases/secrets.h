#pragma once

#include <string_view>
#include <vector>

/// What counts as a secret; redaction.h walks documents by it.
namespace fixpoint::cases {

/// Whether a name promises a secret: of an env, flag, header, label, annotation or key. A prefix that ends in
/// a slash is a domain and promises nothing.
bool names_a_secret(std::string_view name);

/// Truth values, short numbers and quantities, absolute paths, references to other variables: what injectors
/// look at and nobody hides.
bool is_plain(std::string_view text);
/// The same for a value whose name promises a secret: a number may be one.
bool is_plain_beside_secret(std::string_view text);

/// What kind of text is searched.
enum class TextKind {
  any,      ///< for tokens of known looks
  value,    ///< a value that people write: random tokens and named values, too
  command,  ///< a command line or a script: exported variables, too
};
/// The parts of the text that are secrets; they do not overlap, in their order.
std::vector<std::string_view> secrets_in(std::string_view text, TextKind kind);

}  // namespace fixpoint::cases
