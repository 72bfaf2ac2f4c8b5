#include <algorithm>
#include <array>
#include <cctype>
#include <deque>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/document/json.h"
#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/learn_fields.h"
#include "harness/runner/learning/literal_forms.h"
#include "harness/runner/learning/manifest_pairs.h"
#include "harness/runner/learning/member_values.h"
#include "harness/runner/learning/open_keys.h"
#include "harness/runner/learning/pattern_text.h"
#include "harness/runner/learning/program_lines.h"
#include "harness/runner/learning/text_forms.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::runner {

namespace {

/// Bounds for one program, so that accidental words do not crowd out the relevant ones.
constexpr std::size_t kProgramKeysMax = 60, kCommonKeysMax = 24, kPrefixesMax = 4, kLooseMax = 6,
                      kNearMax = 8;
constexpr std::size_t kListedMax = 8, kFragmentsMax = 16, kPartsMax = 6, kWordBytesMax = 32,
                      kKeysOfPattern = 6, kDashedMax = 20, kTextsMax = 40;
/// The lines around a key in which other literals probably belong to it.
constexpr std::size_t kNearLines = 12;
/// Legal in an annotation, and not in a label or the name of an object's port.
constexpr const char* kLongName =
    "a-subdomain.that-is-longer-than.any-label.of-the-name-may-be-itself.example-1";

/// The certainty that a literal is a key. Surer keys are learned first, so that they are tried first; from
/// `any_literal` on a key is rare.
enum class Certainty : std::uint8_t { looked_up, declared, any_literal, plain_word };

struct Key {
  std::string name = {};
  bool is_label = true, is_annotation = true;
  Certainty certainty = Certainty::any_literal;
  std::vector<std::string> values = {};                          ///< beside the key
  std::vector<std::pair<std::string, std::size_t>> places = {};  ///< files with lines
};

/// Texts that may be values of any key: those of comparisons, of lists, the keys of tables, and texts of
/// several parts, by a pattern or by a separator between names of the Pod's own.
struct Guesses {
  const std::vector<std::string>&loose, &listed, &tables, &parts;
};

/// A literal that may be a value of keys near it.
struct Word {
  std::string text;
  std::string path;
  std::size_t line;
};

template <class Text>
void note(std::vector<Text>& values, std::size_t most, std::string_view value) {
  if (values.size() < most && std::find(values.begin(), values.end(), Text(value)) == values.end())
    values.emplace_back(value);
}

std::string place_of(const ProgramLine& line) {
  return std::string(line.path) + ":" + std::to_string(line.number);
}

/// The keys of a program, and the literals that may be values of those near them.
class Keys {
 public:
  explicit Keys(Vocabulary& words) : words_(words) {}

  /// Learns a key. A name with an open end stands for all names that begin with it.
  Key* learn_key(const std::string& prefix, std::string_view text, const Key& kind, const ProgramLine& line) {
    std::string name = prefix + std::string(text);
    if (name.find_last_of("-_.") == name.size() - 1) {
      // Two names that differ in punctuation only are equal to a program that makes a variable of them.
      for (const char* end : {"a.b", "a-b"}) learn_key(prefix, std::string(text) + end, kind, line);
      name += 'a';
    }
    if (!is_name(std::string_view(name).substr(name.find('/') + 1))) return nullptr;
    constexpr std::size_t kKeysMax = 1000, kPlacesMax = 8;
    auto there = std::find_if(keys_.begin(), keys_.end(), [&](const Key& one) { return one.name == name; });
    if (there == keys_.end()) {
      if (keys_.size() >= kKeysMax) return nullptr;
      keys_.push_back(kind);
      there = std::prev(keys_.end());
      there->name = name;
    }
    if (there->places.empty()) words_.places.emplace(name, place_of(line));
    if (kind.certainty < there->certainty) {
      there->certainty = kind.certainty;
      if (kind.certainty == Certainty::looked_up) {
        there->is_label = kind.is_label, there->is_annotation = kind.is_annotation;
        words_.places.insert_or_assign(name, place_of(line));
      }
    } else if (kind.certainty == there->certainty) {
      there->is_label = there->is_label || kind.is_label;
      there->is_annotation = there->is_annotation || kind.is_annotation;
    }
    if (there->places.size() < kPlacesMax) there->places.emplace_back(line.path, line.number);
    return &*there;
  }

