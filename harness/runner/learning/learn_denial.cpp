#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/json.h"
#include "harness/document/lower_case.h"
#include "harness/properties/spellings.h"
#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/member_values.h"
#include "harness/runner/learning/text_forms.h"
#include "harness/runner/learning/trigger.h"
#include "harness/runner/learning/usual_texts.h"

namespace fixpoint::runner {

namespace {

using Where = Trigger::Where;

constexpr std::size_t kMessageMax = 4096;

bool is_of_key(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.' || c == '/';
}
/// Phrases after which a message lists the legal values.
constexpr std::array<std::string_view, 10> kListings{"one of",    "none of",   "not in",  "must be",
                                                     "expected",  "supported", "allowed", "valid values",
                                                     "known are", "available"};

bool is_quote(char c) { return c == '"' || c == '\'' || c == '`'; }

/// A word of a message, without the full stop after it.
struct Word {
  std::string text;
  bool is_quoted;
  bool follows_a_blank;  ///< only a blank separates it from the previous word
  bool follows_a_colon;  ///< what is said of the previous word
  std::string before;    ///< the previous word, in lower case
};

std::vector<Word> words_of(std::string_view message) {
  std::vector<Word> words;
  bool follows_a_blank = true, follows_a_colon = false;
  for (std::size_t at = 0; at < message.size();) {
    if (!is_of_key(message[at])) {
      follows_a_blank = follows_a_blank && message[at] == ' ';
      follows_a_colon = follows_a_colon || message[at] == ':' || message[at] == '=';
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < message.size() && is_of_key(message[end])) ++end;
    std::string_view text = message.substr(at, end - at);
    const bool is_quoted =
        at > 0 && is_quote(message[at - 1]) && end < message.size() && is_quote(message[end]);
    while (!is_quoted && text.size() > 1 && (text.back() == '.' || text.back() == '/')) text.remove_suffix(1);
    words.push_back({std::string(text), is_quoted, follows_a_blank, follows_a_colon,
                     words.empty() ? "" : document::lower_case(words.back().text)});
    follows_a_blank = true;
    follows_a_colon = false;
    at = end;
  }
  return words;
}

/// Returns true for a key with a DNS prefix: example.com/name.
bool has_prefix(std::string_view text) {
  const auto slash = text.find('/'), dot = text.find('.');
  const bool is_one = slash != std::string_view::npos && text.find('/', slash + 1) == std::string_view::npos;
  return is_one && dot < slash && dot > 0 && slash + 1 < text.size() && slash > dot + 1 &&
         std::isalpha(static_cast<unsigned char>(text[slash - 1])) != 0 &&
         std::isalnum(static_cast<unsigned char>(text.back())) != 0;
}

/// Makes a rare key common if the message names it: the webhook looked for it.
void promote(Vocabulary& words, const std::vector<Word>& said) {
  for (const Trigger& trigger : triggers_of(words)) {
    if (!trigger.is_rare || trigger.where == Where::field) continue;
    const std::string name = document::lower_case(properties::name_of_key(trigger.key));
    const bool is_said = std::any_of(
        said.begin(), said.end(), [&](const Word& word) { return document::lower_case(word.text) == name; });
    if (!is_said || name.size() < 3) continue;
    for (const std::string& value : trigger.values) learn_trigger(words, trigger.where, trigger.key, value);
  }
}

/// Returns the words of a list with separators: "dev, staging or prod". The list ends before the first word
/// that only a blank separates from the previous one, and has at most so many.
std::vector<std::string> list_at_begin_of(std::string_view text, std::size_t most) {
  std::vector<std::string> values;
  bool is_joined = true;
  for (const Word& word : words_of(text)) {
    constexpr std::array<std::string_view, 7> kJoining{"or", "and", "one", "of", "the", "are", "is"};
    const bool joins = std::ranges::find(kJoining, word.text) != kJoining.end();
    if ((!joins && !is_joined && word.follows_a_blank) || values.size() >= most) break;
    if (!joins) values.push_back(word.text);
    is_joined = joins;
  }
  return values;
}

/// Returns the members of which a message wants exactly one: "exactly one of [sklearn, model] must be set".
std::vector<std::string> alternatives_in(std::string_view message) {
  constexpr std::size_t kMost = 16;
  const std::string text = document::lower_case(message);
  for (const std::string_view phrase : {"exactly one of", "only one of"}) {
    const auto at = text.find(phrase);
    if (at == std::string::npos) continue;
    const std::string_view rest = message.substr(at + phrase.size());
    std::vector<std::string> members = list_at_begin_of(rest.substr(0, rest.find(']')), kMost);
    for (std::string& member : members) member.erase(0, member.rfind('.') + 1);
    if (members.size() > 1) return members;
  }
  return {};
}

/// Returns the members that a message names by their paths: `timeOffset` of "spec.timeOffset: Invalid value".
std::vector<std::string> members_named_in(const std::vector<Word>& said) {
  std::vector<std::string> members;
  for (const Word& word : said) {
    const auto dot = word.text.rfind('.');
    if (word.text.starts_with("spec.") && dot + 1 < word.text.size())
      members.push_back(word.text.substr(dot + 1));
  }
  return members;
}

/// Returns the legal values that a message lists: "must be one of dev, staging or prod".
std::vector<std::string> listed_in(std::string_view message) {
  const std::string text = document::lower_case(message);
  std::size_t begin = 0;
  for (const std::string_view listing : kListings) {
    const auto at = text.rfind(listing);
    if (at != std::string::npos) begin = std::max(begin, at + listing.size());
  }
  if (begin == 0) return {};
  constexpr std::size_t kListedMax = 8;
  auto values = list_at_begin_of(message.substr(begin), kListedMax);
  return values.size() > 1 ? values : std::vector<std::string>();
}

/// Returns the forms that a message describes, filled in: `safe:path#key` of "must be safe:<path>#<key>".
std::vector<std::string> forms_in(std::string_view message) {
  constexpr std::size_t kFormsMax = 4, kLongest = 64;
  constexpr std::string_view kEnds = " \t\"'`,;";
  std::vector<std::string> forms;
  while (!message.empty() && forms.size() < kFormsMax) {
    const std::string_view token = message.substr(0, message.find_first_of(kEnds));
    const auto open = token.find('<'), close = token.find('>');
    const bool is_form = open != std::string_view::npos && close != std::string_view::npos && open < close;
    std::string form;
    for (const char c : token)
      if (c != '<' && c != '>') form += c;
    while (!form.empty() && (form.back() == '.' || form.back() == ')' || form.back() == ':')) form.pop_back();
    // A placeholder alone describes nothing.
    if (is_form && form.size() <= kLongest && (open > 0 || close + 1 < token.size()))
      forms.push_back(std::move(form));
    message.remove_prefix(std::min(token.size() + 1, message.size()));
  }
  return forms;
}

/// Teaches the legal values of a key that the message speaks of by the words of its name: "node pool x is not
/// known; known are a, b" of example.com/node-pool.
void learn_listed(Vocabulary& words, std::string_view text, const std::vector<std::string>& listed) {
  for (const Trigger& trigger : triggers_of(words)) {
    if (trigger.where == Where::field || trigger.where == Where::user) continue;
    std::string name = document::lower_case(properties::name_of_key(trigger.key));
    std::ranges::replace(name, '-', ' ');
    std::ranges::replace(name, '_', ' ');
    if (name.size() < 3 || text.find(name) == std::string_view::npos) continue;
    for (const std::string& value : listed) learn_trigger(words, trigger.where, trigger.key, value);
  }
}

/// Teaches the forms that a message describes: as values of the keys that it names, and of variables.
void learn_forms(Vocabulary& words, std::string_view message, std::string_view text,
                 std::vector<std::string>& values) {
  for (const std::string& form : forms_in(message)) {
    values.push_back(form);
    if (text.find("env") != std::string_view::npos)
      learn_trigger(words, Where::field, "spec.containers[*].env",
                    document::write_json(Value::list({Value{{"name", "TEXT"}, {"value", form}}})));
  }
}

}  // namespace

void learn_from_denial(Vocabulary& words, std::string_view message) {
  message = message.substr(0, kMessageMax);
  const std::vector<Word> said = words_of(message);
  const std::string text = document::lower_case(message);
  const bool is_of_label = text.find("label") != std::string::npos;
  const bool is_of_annotation = text.find("annotation") != std::string::npos || !is_of_label;
  const bool is_of_namespace = text.find("namespace") != std::string::npos;
  std::vector<std::string> keys, values;
  for (const Word& word : said) {
    // `the annotation "limit"` names a key, and `annotation: "64Mi"` the value of one.
    const bool is_named = (word.before == "label" || word.before == "annotation") && !word.follows_a_colon &&
                          is_name(word.text);
    if (has_prefix(word.text) || (word.is_quoted && is_named))
      keys.push_back(word.text);
    else if (word.is_quoted)
      values.push_back(word.text);
  }
  const std::vector<std::string> listed = listed_in(message);
  values.insert(values.end(), listed.begin(), listed.end());
  learn_listed(words, text, listed);
  learn_forms(words, message, text, values);
  const auto learn = [&](Where where, const std::string& key) {
    learn_trigger(words, where, key, std::nullopt);
    for (const std::string& value : values) learn_trigger(words, where, key, value);
  };
  for (const std::string& key : keys) {
    if (is_of_annotation) learn(Where::annotation, key);
    if (is_of_label) learn(Where::label, key);
    if (is_of_namespace && is_of_annotation) learn(Where::namespace_annotation, key);
    if (is_of_namespace && is_of_label) learn(Where::namespace_label, key);
  }
  constexpr std::size_t kAlternativesMax = 8;
  if (auto members = alternatives_in(message);
      !members.empty() && words.alternatives.size() < kAlternativesMax &&
      std::ranges::find(words.alternatives, members) == words.alternatives.end())
    words.alternatives.push_back(std::move(members));
  const auto usual = usual_texts("", message).texts;
  for (const std::string& member : members_named_in(said)) {
    for (const std::string& value : listed) learn_member_value(words, member, value);
    for (const char* value : usual) learn_member_value(words, member, value);
  }
  const bool is_of_data =
      text.find("secret") != std::string::npos || text.find("configmap") != std::string::npos;
  for (const Word& word : said) {
    if (is_of_data && word.before == "key") learn_data_key(words, word.text);
  }
  promote(words, said);
}

}  // namespace fixpoint::runner
