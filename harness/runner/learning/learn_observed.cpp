#include "harness/runner/learning/learn_observed.h"

#include <algorithm>
#include <string>
#include <vector>

#include "harness/document/json.h"
#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/learn_fields.h"
#include "harness/runner/learning/member_values.h"
#include "harness/runner/learning/pattern_text.h"
#include "harness/runner/learning/text_forms.h"

namespace fixpoint::runner {

namespace {

using Where = Trigger::Where;

constexpr const char* kPlace = "what the program looks up";
/// So many keys are common, so that accidental ones do not crowd out those that matter.
constexpr std::ptrdiff_t kCommonMax = 24;
constexpr std::size_t kTextsOfPattern = 6, kTextMax = 200, kMapKeysMax = 40;

/// Returns the values that the line says: as they are, or as they match its pattern.
std::vector<std::string> values_of(const Value& line) {
  std::vector<std::string> values;
  if (const std::string_view text = line["text"].text(); !text.empty()) values.emplace_back(text);
  const std::string_view pattern = line["pattern"].text();
  if (pattern.empty()) return values;
  for (const std::string& text : texts_matching(pattern, kTextsOfPattern))
    values.push_back(std::string(line["before"].text()).append(text).append(line["after"].text()));
  return values;
}

/// Returns true for a key that the metadata of an object may have.
bool is_legal_key(std::string_view key) {
  const auto slash = key.find('/');
  if (slash == std::string_view::npos) return is_name(key);
  return is_name(key.substr(0, slash)) && is_name(key.substr(slash + 1));
}

class Observed {
 public:
  Observed(Vocabulary& words, std::set<std::string>& offered, std::set<std::string>& grown)
      : words_(words), offered_(offered), grown_(grown) {}

  void take(const Value& line) {
    const std::string_view of = line["of"].text(), in = line["in"].text(), key = line["key"].text();
    const bool is_labels = in.ends_with("metadata.labels");
    if (of == "Namespace") {
      if (is_labels) return learn_key(Where::namespace_label, line);
      if (in == "metadata.annotations") learn_key(Where::namespace_annotation, line);
    } else if (!of.empty()) {
      if (in == "data" && is_name(key)) return learn_data_key(words_, key);
      for (const std::string& value : values_of(line)) learn_member_value(words_, key, value);
    } else if (is_labels || in.ends_with("metadata.annotations")) {
      learn_key(is_labels ? Where::label : Where::annotation, line);
    } else {
      learn_member(in, key, line);
    }
  }

 private:
  void learn_key(Where where, const Value& line) {
    const std::string_view key = line["key"].text();
    const std::vector<std::string> values = values_of(line);
    if (line["offered"] == Value(true)) offer(where, key);
    if (!key.empty()) return learn_values(where, key, values, line["grown"] == Value(true));
    for (const std::string& one : values) {
      offer(where, one);
      learn_values(where, one, {}, false);
    }
  }

  void offer(Where where, std::string_view key) {
    const bool is_known = std::ranges::any_of(
        words_.triggers, [&](const Trigger& one) { return one.where == where && one.key == key; });
    if (!is_known && is_legal_key(key)) offered_.emplace(key);
  }