  void note_near(std::string_view text, const ProgramLine& line) {
    constexpr std::size_t kWordsMax = 2000;
    if (near_.size() < kWordsMax && !is_variable(text))
      near_.push_back({std::string(text), std::string(line.path), line.number});
  }

  /// Takes out the names of resources that are looked up nowhere, and keeps the surest of the others.
  void choose(const std::vector<std::string>& resources) {
    std::erase_if(keys_, [&](const Key& key) {
      const bool is_resource = std::find(resources.begin(), resources.end(), key.name) != resources.end();
      return is_resource && key.certainty != Certainty::looked_up;
    });
    std::stable_sort(keys_.begin(), keys_.end(),
                     [](const Key& a, const Key& b) { return a.certainty < b.certainty; });
    if (keys_.size() > kProgramKeysMax) keys_.resize(kProgramKeysMax);
  }
  /// Learns the values of all keys: their own, and those that may be anybody's.
  void learn_values(const Guesses& guesses) {
    std::size_t common = 0;
    for (const Key& key : keys_) {
      const bool is_rare = key.certainty >= Certainty::any_literal || ++common > kCommonKeysMax;
      learn_values(key, is_rare, guesses);
    }
  }
  /// Returns the names, and behind them the keys that may be one of a resource.
  std::vector<std::string> behind(std::vector<std::string> names) const {
    for (const Key& key : keys_)
      if (is_prefixed_key(key.name)) note(names, kProgramKeysMax, key.name);
    return names;
  }

 private:
  /// Returns the literals near the places of a key, the nearest first.
  std::vector<std::string> near(const Key& key) const {
    std::vector<std::pair<std::size_t, std::string>> found;
    for (const Word& word : near_) {
      for (const auto& [path, line] : key.places) {
        const std::size_t distance = std::max(line, word.line) - std::min(line, word.line);
        if (path == word.path && distance <= kNearLines) found.emplace_back(distance, word.text);
      }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> texts;
    for (const auto& [distance, text] : found) note(texts, kNearMax, text);
    return texts;
  }

  void learn_values(const Key& key, bool is_rare, const Guesses& guesses) {
    for (const std::string& value : key.values) tell(key, value, is_rare);
    if (key.values.empty()) {
      tell(key, kValuesOfAnyKey[0], is_rare);
      for (const std::string& value : guesses.tables) tell(key, value, is_rare);
    }
    for (const std::string_view value : kValuesOfAnyKey) tell(key, value, is_rare);
    for (const std::string& value : guesses.loose) tell(key, value, is_rare);
    if (key.is_annotation && key.values.empty() && key.certainty <= Certainty::declared)
      for (const std::string& value : guesses.parts) tell_one(key, value, true);
    for (const std::string& value : near(key)) tell(key, value, true);
    for (const std::string& value : guesses.listed) tell_one(key, value, true);
    if (!key.is_annotation) return;
    learn_trigger(words_, Trigger::Where::annotation, key.name, kLongName, true);
    if (key.values.empty() && key.certainty <= Certainty::declared)
      learn_trigger(words_, Trigger::Where::annotation, key.name, kContainerNames, is_rare);
  }

  /// Learns a value of a key; values that switch a webhook off become rare.
  void tell(const Key& key, std::string_view value, bool is_rare) {
    is_rare = is_rare || is_opt_out(key.name);
    if (is_negative(value)) tell_one(key, "true", is_rare);
    tell_one(key, value, is_rare || is_negative(value));
  }
  void tell_one(const Key& key, std::string_view value, bool is_rare) {
    using Where = Trigger::Where;
    if (key.is_label && is_name(value)) learn_trigger(words_, Where::label, key.name, value, is_rare);
    if (key.is_annotation) learn_trigger(words_, Where::annotation, key.name, value, is_rare);
  }

  Vocabulary& words_;
  std::vector<Word> near_ = {};
  std::deque<Key> keys_ = {};  ///< whose elements stay where they are
};

Key kind_of_line(const ProgramLine& line) {
  const auto has = [&](std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return line.text.find(word) != std::string_view::npos; });
  };
  const bool has_label = has({"label", "Label", "LABEL"}), has_annotation = has({"annot", "Annot", "ANNOT"});
  return {
      .name = "", .is_label = has_label || !has_annotation, .is_annotation = has_annotation || !has_label};
}

