#include "harness/external/cluster_api/api_resources.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "harness/document/split.h"

namespace fixpoint::external {

namespace {

using document::Value;

std::vector<std::string> words_of(std::string_view text) {
  const auto words = document::split(text, " ", false);
  return {words.begin(), words.end()};
}

std::vector<std::string> texts_in(const Value& list) {
  std::vector<std::string> texts;
  for (const Value& one : list.elements()) texts.emplace_back(one.text());
  return texts;
}

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

/// Scales are not served: there is no controller that scales.
std::vector<std::string> served_subresources(const cases::Kind& row) {
  auto names = words_of(row.subresources);
  std::erase(names, "scale");
  return names;
}

ApiResource resource_of(const cases::Kind& row) {
  return {.group = std::string(row.group),
          .version = std::string(row.version),
          .kind = std::string(row.name),
          .list_kind = std::string(row.name) + "List",
          .plural = std::string(row.plural),
          .singular = lower(std::string(row.name)),
          .short_names = words_of(row.short_names),
          .subresources = served_subresources(row),
          .is_namespaced = row.is_namespaced,
          .is_only_created = row.is_only_created};
}

/// Versions as Kubernetes sorts them: v2, v1, v1beta2, v1beta1, v1alpha1, then others.
struct VersionRank {
  int stage = 0;  ///< 3 stable, 2 beta, 1 alpha, 0 none of them
  int major = 0, minor = 0;
  auto operator<=>(const VersionRank&) const = default;
};
VersionRank rank_of(std::string_view version) {
  const auto number = [&](int& into) {
    const std::string_view before = version;
    while (!version.empty() && version[0] >= '0' && version[0] <= '9' && into < 1'000'000) {
      into = into * 10 + (version[0] - '0');
      version.remove_prefix(1);
    }
    return version.size() < before.size();
  };
  VersionRank rank{.stage = 3};
  if (!version.starts_with('v')) return {};
  version.remove_prefix(1);
  if (!number(rank.major)) return {};
  if (version.empty()) return rank;
  for (const auto& [word, stage] : {std::pair<std::string_view, int>{"beta", 2}, {"alpha", 1}}) {
    if (!version.starts_with(word)) continue;
    version.remove_prefix(word.size());
    rank.stage = stage;
    return number(rank.minor) && version.empty() ? rank : VersionRank{};
  }
  return {};
}

}  // namespace

std::vector<std::string_view> ApiResource::verbs() const {
  if (is_only_created) return {"create"};
  return {"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"};
}

bool ApiResource::has_subresource(std::string_view name) const {
  return std::find(subresources.begin(), subresources.end(), name) != subresources.end();
}

ServedResources::ServedResources(const std::vector<Value>& definitions) {
  for (const cases::Kind& row : cases::built_in_kinds()) add(resource_of(row));
  for (const Value& definition : definitions) add_definition(definition);
}

void ServedResources::add(ApiResource resource) {
  if (find(resource.group, resource.version, resource.plural) != nullptr) return;
  auto& of_group = by_group_[resource.group];
  if (of_group.empty()) groups_.push_back(resource.group);
  all_.push_back(std::make_unique<const ApiResource>(std::move(resource)));
  of_group.push_back(all_.back().get());
}

void ServedResources::add_definition(const Value& definition) {
  const Value& spec = definition["spec"];
  const Value& names = spec["names"];
  ApiResource resource{.group = std::string(spec["group"].text()),
                       .kind = std::string(names["kind"].text()),
                       .list_kind = std::string(names["listKind"].text()),
                       .plural = std::string(names["plural"].text()),
                       .singular = std::string(names["singular"].text()),
                       .short_names = texts_in(names["shortNames"]),
                       .is_namespaced = spec["scope"].text() != "Cluster",
                       .is_custom = true};
  if (resource.group.empty() || resource.kind.empty() || resource.plural.empty()) return;
  if (resource.list_kind.empty()) resource.list_kind = resource.kind + "List";
  if (resource.singular.empty()) resource.singular = lower(resource.kind);
  std::vector<const Value*> versions;
  for (const Value& version : spec["versions"].elements()) {
    if (version["served"].is_true() && !version["name"].text().empty()) versions.push_back(&version);
  }
  std::stable_sort(versions.begin(), versions.end(), [](const Value* a, const Value* b) {
    return rank_of((*a)["name"].text()) > rank_of((*b)["name"].text());
  });
  for (const Value* version : versions) {
    resource.version = (*version)["name"].text();
    resource.subresources.clear();
    if ((*version)["subresources"]["status"].is_object()) resource.subresources.emplace_back("status");
    resource.selectable_fields.clear();
    for (const Value& field : (*version)["selectableFields"].elements()) {
      const std::string_view path = field["jsonPath"].text();
      if (path.starts_with('.')) resource.selectable_fields.emplace_back(path.substr(1));
    }
    add(resource);
  }
}

const ApiResource* ServedResources::find(std::string_view group, std::string_view version,
                                         std::string_view plural) const {
  const auto of_group = by_group_.find(group);
  if (of_group == by_group_.end()) return nullptr;
  for (const ApiResource* one : of_group->second) {
    if (one->plural == plural && one->version == version) return one;
  }
  return nullptr;
}

const ApiResource* ServedResources::of_kind(std::string_view api_version, std::string_view kind) const {
  const auto slash = api_version.find('/');
  const bool is_core = slash == std::string_view::npos;
  const auto of_group = by_group_.find(is_core ? std::string_view() : api_version.substr(0, slash));
  if (of_group == by_group_.end()) return nullptr;
  const std::string_view version = is_core ? api_version : api_version.substr(slash + 1);
  const ApiResource* found = nullptr;
  for (const ApiResource* one : of_group->second) {
    if (one->kind != kind) continue;
    if (one->version == version) return one;
    if (found == nullptr) found = one;
  }
  return found;
}

std::vector<std::string> ServedResources::versions_of(std::string_view group) const {
  std::vector<std::string> versions;
  const auto of_group = by_group_.find(group);
  if (of_group == by_group_.end()) return versions;
  for (const ApiResource* one : of_group->second) {
    if (std::find(versions.begin(), versions.end(), one->version) == versions.end())
      versions.push_back(one->version);
  }
  std::stable_sort(versions.begin(), versions.end(),
                   [](const std::string& a, const std::string& b) { return rank_of(a) > rank_of(b); });
  return versions;
}

std::vector<const ApiResource*> ServedResources::of_version(std::string_view group,
                                                            std::string_view version) const {
  std::vector<const ApiResource*> found;
  const auto of_group = by_group_.find(group);
  if (of_group == by_group_.end()) return found;
  for (const ApiResource* one : of_group->second) {
    if (one->version == version) found.push_back(one);
  }
  return found;
}

}  // namespace fixpoint::external
