#pragma once

#include <span>
#include <string_view>
#include <vector>

/// The one list of what counts as a secret, as a table; redaction.h walks documents by it.
namespace fixpoint::cases {

/// How a row of the table recognises a secret.
enum class Sign {
  part_of_name,  ///< these letters in the name of a value, whatever stands between them: apiKey, API_KEY
  word_of_name,  ///< a whole word of the name
  end_of_word,   ///< the end of a word of the name: accessToken, APITOKEN
  harmless_end,  ///< the last word of a name that tells where a secret is or how it is used: token-file
  named_value,   ///< a pattern of a name, its group, in front of a value, which ends as a word does
  named_line,    ///< the same for a value that takes the rest of its line
  shell_value,   ///< a pattern of what stands before a value in a command, a secret as one of env is
  token,         ///< a pattern of a secret that is known by its looks, in any text
  random_token,  ///< a pattern that is a secret when its letters and digits are in no order
};

struct SecretRow {
  Sign sign;
  std::string_view
      text;  ///< letters in lower case, or a regular expression whose group is the name or the secret
};
std::span<const SecretRow> secret_rows();

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