/// Returns the texts of a list of beginnings, such as `["vault:", "arn:aws:ssm"]`: programs compare texts
/// with each.
std::vector<std::string> beginnings_of(const ProgramLine& line) {
  constexpr std::size_t kLeast = 3;
  std::vector<std::string> texts;
  bool is_open = false;
  for (const auto& [text, before, after, is_constant] : line.literals) {
    const bool has_form = text.size() >= kLeast && text.size() <= kWordBytesMax &&
                          text.find(' ') == std::string::npos &&
                          text.find_first_of(":@") != std::string::npos;
    if (!has_form || !has_end_of(before, {"[", "{", "(", ",", "="})) continue;
    is_open = is_open || has_end_of(text, {":", "@", "://"}) || text.front() == '@';
    texts.push_back(text);
  }
  return is_open ? texts : std::vector<std::string>();
}

/// Learns a variable, or a path, that the text is.
void learn_words(Vocabulary& words, std::string_view text) {
  Value container = Value::empty_object();
  if (is_variable(text)) container.set("env", Value::list({Value{{"name", text}}}));
  if (is_path(text)) {
    if (text.ends_with('/')) text.remove_suffix(1);
    container.set("volumeMounts", Value::list({Value{{"mountPath", text}}}));
  }
  if (container.empty()) return;
  learn_from_pod(words, {{"spec", {{"containers", Value::list({container})}}}});
}

/// Returns texts of which the separator makes names of the Pod's own; none of one that stands between the
/// elements of a list.
std::vector<std::string> names_joined_by(const std::string& separator) {
  if (separator.find_first_of(",; \n") != std::string::npos) return {};
  const std::string container = std::string(kContainerName) + separator, path(kPathInVolume),
                    volume = std::string(kVolumeName) + separator;
  return {volume + path, container + volume + path, container + path};
}

/// Returns true for a text of a pattern with which programs go through the keys of a map: dataset.0.id. A
/// number with a unit is none.
bool is_key_of_pattern(const std::string& text) {
  const bool is_number = std::isdigit(static_cast<unsigned char>(text.front())) != 0;
  const bool has_parts = !is_number && text.find_first_of("./") != std::string::npos;
  return is_prefixed_key(text) || (has_parts && is_name(text) && !is_field_of_pod(text));
}

/// Returns the texts of the lists, one list after the other, at most so many.
std::vector<std::string> firsts_of(std::initializer_list<const std::vector<std::string>*> lists,
                                   std::size_t most) {
  std::vector<std::string> all;
  for (const auto* list : lists)
    for (const std::string& text : *list) note(all, most, text);
  return all;
}

/// The keys and values of a program, read line by line.
class Program {
 public:
  Program(Vocabulary& words, const ProgramLines& lines) : words_(words), lines_(lines), keys_(words) {}

