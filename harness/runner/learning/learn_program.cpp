#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/apiserver/types/pod_types.h"
#include "harness/document/lower_case.h"
#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/learn_fields.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::runner {

namespace {

/// Bounds for one program, so that accidental words do not crowd out the relevant ones.
constexpr std::size_t kProgramKeysMax = 24, kPrefixesMax = 4, kLooseMax = 6;
constexpr std::size_t kListedMax = 8;
constexpr std::size_t kLineMax = 2000;
/// Legal in an annotation, and not in a label or the name of an object's port.
constexpr const char* kLongName =
    "a-subdomain.that-is-longer-than.any-label.of-the-name-may-be-itself.example-1";
/// Values for any key: a switch, a number, an amount.
constexpr const char* kValuesOfAnyKey[] = {"true", "1", "64Mi"};

bool is_alnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

template <class Test>
bool is_word(std::string_view text, std::size_t longest, const Test& is_inner) {
  return !text.empty() && text.size() <= longest && is_alnum(text.front()) && is_alnum(text.back()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return is_alnum(c) || is_inner(c); });
}
/// Returns true for a text like secrets.example.com.
bool is_domain(std::string_view text) {
  return text.find('.') != std::string_view::npos &&
         is_word(text, 253, [](char c) { return c == '-' || c == '.'; }) &&
         std::none_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}
bool is_name(std::string_view text) {
  return is_word(text, 63, [](char c) { return c == '-' || c == '_' || c == '.'; });
}
/// Returns true for v1 or v1beta1: the version of an API group is not a key.
bool is_version(std::string_view text) {
  return text.size() > 1 && text[0] == 'v' && text[1] >= '0' && text[1] <= '9';
}
/// Returns true for a name like APP_MODE.
bool is_variable(std::string_view text) {
  return text.size() < 64 && text.find('_') != std::string_view::npos &&
         text.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 0 &&
         std::all_of(
             text.begin(), text.end(),
             [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}
/// Returns true for an absolute path that is not a pointer into a Pod.
bool is_path(std::string_view text) {
  for (const char* root : {"/spec", "/metadata", "/status"}) {
    if (text.starts_with(root)) return false;
  }
  return text.size() > 2 && text.size() < 200 && text[0] == '/' && is_lower_or_digit(text[1]) &&
         text.find("//") == std::string_view::npos &&
         std::all_of(
             text.begin(), text.end(),
             [](char c) { return is_alnum(c) || c == '/' || c == '.' || c == '-' || c == '_'; });
}
/// Returns true for a value that switches something off.
bool is_negative(std::string_view text) {
  constexpr std::string_view kWords[] = {"false", "no", "off", "disabled", "disable", "skip", "none", "0"};
  return std::find(std::begin(kWords), std::end(kWords), text) != std::end(kWords);
}

/// Returns true for a key whose presence keeps a webhook from acting: example.com/skip.
bool is_opt_out(std::string_view key) {
  constexpr std::string_view kWords[] = {"skip", "disable", "ignore", "exclude", "opt-out"};
  const std::string_view name = key.substr(std::min(key.find('/') + 1, key.size()));
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

constexpr std::string_view kLabel = "label", kAnnotation = "annot";

/// Returns the end of the name of the map in which a key is looked up, in lower case, from the text before
/// the key: `labels["x"]`, `annotations.get("x")`, `metadata["labels"].get("x")`. Empty if it is not looked
/// up.
std::string name_of_map(std::string_view before) {
  if (before.ends_with("get("))
    before.remove_suffix(4);
  else if (before.ends_with('['))
    before.remove_suffix(1);
  else
    return "";
  constexpr std::size_t kNameOfMap = 16;
  return document::lower_case(before.substr(before.size() - std::min(before.size(), kNameOfMap)));
}
bool is_looked_up(std::string_view before) {
  const std::string map = name_of_map(before);
  return map.find(kLabel) != std::string::npos || map.find(kAnnotation) != std::string::npos;
}
/// Returns true for a key of a Secret's or ConfigMap's data: `secret.Data["x"]`, `data.get("x")`.
bool is_of_data(std::string_view before) {
  const std::string map = name_of_map(before);
  return map.find("data") != std::string::npos && map.find("metadata") == std::string::npos;
}

void collect_fields(const apiserver::Type& type, std::set<std::string_view>& names) {
  for (const apiserver::Field& field : type.fields) {
    names.insert(field.name.text);
    if (field.type != nullptr) collect_fields(*field.type, names);
  }
}

/// Returns true for the name of a member anywhere in a Pod: programs list the members that they walk.
bool is_field_of_pod(std::string_view name) {
  static const std::set<std::string_view> kNames = [] {
    std::set<std::string_view> names;
    collect_fields(apiserver::kPod, names);
    return names;
  }();
  return kNames.contains(name);
}

struct Quoted {
  std::string_view text;
  std::string_view before, after;  ///< the text around it on its line
};

std::vector<Quoted> quoted_in(std::string_view line) {
  std::vector<Quoted> all;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] != '"' && line[at] != '\'' && line[at] != '`') continue;
    const auto end = line.find(line[at], at + 1);
    if (end == std::string_view::npos) break;
    std::string_view before = line.substr(0, at);
    while (!before.empty() && before.back() == ' ') before.remove_suffix(1);
    all.push_back({line.substr(at + 1, end - at - 1), before, line.substr(end + 1)});
    at = end;
  }
  return all;
}

