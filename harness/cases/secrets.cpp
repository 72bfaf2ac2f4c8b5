#include "harness/cases/secrets.h"

#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>

namespace fixpoint::cases {

namespace {

/// The way in which a row of the table recognises a secret.
enum class Sign {
  part_of_name,    ///< these letters in the name of a value, with anything between them: apiKey, API_KEY
  word_of_name,    ///< a whole word of the name
  end_of_word,     ///< the end of a word of the name: accessToken, APITOKEN
  harmless_end,    ///< the last word of a name for the place or the use of a secret: token-file
  named_anywhere,  ///< a pattern whose group is a name; the value behind it ends as a word does; in any text
  named_value,     ///< the same in texts that people write
  named_line,      ///< the same, but the value extends to the end of the line
  shell_value,  ///< a pattern for the text before a value in a command; the value is a secret as one of env
                ///< is
  attached_value,  ///< the same for a flag of one letter with its value attached: -pVALUE, but not -port
  token,           ///< a pattern of a secret with a known format, in any text
  random_token,    ///< a pattern of a text that is a secret if its letters and digits look random
};

/// A row of the table of secrets, which is the only definition of a secret.
struct SecretRow {
  Sign sign;
  /// Letters in lower case, or a regular expression whose group is the name or the secret.
  std::string_view text;
};

constexpr SecretRow kSecretRows[] = {
    {Sign::part_of_name, "passw"},
    {Sign::part_of_name, "passphrase"},
    {Sign::part_of_name, "secret"},
    {Sign::part_of_name, "credential"},
    {Sign::part_of_name, "apikey"},
    {Sign::part_of_name, "accesskey"},
    {Sign::part_of_name, "accountkey"},
    {Sign::part_of_name, "privatekey"},
    {Sign::part_of_name, "signingkey"},
    {Sign::part_of_name, "encryptionkey"},
    {Sign::part_of_name, "connectionstring"},
    {Sign::part_of_name, "sessionid"},
    {Sign::part_of_name, "sessionkey"},
    {Sign::part_of_name, "lastappliedconfiguration"},  // repeats the whole object
    {Sign::word_of_name, "pass"},
    {Sign::word_of_name, "authorization"},
    {Sign::word_of_name, "bearer"},
    {Sign::word_of_name, "signature"},
    {Sign::word_of_name, "jwt"},
    {Sign::end_of_word, "pwd"},
    {Sign::end_of_word, "token"},
    {Sign::end_of_word, "auth"},
    {Sign::end_of_word, "cookie"},
    {Sign::end_of_word, "dsn"},
    {Sign::harmless_end, "name"},
    {Sign::harmless_end, "names"},
    {Sign::harmless_end, "file"},
    {Sign::harmless_end, "path"},
    {Sign::harmless_end, "dir"},
    {Sign::harmless_end, "mode"},
    {Sign::harmless_end, "type"},
    {Sign::harmless_end, "kind"},
    {Sign::harmless_end, "ref"},
    {Sign::harmless_end, "ttl"},
    {Sign::harmless_end, "timeout"},
    {Sign::harmless_end, "expiry"},
    {Sign::harmless_end, "seconds"},
    {Sign::harmless_end, "audience"},
    {Sign::harmless_end, "issuer"},
    {Sign::harmless_end, "policy"},
    {Sign::harmless_end, "provider"},
    {Sign::harmless_end, "enabled"},
    {Sign::harmless_end, "count"},
    {Sign::harmless_end, "length"},
    {Sign::harmless_end, "annotation"},
    {Sign::named_value, R"re("([^"\\]+)"\s*:\s*)re"},                    // "token": "x" in JSON
    {Sign::named_anywhere, R"re(([A-Za-z_][\w.\-]*)=)re"},               // --token=x, TOKEN=x, ?token=x&
    {Sign::named_value, R"re(([A-Za-z_][\w.\-]*)\s+=\s+)re"},            // token = x
    {Sign::named_line, R"re(([A-Za-z][\w.\-]*):[ \t]+)re"},              // Authorization: x
    {Sign::named_value, R"re((?:^|[\s"'])--?([A-Za-z][\w.\-]*)\s+)re"},  // --token x
    {Sign::shell_value, R"re(\b(?:export|setenv|declare\s+-x|typeset\s+-x)\s+(\w+)[= ])re"},  // export P=x
    {Sign::shell_value, R"re((?:^|[\s;&|("'])([A-Z_][A-Z0-9_]*)=)re"},                        // P=x command
    {Sign::shell_value,
     R"re((?:^|\s)(?:-u|--user|--proxy-user)[= ]\s*["']?([^\s:"']+):)re"},  // curl -u name:x
    {Sign::attached_value, R"re((?:^|[\s;&|("'])-(p))re"},                  // mysql -px
    {Sign::token, R"re((-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)))re"},
    {Sign::token, R"re(\bBearer\s+([A-Za-z0-9._~+/=\-]{3,}))re"},
    {Sign::token, R"re(\bBasic\s+([A-Za-z0-9+/]*[0-9=][A-Za-z0-9+/=]*))re"},
    {Sign::token, R"re(\b(eyJ[A-Za-z0-9_\-]{5,}(?:\.[A-Za-z0-9_\-]*)*))re"},
    {Sign::token, R"re(\b((?:AKIA|ASIA)[0-9A-Z]{8,}))re"},
    {Sign::token, R"re(\b((?:gh[pousr]_|github_pat_|glpat-|dckr_pat_|npm_|hvs\.|xox[abposr]-)[\w\-]{8,}))re"},
    {Sign::token, R"re(\b((?:hf_|sk-|AIza)[\w\-]{16,}))re"},
    // scheme://user:password@host, scheme://token@host
    {Sign::token, R"re([A-Za-z][A-Za-z0-9+.\-]*://[^\s/?#@:"']*:([^\s/?#"']+)@)re"},
    {Sign::token, R"re([A-Za-z][A-Za-z0-9+.\-]*://([^\s/?#@:"']{16,})@)re"},
    // user:password@registry/image:tag
    {Sign::token, R"re((?:^|[\s"'=(,])[^\s/@:"'=(,]+:([^\s@"'/][^\s@"']*)@)re"},
    {Sign::random_token, R"re(([A-Za-z0-9+=]{20,}))re"},
};

/// How flags begin whose names begin with p.
constexpr std::string_view kFlagsOfP[] = {
    "age", "ar",  "ass", "at",  "ause", "eer",  "er", "id", "ing", "ip",   "lan", "lat", "lug", "od",
    "ol",  "ool", "op",  "ort", "os",   "prof", "re", "ri", "ro",  "rune", "ub",  "ull", "ush", "ython"};
/// A shorter word behind -p is a row of flags: tar -pxf.
constexpr std::size_t kAttachedMin = 4;

constexpr int kDigitsOfRandom = 3;
constexpr std::size_t kPlainNumberMax = 10;

struct Pattern {
  Sign sign;
  std::unique_ptr<re2::RE2> expression;
};

const std::vector<Pattern>& patterns() {
  static const std::vector<Pattern> all = [] {
    std::vector<Pattern> made;
    for (const SecretRow& row : kSecretRows) {
      if (row.sign < Sign::named_anywhere) continue;
      made.push_back(
          {row.sign, std::make_unique<re2::RE2>(re2::StringPiece(row.text.data(), row.text.size()))});
    }
    return made;
  }();
  return all;
}

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter_or_digit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Splits a name into words: "x.io/clientSecret-1" has the words client, secret, 1.
std::vector<std::string> words_of_name(std::string_view name) {
  name.remove_prefix(name.rfind('/') + 1);
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool begins = is_upper(name[i]) && i > 0 && !is_upper(name[i - 1]);
    if ((begins || !is_letter_or_digit(name[i])) && !words.back().empty()) words.emplace_back();
    if (is_letter_or_digit(name[i]))
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
  }
  if (words.back().empty() && words.size() > 1) words.pop_back();
  return words;
}

bool matches(const SecretRow& row, const std::vector<std::string>& words, const std::string& letters) {
  const auto any = [&](const auto& holds) { return std::any_of(words.begin(), words.end(), holds); };
  switch (row.sign) {
    case Sign::part_of_name:
      return letters.find(row.text) != std::string::npos;
    case Sign::word_of_name:
      return any([&](const std::string& word) { return word == row.text; });
    case Sign::end_of_word:
      return any([&](const std::string& word) { return word.ends_with(row.text); });
    default:
      return false;
  }
}

/// Returns true if digits are mixed with letters, as in keys, hashes and base64, but not in words. A digest
/// is not a secret, since it names an image.
bool is_random(std::string_view text, std::string_view before) {
  const auto digits = std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  const bool has_letters = std::any_of(
      text.begin(), text.end(), [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
  return digits >= kDigitsOfRandom && has_letters && !before.ends_with("sha256:");
}

bool is_reference(std::string_view text) {
  return text.find("$(") != std::string_view::npos || text.starts_with('$');
}

/// Returns true for the name of an image with a digest, and for an address of mail, where @ ends no password.
bool is_before_no_host(std::string_view before, std::string_view after) {
  return after.starts_with("@sha256:") || after.starts_with("@sha512:") || before.ends_with("mailto:");
}

bool is_attached_secret(std::string_view value) {
  const bool is_flag = std::any_of(std::begin(kFlagsOfP), std::end(kFlagsOfP),
                                   [&](std::string_view flag) { return value.starts_with(flag); });
  return value.size() >= kAttachedMin && !is_flag && !is_plain(value) && !is_reference(value);
}

bool is_secret(Sign sign, std::string_view value, std::string_view before, std::string_view after) {
  switch (sign) {
    case Sign::attached_value:
      return is_attached_secret(value);
    case Sign::named_anywhere:
    case Sign::named_value:
    case Sign::named_line:
      return !is_plain_beside_secret(value) && !(sign != Sign::named_line && value.starts_with('-'));
    case Sign::shell_value:
      return !is_plain(value) && !is_reference(value);
    case Sign::token:
      return value != "redacted" && !is_reference(value) && !is_before_no_host(before, after);
    default:
      return is_random(value, before);
  }
}

bool is_searched(Sign sign, TextKind kind) {
  const bool is_of_command = sign == Sign::shell_value || sign == Sign::attached_value;
  return sign == Sign::token || sign == Sign::named_anywhere ||
         (is_of_command ? kind == TextKind::command : kind != TextKind::any);
}

/// Returns the value that begins at the position: up to its closing quote, or to the end of the word or the
/// line.
std::string_view value_at(std::string_view text, std::size_t at, Sign sign) {
  if (at >= text.size()) return {};
  const char quote = text[at];
  if (quote != '"' && quote != '\'') {
    std::string_view value = text.substr(at);
    value =
        value.substr(0, value.find_first_of(sign == Sign::named_line ? "\r\n\"'" : " \t\r\n\"'&;,()|[]{}"));
    return value.substr(0, value.find_last_not_of(" \t") + 1);
  }
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != quote) end += text[end] == '\\' ? 2 : 1;
  return text.substr(at + 1, std::min(end, text.size()) - at - 1);
}

/// Adds all matches of one pattern that are secrets.
void find(const Pattern& pattern, std::string_view text, std::vector<std::string_view>& found) {
  const bool has_name = pattern.sign < Sign::token;
  re2::StringPiece parts[2];
  std::size_t at = 0;
  while (at < text.size() && pattern.expression->Match({text.data(), text.size()}, at, text.size(),
                                                       re2::RE2::UNANCHORED, parts, 2)) {
    const std::string_view whole(parts[0].data(), parts[0].size()), group(parts[1].data(), parts[1].size());
    at = static_cast<std::size_t>(whole.data() - text.data()) + std::max<std::size_t>(whole.size(), 1);
    // The value behind a harmless name may contain the name of a secret: -H "Authorization: x"
    if (pattern.sign < Sign::shell_value && !names_a_secret(group)) continue;
    const std::string_view value = has_name ? value_at(text, at, pattern.sign) : group;
    if (value.empty()) continue;
    const auto place = static_cast<std::size_t>(value.data() - text.data());
    if (is_secret(pattern.sign, value, text.substr(0, place), text.substr(place + value.size())))
      found.push_back(value);
    at = std::max(at, place + value.size());
  }
}

}  // namespace

bool names_a_secret(std::string_view name) {
  const auto words = words_of_name(name);
  const auto is_harmless = [&](const SecretRow& row) {
    return row.sign == Sign::harmless_end && words.back() == row.text;
  };
  if (std::any_of(std::begin(kSecretRows), std::end(kSecretRows), is_harmless)) return false;
  std::string letters;
  for (const std::string& word : words) letters += word;
  return std::any_of(std::begin(kSecretRows), std::end(kSecretRows),
                     [&](const SecretRow& row) { return matches(row, words, letters); });
}

bool is_plain_beside_secret(std::string_view text) {
  static constexpr std::string_view kWords[] = {"",   "true", "false", "yes",     "no",
                                                "on", "off",  "null",  "redacted"};
  if (std::find(std::begin(kWords), std::end(kWords), text) != std::end(kWords)) return true;
  if (text.starts_with("$(") && text.find_first_of(" \n") == std::string_view::npos) return true;
  const bool is_path =
      text.front() == '/' && std::all_of(text.begin(), text.end(), [](char c) {
        return is_letter_or_digit(c) || std::string_view("/._-").find(c) != std::string_view::npos;
      });
  return is_path && secrets_in(text, TextKind::value).empty();
}

bool is_plain(std::string_view text) {
  if (is_plain_beside_secret(text)) return true;
  if (text.find("$(") != std::string_view::npos) return secrets_in(text, TextKind::value).empty();
  const auto unit = std::min(text.find_first_not_of("0123456789.-"), text.size());
  return unit > 0 && text.size() <= kPlainNumberMax && text.size() - unit <= 2 &&
         std::all_of(text.begin() + static_cast<std::ptrdiff_t>(unit), text.end(),
                     [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
}

std::vector<std::string_view> secrets_in(std::string_view text, TextKind kind) {
  std::vector<std::string_view> found;
  for (const Pattern& pattern : patterns())
    if (is_searched(pattern.sign, kind)) find(pattern, text, found);
  // Of two overlapping secrets the first one stays, and is extended to the end of the second.
  std::sort(found.begin(), found.end(), [](std::string_view a, std::string_view b) {
    return a.data() != b.data() ? a.data() < b.data() : a.size() > b.size();
  });
  std::vector<std::string_view> apart;
  for (const std::string_view one : found) {
    if (apart.empty() || one.data() >= apart.back().data() + apart.back().size()) {
      apart.push_back(one);
    } else if (one.data() + one.size() > apart.back().data() + apart.back().size()) {
      apart.back() = {apart.back().data(),
                      static_cast<std::size_t>(one.data() + one.size() - apart.back().data())};
    }
  }
  return apart;
}

}  // namespace fixpoint::cases