  void read(std::span<const ProgramText> texts) {
    lines_.each([&](const ProgramLine& line) { find_prefixes(line); });
    lines_.each([&](const ProgramLine& line) { read_line(line); });
    for (const OpenKey& key : open_keys_of(lines_)) {
      const Key kind = kind_of_line({.text = key.around});
      keys_.learn_key(key.prefix, key.name, kind, {.path = key.path, .number = key.line});
    }
    for (const ProgramText& file : texts) {
      if (is_manifest_text(file.path))
        each_pair(file, [&](const ManifestPair& pair) { read_pair(pair, file.path); });
    }
    for (const std::string& text : beginnings_) note(words_.names[NameKind::fragment], kFragmentsMax, text);
    for (const std::string& name : dashed_) note(words_.constants, kListedMax, name);
    keys_.choose(resources_);
    keys_.learn_values({.loose = loose_, .listed = listed_, .tables = tables_, .parts = parts_});
  }

  /// The names that fields may hold, those of lists and comparisons first, since others may mean anything.
  std::vector<std::string> names() const { return firsts_of({&listed_, &loose_, &names_}, kListedMax); }
  /// Those that a member of any object may hold: also the keys of tables, and names of several words.
  std::vector<std::string> texts() const {
    return firsts_of({&listed_, &loose_, &names_, &tables_, &dashed_}, kTextsMax);
  }
  /// The names of extended resources: those that it looks up first.
  std::vector<std::string> resources() const { return keys_.behind(resources_); }

 private:
  void find_prefixes(const ProgramLine& line) {
    for (const Literal& literal : line.literals) {
      std::string_view domain = literal.text;
      if (domain.ends_with('/')) domain.remove_suffix(1);
      if (is_prefix_of_keys(domain)) note(prefixes_, kPrefixesMax, std::string(domain) + "/");
    }
  }

  void read_line(const ProgramLine& line) {
    const Key kind = kind_of_line(line);
    Key* last = nullptr;
    note_list(line);
    for (const std::string& text : beginnings_of(line)) note(beginnings_, kListedMax, text);
    for (const std::string& key : keys_of_table(line)) note(tables_, kLooseMax, key);
    for (const Literal& literal : line.literals) {
      learn_words(words_, literal.text);
      note_name(literal.text);
      if (is_constant_name(literal.text)) note(dashed_, kDashedMax, literal.text);
      const MapKind map = lines_.map_of(literal);
      if (map == MapKind::data) learn_data_key(words_, literal.text);
      if (map == MapKind::resource && is_prefixed_key(literal.text)) note_resource(literal.text, line);
      if (Key* key = learn_keys(literal, map, kind, line)) {
        last = key;
        continue;
      }
      note_fragment(literal, line);
      if (is_separator(literal)) note_parts(literal.text, line);
      const bool is_value = has_end_of(literal.before, {"=", ",", "(", "[", ":", "=>", "{"});
      if (!is_value || !is_name(literal.text) || literal.text.size() > kWordBytesMax ||
          is_way_to_maps(literal.text))
        continue;
      const bool is_compared = has_end_of(literal.before, {"==", "!="});
      if (last != nullptr && !literal.before.ends_with('{'))
        note(last->values, kTriggerValuesMax, literal.text);
      else if (is_compared)
        note(loose_, kLooseMax, literal.text);
      if (is_compared || literal.before.ends_with('(')) keys_.note_near(literal.text, line);
    }
  }

  /// A pair of a manifest: its author knows the key, which need not be one of the webhook.
  void read_pair(const ManifestPair& pair, std::string_view path) {
    if (pair.map == MapKind::resource) return note_resource(pair.key, {.path = path, .number = pair.line});
    const Key kind{.is_label = pair.map != MapKind::annotation, .is_annotation = pair.map != MapKind::label};
    Key* key = keys_.learn_key("", pair.key, kind, {.path = path, .number = pair.line});
    constexpr std::size_t kLongest = 128;
    if (key != nullptr && !pair.value.empty() && pair.value.size() <= kLongest)
      note(key->values, kTriggerValuesMax, pair.value);
  }

