#include "harness/external/cluster_api/discovery.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace fixpoint::external {

namespace {

using document::Value;
using Target = ApiPath::Target;

/// The resources of `kubectl get all`.
constexpr std::array<std::string_view, 10> kAll{"pods",
                                                "replicationcontrollers",
                                                "services",
                                                "daemonsets.apps",
                                                "deployments.apps",
                                                "replicasets.apps",
                                                "statefulsets.apps",
                                                "horizontalpodautoscalers.autoscaling",
                                                "cronjobs.batch",
                                                "jobs.batch"};

template <class Texts>
Value list_of_texts(const Texts& texts) {
  std::vector<Value> list;
  for (const auto& text : texts) list.emplace_back(text);
  return list;
}

std::vector<std::string_view> categories_of(const ApiResource& resource) {
  const bool is_of_all = std::find(kAll.begin(), kAll.end(), resource.store()) != kAll.end();
  return is_of_all ? std::vector<std::string_view>{"all"} : std::vector<std::string_view>{};
}

/// The kinds that a subresource takes and answers.
struct SubresourceType {
  std::string_view name, group, version, kind, verbs;
};
constexpr auto kSubresources =
    std::to_array<SubresourceType>({{"token", "authentication.k8s.io", "v1", "TokenRequest", "create"},
                                    {"eviction", "policy", "v1", "Eviction", "create"},
                                    {"binding", "", "v1", "Binding", "create"}});

/// Returns the type of a subresource: the resource's own unless the table has another one.
SubresourceType type_of(const ApiResource& resource, std::string_view name) {
  for (const SubresourceType& row : kSubresources) {
    if (row.name == name) return row;
  }
  return {name, resource.group, resource.version, resource.kind, "get patch update"};
}

Value verbs_of(const SubresourceType& type) {
  return type.verbs == "create" ? Value::list({"create"}) : Value::list({"get", "patch", "update"});
}

Value group_version_of(std::string_view group, std::string_view version) {
  return {{"groupVersion", std::string(group) + "/" + std::string(version)}, {"version", version}};
}

Value group_of(std::string_view group, const ServedResources& resources) {
  std::vector<Value> versions;
  for (const std::string& version : resources.versions_of(group))
    versions.push_back(group_version_of(group, version));
  const Value preferred = versions.front();
  return {{"name", group}, {"versions", std::move(versions)}, {"preferredVersion", preferred}};
}

void append_resource(std::vector<Value>& list, const ApiResource& resource) {
  Value one{{"name", resource.plural},
            {"singularName", resource.singular},
            {"namespaced", resource.is_namespaced},
            {"kind", resource.kind},
            {"verbs", list_of_texts(resource.verbs())}};
  if (!resource.short_names.empty()) one.set("shortNames", list_of_texts(resource.short_names));
  if (const auto categories = categories_of(resource); !categories.empty())
    one.set("categories", list_of_texts(categories));
  list.push_back(std::move(one));
  for (const std::string& name : resource.subresources) {
    const SubresourceType type = type_of(resource, name);
    list.push_back({{"name", resource.plural + "/" + name},
                    {"singularName", ""},
                    {"namespaced", resource.is_namespaced},
                    {"group", type.group},
                    {"version", type.version},
                    {"kind", type.kind},
                    {"verbs", verbs_of(type)}});
  }
}

Value resources_of(const ApiPath& path, const std::vector<const ApiResource*>& all) {
  std::vector<Value> list;
  for (const ApiResource* one : all) append_resource(list, *one);
  return {{"kind", "APIResourceList"},
          {"apiVersion", "v1"},
          {"groupVersion", path.group.empty() ? path.version : path.group + "/" + path.version},
          {"resources", std::move(list)}};
}

Value kind_of(std::string_view group, std::string_view version, std::string_view kind) {
  return {{"group", group}, {"version", version}, {"kind", kind}};
}

Value discovered(const ApiResource& resource) {
  Value one{{"resource", resource.plural},
            {"responseKind", kind_of(resource.group, resource.version, resource.kind)},
            {"scope", resource.is_namespaced ? "Namespaced" : "Cluster"},
            {"singularResource", resource.singular},
            {"verbs", list_of_texts(resource.verbs())}};
  if (!resource.short_names.empty()) one.set("shortNames", list_of_texts(resource.short_names));
  if (const auto categories = categories_of(resource); !categories.empty())
    one.set("categories", list_of_texts(categories));
  std::vector<Value> below;
  for (const std::string& name : resource.subresources) {
    const SubresourceType type = type_of(resource, name);
    below.push_back({{"subresource", name},
                     {"responseKind", kind_of(type.group, type.version, type.kind)},
                     {"verbs", verbs_of(type)}});
  }
  if (!below.empty()) one.set("subresources", std::move(below));
  return one;
}

/// The path of one version of a group below the server or the index of OpenAPI: api/v1, apis/apps/v1.
std::string relative_path(std::string_view group, const std::string& version) {
  return group.empty() ? "api/" + version : "apis/" + std::string(group) + "/" + version;
}

Value openapi_index(const ServedResources& resources) {
  Value paths = Value::empty_object();
  for (const std::string& group : resources.groups()) {
    for (const std::string& version : resources.versions_of(group)) {
      const std::string path = relative_path(group, version);
      paths.set(path, {{"serverRelativeURL", "/openapi/v3/" + path}});
    }
  }
  return {{"paths", std::move(paths)}};
}

/// Says of each resource that it takes dry runs and checks of fields, which kubectl asks before it writes.
Value openapi_of(const ApiPath& path, const std::vector<const ApiResource*>& all) {
  Value paths = Value::empty_object();
  const auto parameter = [](std::string_view name) {
    return Value{{"name", name}, {"in", "query"}, {"schema", {{"type", "string"}}}};
  };
  for (const ApiResource* one : all) {
    const std::string place = one->is_namespaced ? "/namespaces/{namespace}/" : "/";
    const Value patch{{"parameters", Value::list({parameter("dryRun"), parameter("fieldValidation")})},
                      {"responses", {{"200", {{"description", "OK"}}}}},
                      {"x-kubernetes-group-version-kind", kind_of(one->group, one->version, one->kind)}};
    paths.set("/" + relative_path(path.group, path.version) + place + one->plural + "/{name}",
              {{"patch", patch}});
  }
  return {{"openapi", "3.0.0"},
          {"info", {{"title", "Kubernetes"}, {"version", "fixpoint"}}},
          {"paths", std::move(paths)},
          {"components", {{"schemas", Value::empty_object()}}}};
}

}  // namespace