class Program {
 public:
  explicit Program(Vocabulary& words) : words_(words) {}

  void read(std::string_view text) {
    each_line(text, [&](std::string_view line) { find_prefixes(line); });
    each_line(text, [&](std::string_view line) { read_line(line); });
    for (const Key& key : keys_) {
      for (const char* value : kValuesOfAnyKey) tell(key, value);
      for (const std::string& value : loose_) tell(key, value);
      for (const std::string& value : listed_) tell_one(key, value, true);
      if (key.is_annotation) learn_trigger(words_, Trigger::Where::annotation, key.name, kLongName, true);
    }
    learn_fields(text);
  }

 private:
  struct Key {
    std::string name;
    bool is_label, is_annotation;
  };

  template <class Take>
  static void each_line(std::string_view text, const Take& take) {
    while (!text.empty()) {
      const auto end = std::min(text.find('\n'), text.size());
      if (end <= kLineMax) take(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  /// Names in lists and comparisons come first, since others may mean anything.
  void learn_fields(std::string_view text) {
    std::vector<std::string> names, keys;
    for (const auto* some : {&listed_, &loose_, &names_}) {
      for (const std::string& name : *some) note(names, kListedMax, name);
    }
    for (const Key& key : keys_) {
      if (key.name.find('/') != std::string::npos) keys.push_back(key.name);
    }
    learn_fields_of_program(words_, text, {names, keys});
  }

  void find_prefixes(std::string_view line) {
    for (const Quoted& quoted : quoted_in(line)) {
      std::string_view domain = quoted.text;
      if (domain.ends_with('/')) domain.remove_suffix(1);
      const std::string prefix = std::string(domain) + "/";
      if (is_domain(domain) && prefixes_.size() < kPrefixesMax &&
          std::find(prefixes_.begin(), prefixes_.end(), prefix) == prefixes_.end())
        prefixes_.push_back(prefix);
    }
  }

  void read_line(std::string_view line) {
    const std::string lower = document::lower_case(line);
    const bool has_label = lower.find(kLabel) != std::string::npos;
    const bool has_annotation = lower.find(kAnnotation) != std::string::npos;
    const Key kind{"", has_label || !has_annotation, has_annotation || !has_label};
    const std::size_t known = keys_.size();
    const std::vector<Quoted> all = quoted_in(line);
    note_list(all);
    for (const Quoted& quoted : all) {
      learn_words(quoted.text);
      note_name(quoted.text);
      if (is_of_data(quoted.before)) learn_data_key(words_, quoted.text);
      if (learn_keys(quoted, kind)) continue;
      const bool is_compared = quoted.before.ends_with('=') || quoted.before.ends_with(',') ||
                               quoted.before.ends_with('(') || quoted.before.ends_with('[');
      if (!is_compared || !is_name(quoted.text) || quoted.text.size() > 32) continue;
      if (keys_.size() > known)
        tell(keys_.back(), quoted.text);
      else if (quoted.before.ends_with("==") || quoted.before.ends_with("!="))
        note(loose_, kLooseMax, quoted.text);
    }
  }

  /// The names of one list are often all legal values of a key.
  void note_list(const std::vector<Quoted>& all) {
    std::vector<std::string_view> names;
    for (const Quoted& quoted : all) {
      const bool is_in_list = quoted.before.ends_with(',') || quoted.before.ends_with('[') ||
                              quoted.before.ends_with('(') || quoted.before.ends_with('{') ||
                              quoted.before.ends_with("case");
      if (is_in_list && is_name(quoted.text) && quoted.text.size() <= 32 && !is_field_of_pod(quoted.text))
        names.push_back(quoted.text);
    }
    if (names.size() < 2) return;
    for (const std::string_view name : names) note(listed_, kListedMax, name);
  }

  /// Notes a name like s3-reader, or payments/s3-reader.
  void note_name(std::string_view text) {
    if (const auto slash = text.find('/'); slash != std::string_view::npos && is_name(text.substr(0, slash)))
      text.remove_prefix(slash + 1);
    const bool is_plain = is_name(text) && text.size() <= 32 && is_lower_or_digit(text.front()) &&
                          text.find('_') == std::string_view::npos && !is_version(text);
    if (is_plain && !is_field_of_pod(text) && !is_negative(text)) note(names_, kListedMax, text);
  }

  static void note(std::vector<std::string>& values, std::size_t most, std::string_view value) {
    if (values.size() < most && std::find(values.begin(), values.end(), value) == values.end())
      values.emplace_back(value);
  }

  /// Returns true if it learned a key of labels or annotations, or the end of one.
  bool learn_keys(const Quoted& quoted, const Key& kind) {
    std::string_view text = quoted.text;
    const auto slash = text.find('/');
    if (slash != std::string_view::npos && is_domain(text.substr(0, slash)) &&
        !is_version(text.substr(slash + 1)))
      return learn_key("", text, kind);
    if (const auto brace = text.rfind('}'); brace != std::string_view::npos && text.find('{') < brace)
      return learn_ends(text.substr(brace + 1), kind);
    if (quoted.before.ends_with('+')) return learn_ends(text, kind);
    return is_looked_up(quoted.before) && is_name(text) && learn_key("", text, kind);
  }
  bool learn_ends(std::string_view end, const Key& kind) {
    if (end.starts_with('/')) end.remove_prefix(1);
    bool is_key = false;
    for (const std::string& prefix : prefixes_) is_key = learn_key(prefix, end, kind) || is_key;
    return is_key;
  }

  /// Learns a key. A name with an open end stands for all names that begin with it.
  bool learn_key(const std::string& prefix, std::string_view text, const Key& kind) {
    std::string key = prefix + std::string(text);
    if (key.find_last_of("-_.") == key.size() - 1) {
      // Two names that differ in punctuation only are equal to a program that makes a variable of them.
      for (const char* end : {"a.b", "a-b"}) learn_key(prefix, std::string(text) + end, kind);
      key += 'a';
    }
    if (!is_name(std::string_view(key).substr(key.find('/') + 1))) return false;
    const auto is_it = [&](const Key& one) { return one.name == key; };
    const auto there = std::find_if(keys_.begin(), keys_.end(), is_it);
    if (there != keys_.end()) {
      std::rotate(there, there + 1, keys_.end());
    } else if (keys_.size() < kProgramKeysMax) {
      keys_.push_back({key, kind.is_label, kind.is_annotation});
    }
    return true;
  }

  /// Learns a value of a key; values that switch a webhook off become rare.
  void tell(const Key& key, std::string_view value) {
    if (is_negative(value)) {
      tell_one(key, "true", is_opt_out(key.name));
      tell_one(key, value, true);
    } else {
      tell_one(key, value, is_opt_out(key.name));
    }
  }
  void tell_one(const Key& key, std::string_view value, bool is_rare) {
    using Where = Trigger::Where;
    if (key.is_label) learn_trigger(words_, Where::label, key.name, value, is_rare);
    if (key.is_annotation) learn_trigger(words_, Where::annotation, key.name, value, is_rare);
  }

  void learn_words(std::string_view text) {
    Value container = Value::empty_object();
    if (is_variable(text)) container.set("env", Value::list({Value{{"name", text}}}));
    if (is_path(text)) {
      if (text.ends_with('/')) text.remove_suffix(1);
      container.set("volumeMounts", Value::list({Value{{"mountPath", text}}}));
    }
    if (container.empty()) return;
    learn_from_pod(words_, {{"spec", {{"containers", Value::list({container})}}}});
  }

  Vocabulary& words_;
  std::vector<std::string> prefixes_ = {}, loose_ = {}, listed_ = {}, names_ = {};
  std::vector<Key> keys_ = {};
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

void learn_from_program(Vocabulary& words, std::string_view text) {
  if (text.find('\0') == std::string_view::npos) Program(words).read(text);
}

}  // namespace fixpoint::runner