  void note_resource(std::string_view name, const ProgramLine& line) {
    note(resources_, kListedMax, name);
    words_.places.emplace(limit_path(name), place_of(line));
  }

  /// The names of one list are often all legal values of a key.
  void note_list(const ProgramLine& line) {
    std::vector<std::string_view> names;
    for (const Literal& literal : line.literals) {
      const bool is_in_list = has_end_of(literal.before, {",", "[", "(", "{", "case"});
      if (is_in_list && is_name(literal.text) && literal.text.size() <= kWordBytesMax &&
          !is_field_of_pod(literal.text))
        names.push_back(literal.text);
    }
    if (names.size() < 2) return;
    for (const std::string_view name : names) {
      note(listed_, kListedMax, name);
      keys_.note_near(name, line);
    }
  }

  /// Notes a name like s3-reader, or payments/s3-reader.
  void note_name(std::string_view text) {
    if (const auto slash = text.find('/'); slash != std::string_view::npos && is_name(text.substr(0, slash)))
      text.remove_prefix(slash + 1);
    if (is_name_of_object(text)) note(names_, kListedMax, text);
  }

  /// Notes texts of two parts and of one, for values that the program splits.
  void note_parts(const std::string& separator, const ProgramLine& line) {
    for (const std::string& text : {"one" + separator + "two", std::string("one"), "one" + separator})
      keys_.note_near(text, line);
    for (const std::string& text : names_joined_by(separator)) note(parts_, kPartsMax, text);
  }

  /// Notes a part of a text that the program searches for: it is put into texts, and into values near it.
  void note_fragment(const Literal& literal, const ProgramLine& line) {
    constexpr std::size_t kLongest = 64, kLongestPattern = 256;
    const std::string& text = literal.text;
    const bool counts = text.size() <= (is_pattern(literal) ? kLongestPattern : kLongest) &&
                        (is_searched(literal) || is_pattern(literal));
    // A constant that ends with a slash begins keys: find_prefixes.
    const bool is_of_keys = literal.is_constant && (text.ends_with('/') || is_prefixed_key(text));
    if (text.size() < 2 || is_of_keys || !counts) return;
    if (is_field_of_pod(text) || lines_.map_of(literal) != MapKind::unknown) return;
    if (is_pattern(literal)) {
      const auto matching = texts_matching(text, kKeysOfPattern);
      if (matching.empty()) return;
      Key kind = kind_of_line(line);
      kind.certainty = Certainty::declared;
      for (const std::string& key : matching)
        if (is_key_of_pattern(key)) keys_.learn_key("", key, kind, line);
      note(words_.names[NameKind::fragment], kFragmentsMax, matching.front());
      note(words_.texts, kListedMax, matching.front());
      if (matching.front().find_first_of(":=") != std::string::npos)
        note(parts_, kPartsMax, matching.front());
      return keys_.note_near(matching.front(), line);
    }
    note(words_.names[NameKind::fragment], kFragmentsMax, text);
    keys_.note_near(text + "x", line);
  }

