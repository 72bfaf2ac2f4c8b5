#include "harness/properties/siblings.h"

#include <algorithm>
#include <map>

#include "harness/document/lower_case.h"
#include "harness/document/named.h"
#include "harness/properties/spellings.h"

namespace fixpoint::properties {

namespace {

using document::Value;
using Settings = std::map<std::string, std::string>;

/// Returns the values of a container that another program of the same webhook may also have, by their names.
Settings settings_of(const Value& container) {
  Settings settings;
  for (const Value& entry : container["env"].elements()) {
    if (entry["value"].is_string())
      settings["the variable " + std::string(entry["name"].text())] = entry["value"].text();
  }
  for (const char* list : {"command", "args"}) {
    for (const Value& word : container[document::Name(list)].elements()) {
      const std::string_view text = word.text();
      const auto sign = text.find('=');
      if (text.starts_with('-') && sign != std::string_view::npos)
        settings["the argument " + std::string(text.substr(0, sign))] = text.substr(sign + 1);
    }
  }
  const std::string_view image = container["image"].text();
  const auto slash = image.rfind('/'), colon = image.rfind(':');
  if (slash != std::string_view::npos && colon != std::string_view::npos && colon > slash)
    settings["the tag of the image from " + std::string(image.substr(0, slash))] = image.substr(colon + 1);
  return settings;
}

/// The settings of each container that the webhook injected.
std::map<std::string, Settings> injected(const Value& sent, const Value& result) {
  std::map<std::string, Settings> containers;
  for (const char* list : {"containers", "initContainers"}) {
    const document::Name name(list);
    for (const Value& one : result["spec"][name].elements()) {
      if (!has_named(sent["spec"][name], one["name"].text()))
        containers[std::string(one["name"].text())] = settings_of(one);
    }
  }
  return containers;
}

/// Returns true if a part of the container's name occurs in the key and not in the other's name.
bool names_it_alone(std::string_view key, const std::string& container, const std::string& other) {
  const std::string in = document::lower_case(key);
  for (std::size_t begin = 0; begin < container.size();) {
    const std::size_t end = std::min(container.find('-', begin), container.size());
    const std::string part = container.substr(begin, end - begin);
    if (in.find(part) != std::string::npos && other.find(part) == std::string::npos) return true;
    begin = end + 1;
  }
  return false;
}

const std::string* find_setting(const std::map<std::string, Settings>& containers,
                                const std::string& container, const std::string& name) {
  const auto found = containers.find(container);
  if (found == containers.end()) return nullptr;
  const auto setting = found->second.find(name);
  return setting == found->second.end() ? nullptr : &setting->second;
}

}  // namespace

std::optional<SplitSetting> split_setting(const SettingResults& results, std::string_view value,
                                          std::string_view key) {
  const auto with = injected(results.sent, results.with), without = injected(results.sent, results.without);
  for (const auto& [reached, settings] : with) {
    for (const auto& [name, now] : settings) {
      const std::string* const usual = find_setting(without, reached, name);
      if (usual == nullptr || *usual == now || now != value) continue;
      for (const auto& [other, others] : with) {
        const auto kept = others.find(name);
        const std::string* const before = find_setting(without, other, name);
        if (kept == others.end() || before == nullptr || *before != *usual || kept->second != *usual)
          continue;
        if (!names_it_alone(key, reached, other)) return SplitSetting{name, reached, other, *usual};
      }
    }
  }
  return std::nullopt;
}

}  // namespace fixpoint::properties