Value version_document(std::string_view minor) {
  const auto dot = std::min(minor.find('.'), minor.size());
  return {{"major", minor.substr(0, dot)},
          {"minor", minor.substr(std::min(dot + 1, minor.size()))},
          {"gitVersion", "v" + std::string(minor) + ".0"},
          {"gitCommit", ""},
          {"gitTreeState", "clean"},
          {"buildDate", "2026-01-01T00:00:00Z"},
          {"goVersion", "none"},
          {"compiler", "none"},
          {"platform", "linux/amd64"}};
}

std::optional<Value> discovery_document(const ApiPath& path, const ServedResources& resources) {
  if (path.target == Target::core_versions) {
    return Value{{"kind", "APIVersions"},
                 {"versions", Value::list({"v1"})},
                 {"serverAddressByClientCIDRs", Value::empty_list()}};
  }
  if (path.target == Target::openapi_v3) return openapi_index(resources);
  if (path.target == Target::groups) {
    std::vector<Value> groups;
    for (const std::string& group : resources.groups())
      if (!group.empty()) groups.push_back(group_of(group, resources));
    return Value{{"kind", "APIGroupList"}, {"apiVersion", "v1"}, {"groups", std::move(groups)}};
  }
  if (path.target == Target::group) {
    if (resources.versions_of(path.group).empty()) return std::nullopt;
    Value group{{"kind", "APIGroup"}, {"apiVersion", "v1"}};
    const Value described = group_of(path.group, resources);
    for (const document::Member& member : described.members()) group.set(member.key.name(), member.value);
    return group;
  }
  const auto all = resources.of_version(path.group, path.version);
  if (all.empty()) return std::nullopt;
  return path.target == Target::openapi_v3_version ? openapi_of(path, all) : resources_of(path, all);
}

Value aggregated_discovery(const ApiPath& path, const ServedResources& resources) {
  std::vector<Value> groups;
  for (const std::string& group : resources.groups()) {
    if (group.empty() != (path.target == Target::core_versions)) continue;
    std::vector<Value> versions;
    for (const std::string& version : resources.versions_of(group)) {
      std::vector<Value> list;
      for (const ApiResource* one : resources.of_version(group, version)) list.push_back(discovered(*one));
      versions.push_back({{"version", version}, {"resources", std::move(list)}, {"freshness", "Current"}});
    }
    const Value metadata{{"name", group}, {"creationTimestamp", Value()}};
    groups.push_back({{"metadata", metadata}, {"versions", std::move(versions)}});
  }
  return {{"kind", "APIGroupDiscoveryList"},
          {"apiVersion", "apidiscovery.k8s.io/v2"},
          {"metadata", Value::empty_object()},
          {"items", std::move(groups)}};
}

Value openapi_v2_document() {
  return {{"swagger", "2.0"},
          {"info", {{"title", "Kubernetes"}, {"version", "fixpoint"}}},
          {"paths", Value::empty_object()},
          {"definitions", Value::empty_object()}};
}

std::string openapi_v2_protobuf() {
  // Field 1 of a Document, swagger, as a text of three bytes.
  return "\x0a\x03"
         "2.0";
}

}  // namespace fixpoint::external