  /// Returns the key of labels or annotations that the literal is, or whose end it is.
  Key* learn_keys(const Literal& literal, MapKind map, Key kind, const ProgramLine& line) {
    const std::string_view text = literal.text;
    const bool is_looked_up = map == MapKind::label || map == MapKind::annotation;
    if (is_looked_up) kind.is_label = map == MapKind::label, kind.is_annotation = !kind.is_label;
    const bool is_declared = has_end_of(literal.before, {"=", "{", ",", "("}) || literal.is_constant ||
                             literal.after.starts_with(':') || literal.after.starts_with(" =>");
    kind.certainty = is_looked_up  ? Certainty::looked_up
                     : is_declared ? Certainty::declared
                                   : Certainty::any_literal;
    const auto whole = with_holes_filled(text);
    if (whole && (is_prefixed_key(*whole) || (is_looked_up && is_name(*whole))))
      return keys_.learn_key("", *whole, kind, line);
    const auto slash = text.find('/');
    const std::string_view prefix = slash == std::string_view::npos ? "" : text.substr(0, slash);
    // A prefix need not have a dot, gke-gcsfuse/volumes: one of a key that is looked up is one.
    if ((is_domain(prefix) || (is_looked_up && is_name(prefix))) && !is_version(text.substr(slash + 1)))
      return keys_.learn_key("", text, kind, line);
    // A key need not have a prefix: sidecar.example.com.
    if (!is_looked_up && is_prefix_of_keys(text) && !literal.is_constant && !is_searched(literal)) {
      kind.certainty = Certainty::any_literal;
      return keys_.learn_key("", text, kind, line);
    }
    if (const auto brace = text.rfind('}'); brace != std::string_view::npos && text.find('{') < brace)
      return learn_ends(text.substr(brace + 1), kind, line);
    if (literal.before.ends_with('+')) return learn_ends(text, kind, line);
    if (!is_name(text) || text == "labels" || text == "annotations") return nullptr;
    if (is_looked_up) return keys_.learn_key("", text, kind, line);
    if (is_field_of_pod(text)) return nullptr;
    const auto value = literal.after.find_first_not_of(": ");
    const bool has_value = literal.after.starts_with(':') && value != std::string_view::npos &&
                           (literal.after[value] == '"' || literal.after[value] == '\'');
    if (is_declared && has_value && line.text.find("elector") != std::string_view::npos)
      return keys_.learn_key("", text, {.is_annotation = false, .certainty = Certainty::declared}, line);
    // The map may be any: a guess.
    const bool is_perhaps_a_key = literal.is_constant && map == MapKind::unknown &&
                                  has_end_of(literal.before, {"[", "get(", "Get(", "has(", "ey("});
    kind.certainty = Certainty::plain_word;
    return is_perhaps_a_key ? keys_.learn_key("", text, kind, line) : nullptr;
  }
  Key* learn_ends(std::string_view end, const Key& kind, const ProgramLine& line) {
    if (end.starts_with('/')) end.remove_prefix(1);
    Key* key = nullptr;
    if (is_file_name(end)) return key;
    for (const std::string& prefix : prefixes_) {
      if (Key* one = keys_.learn_key(prefix, end, kind, line)) key = one;
    }
    return key;
  }

  Vocabulary& words_;
  const ProgramLines& lines_;
  std::vector<std::string> prefixes_ = {}, loose_ = {}, listed_ = {}, tables_ = {}, names_ = {},
                           resources_ = {}, beginnings_ = {}, parts_ = {}, dashed_ = {};
  Keys keys_;
};

/// Values for the keys of an executable, and the number of keys that are also tried in other places than an
/// annotation.
constexpr const char* kValuesOfExecutable[] = {"true", "enabled", "1", "64Mi"};
constexpr std::size_t kOtherPlacesMax = 16;

}  // namespace

void learn_from_keys(Vocabulary& words, const std::vector<std::string>& keys) {
  using enum Trigger::Where;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (const Trigger::Where where : {annotation, label, namespace_annotation, namespace_label}) {
      if (where != annotation && i >= kOtherPlacesMax) continue;
      for (const char* value : kValuesOfExecutable) learn_trigger(words, where, keys[i], value, true);
    }
  }
}

void learn_from_program(Vocabulary& words, std::span<const ProgramText> texts) {
  const ProgramLines lines(texts);
  Program program(words, lines);
  program.read(texts);
  const std::vector<std::string> names = program.names(), resources = program.resources();
  learn_fields_of_program(words, texts, {names, resources});
  learn_member_values(words, lines);
  learn_named_members(words, lines);
  for (const std::string& text : program.texts()) note(words.texts, kTextsMax, text);
}

void learn_from_program(Vocabulary& words, std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return;
  const ProgramText program{"", std::string(text)};
  learn_from_program(words, {&program, 1});
}

}  // namespace fixpoint::runner