  void learn_values(Where where, std::string_view key, const std::vector<std::string>& values,
                    bool is_grown) {
    if (!is_legal_key(key)) return;
    const auto of_place = [&](const Trigger& one) { return one.where == where && !one.is_rare; };
    const bool is_known = std::ranges::any_of(
        words_.triggers, [&](const Trigger& one) { return of_place(one) && one.key == key; });
    const bool is_rare =
        !is_known && (is_opt_out(key) || std::ranges::count_if(words_.triggers, of_place) >= kCommonMax);
    words_.places.emplace(key, kPlace);
    if (!is_known && values.empty()) {
      for (const std::string_view value : kValuesOfAnyKey) learn_trigger(words_, where, key, value, is_rare);
    }
    for (const std::string& value : values) {
      if (value.size() > kTextMax) continue;
      if (is_negative(value)) learn_trigger(words_, where, key, "true", is_rare);
      const bool is_rare_value = is_rare || is_negative(value);
      if (is_grown) grown_.insert(value);
      make_room(where, key, is_rare_value);
      learn_trigger(words_, where, key, value, is_rare_value);
    }
  }
  /// A value that the program asks about is better than one that was guessed or has grown; best is one with a
  /// name of the object's own.
  void make_room(Where where, std::string_view key, bool is_rare) {
    for (Trigger& one : words_.triggers) {
      const bool is_it = one.where == where && one.key == key && one.is_rare == is_rare;
      if (!is_it || one.values.size() < kTriggerValuesMax) continue;
      auto worst =
          std::ranges::find_if(one.values, [&](const auto& value) { return grown_.contains(value); });
      if (worst == one.values.end()) worst = std::ranges::find_if_not(one.values, has_own_names);
      one.values.erase(worst == one.values.end() ? one.values.begin() : worst);
    }
  }

  /// Learns a member of the object: of a template as of a Pod, and by its name for objects of other kinds.
  void learn_member(std::string_view in, std::string_view key, const Value& line) {
    constexpr std::string_view kTemplate = "template.";
    if (const auto at = in.rfind(kTemplate); at != std::string_view::npos)
      in.remove_prefix(at + kTemplate.size());
    if (in == "metadata" && key == "namespace") {
      for (const std::string& value : values_of(line))
        learn_trigger(words_, Where::field, kNamespaceField, document::write_json(Value(value)));
    }
    if (key.empty() || !in.starts_with("spec")) return;
    if (in.ends_with("resources.limits") || in.ends_with("resources.requests")) return learn_resource(key);
    const bool is_plain = is_name(key) && key.find_first_of(".-") == std::string_view::npos;
    if (!is_plain && is_legal_key(key) && words_.map_keys.size() < kMapKeysMax &&
        std::ranges::find(words_.map_keys, key) == words_.map_keys.end())
      words_.map_keys.emplace_back(key);
    for (const std::string& value : values_of(line)) {
      if (value.size() > kTextMax) continue;
      if (is_plain) learn_member_value(words_, key, value);
      learn_field(std::string(in).append(is_plain ? "." + std::string(key) : "['" + std::string(key) + "']"),
                  Value(value));
    }
  }
  void learn_field(const std::string& path, const Value& value) {
    const auto steps = parse_field_path(path);
    if (!steps) return;
    learn_trigger(words_, Where::field, path, document::write_json(value), true);
    if (!path.ends_with(".name") && !path.ends_with(".mountPath")) return;
    Value pod = Value::empty_object();
    set_field(pod, *steps, value);
    learn_from_pod(words_, pod);
  }
  void learn_resource(std::string_view name) {
    if (!is_prefixed_key(name)) return;
    for (const char* amount : {"\"1\"", "\"2\""})
      learn_trigger(words_, Where::field, limit_path(name), amount, true);
  }

  Vocabulary& words_;
  std::set<std::string>&offered_, &grown_;
};

}  // namespace

void learn_from_observed(Vocabulary& words, std::string_view lines, std::set<std::string>& offered,
                         std::set<std::string>& grown) {
  Observed observed(words, offered, grown);
  while (!lines.empty()) {
    const auto end = std::min(lines.find('\n'), lines.size());
    if (const auto line = document::read_json(lines.substr(0, end)); line && line->is_object())
      observed.take(*line);
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

void forget_offered(Vocabulary& words, std::string_view key) {
  std::erase_if(words.triggers, [&](const Trigger& one) {
    const bool is_of_object = one.where == Where::label || one.where == Where::annotation;
    return is_of_object && one.key == key && std::ranges::equal(one.values, kValuesOfAnyKey);
  });
}

}  // namespace fixpoint::runner
