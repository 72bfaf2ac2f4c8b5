#include "generators/changed_settings.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/subjects.h"
#include "harness/document/document_stream.h"
#include "harness/runner/learning/member_values.h"

namespace fixpoint::generators {

namespace {

constexpr std::uint64_t kOneInOfSettings = 4;
/// Names that are read as those of objects, by the end of their key.
constexpr std::array<std::string_view, 5> kNamesOfObjects{"Name", "ConfigMap", "configMap", "Secret",
                                                          "secret"};
constexpr const char* kObjectName = "example";

/// A setting of a ConfigMap, and another value for it.
struct ChartSetting {
  std::vector<std::string> path;  ///< below the key of the data; empty if the key's text is the value
  Value other;
};

/// Returns the other values of a setting that are surely legal, also those with which the program compares a
/// member of that name.
std::vector<Value> other_values(std::string_view key, const Value& value, const runner::Vocabulary& words) {
  if (value.is_boolean()) return {Value(!value.is_true())};
  if (!value.is_string()) return {};
  if (value.text() == "true") return {Value("false")};
  if (value.text() == "false") return {Value("true")};
  const bool names_an_object = std::any_of(kNamesOfObjects.begin(), kNamesOfObjects.end(),
                                           [&](std::string_view end) { return key.ends_with(end); });
  if (value.text().empty() && names_an_object) return {Value(kObjectName)};
  std::vector<Value> others;
  if (const auto* compared = runner::values_of_member(words, key)) {
    for (const std::string& one : *compared)
      if (!one.empty() && one != value.text()) others.emplace_back(one);
  }
  return others;
}

void collect(const Value& value, const runner::Vocabulary& words, std::vector<std::string>& path,
             std::vector<ChartSetting>& settings) {
  for (const auto& member : value.members()) {
    path.emplace_back(member.key.text());
    for (Value& other : other_values(path.back(), member.value, words))
      settings.push_back({path, std::move(other)});
    collect(member.value, words, path, settings);
    path.pop_back();
  }
}

/// Returns the object that the text of a setting is, as JSON or YAML.
std::optional<Value> read_settings(std::string_view text) {
  if (text.find(':') == std::string_view::npos) return std::nullopt;
  auto documents = document::read_stream(text, {}, document::Strictness::foreign);
  if (!documents || documents->size() != 1 || !documents->front().is_object()) return std::nullopt;
  return documents->front();
}

/// Changes one setting of the ConfigMap. Returns what it did; nothing if there is no such setting.
std::string change_one(Value& config_map, const runner::Vocabulary& words, Choices& choices) {
  struct Changed {
    std::string key;
    std::optional<Value> inside;
    ChartSetting setting;
  };
  std::vector<Changed> all;
  for (const auto& member : config_map["data"].members()) {
    const std::string key(member.key.text());
    for (Value& other : other_values(key, member.value, words))
      all.push_back({key, std::nullopt, {{}, std::move(other)}});
    const auto inside = read_settings(member.value.text());
    if (!inside) continue;
    std::vector<ChartSetting> settings;
    std::vector<std::string> path;
    collect(*inside, words, path, settings);
    for (ChartSetting& setting : settings) all.push_back({key, inside, std::move(setting)});
  }
  if (all.empty()) return {};
  Changed& chosen = all[static_cast<std::size_t>(choices.below(all.size()))];
  std::string change = chosen.key;
  if (!chosen.inside) {
    config_map.edit("data").set(chosen.key, chosen.setting.other);
  } else {
    Value* at = &*chosen.inside;
    for (const std::string& step : chosen.setting.path) {
      at = &at->edit(step);
      change += "." + step;
    }
    *at = chosen.setting.other;
    config_map.edit("data").set(chosen.key, document::write_json_pretty(*chosen.inside));
  }
  return change + " = " + document::write_json(chosen.setting.other);
}

/// Returns how the webhook reads the ConfigMap; nullptr if it does not.
const runner::Vocabulary::Read* read_of(const PreparedSubject& prepared_subject, const Value& object) {
  const auto& reads = prepared_subject.subject.vocabulary.reads;
  const auto read = std::find_if(reads.begin(), reads.end(), [&](const runner::Vocabulary::Read& one) {
    const auto& names = one.names;
    return one.kind == "ConfigMap" &&
           (one.is_watched ||
            std::find(names.begin(), names.end(), object["metadata"]["name"].text()) != names.end());
  });
  return read == reads.end() ? nullptr : &*read;
}

}  // namespace

void change_settings(Case& value, const PreparedSubject& prepared_subject, Choices& shared,
                     Choices& choices) {
  if (is_bundled(prepared_subject.subject)) return;
  for (const Value& own : prepared_subject.subject.objects) {
    if (own["kind"].text() != "ConfigMap") continue;
    const runner::Vocabulary::Read* read = read_of(prepared_subject, own);
    if (read == nullptr) continue;
    Choices& drawn_by = read->is_watched ? shared : choices;
    if (!drawn_by.one_in(kOneInOfSettings)) continue;
    const auto object = std::find(value.cluster.objects.begin(), value.cluster.objects.end(), own);
    if (object == value.cluster.objects.end()) continue;
    const runner::Vocabulary& words = prepared_subject.subject.vocabulary;
    std::string change = change_one(*object, words, drawn_by);
    if (!change.empty() && drawn_by.coin()) {
      if (const std::string second = change_one(*object, words, drawn_by); !second.empty())
        change += ", " + second;
    }
    if (!change.empty()) object->edit("metadata").edit("annotations").set(cases::kChangedSettings, change);
  }
}

}  // namespace fixpoint::generators
