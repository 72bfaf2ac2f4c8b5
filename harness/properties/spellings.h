#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fixpoint::properties {

/// The two words of a switch, and a legal spelling of the second that is not the usual one.
struct SwitchWords {
  std::string on, off, odd_off;  ///< true, false, False
};
/// Returns the words that belong to this one; nothing if it is no word of a switch.
std::optional<SwitchWords> switch_words(std::string_view value);

/// Groups of values that mean as much as this one: the same amount in another unit, a log level in capitals
/// or two other levels, the numbers beside a number. One of a group may be the webhook's default, or out of
/// its range; all together are not. `key` distinguishes a share of a processor from minutes. Empty if no such
/// values are known.
std::vector<std::vector<std::string>> values_alike(std::string_view value, std::string_view key);

/// The same path or URL with a slash at its end, the same list with blanks behind its commas; empty for
/// everything else.
std::string loose_spelling(std::string_view value);
/// Returns true if a text shows that a loose spelling was inserted without change: a path with two slashes, a
/// word with a blank in front.
bool is_misspelt(std::string_view text);

/// The key of a label or an annotation without its prefix.
std::string_view name_of_key(std::string_view key);
/// Returns true for a key whose name says that it switches something on: agent.example.com/inject.
bool is_name_of_switch(std::string_view key);
/// Returns the number if the text is a whole one of at most nine digits.
std::optional<long> whole_number(std::string_view text);

}  // namespace fixpoint::properties
