#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/kind.h"
#include "harness/document/value.h"

namespace fixpoint::external {

/// A resource in one version.
struct ApiResource {
  std::string group = {}, version = {};
  std::string kind = {}, list_kind = {}, plural = {}, singular = {};
  std::vector<std::string> short_names = {}, subresources = {};
  bool is_namespaced = true, is_only_created = false;
  bool is_custom = false;                           ///< defined by a CustomResourceDefinition
  std::vector<std::string> selectable_fields = {};  ///< of a custom resource: "spec.size"

  /// "v1", or "apps/v1".
  std::string api_version() const { return group.empty() ? version : group + "/" + version; }
  /// Where objects of all versions are stored: "secrets", or "deployments.apps". It is also how messages of
  /// the server name the resource.
  std::string store() const { return group.empty() ? plural : plural + "." + group; }
  /// The verbs that discovery lists.
  std::vector<std::string_view> verbs() const;
  bool has_subresource(std::string_view name) const;
};

/// The resources that one cluster serves: the built-in ones, and those of its CustomResourceDefinitions.
class ServedResources {
 public:
  /// Invalid definitions are left out.
  explicit ServedResources(const std::vector<document::Value>& definitions = {});

  const ApiResource* find(std::string_view group, std::string_view version, std::string_view plural) const;
  /// Finds the resource of an object. If its version is not served, another one of its group is returned.
  const ApiResource* of_kind(std::string_view api_version, std::string_view kind) const;
  /// The groups in the order of discovery, core first.
  const std::vector<std::string>& groups() const { return groups_; }
  /// The versions of a group, the preferred one first; empty if there is no such group.
  std::vector<std::string> versions_of(std::string_view group) const;
  /// The resources of one version of a group.
  std::vector<const ApiResource*> of_version(std::string_view group, std::string_view version) const;

 private:
  void add(ApiResource resource);
  void add_definition(const document::Value& definition);

  std::vector<std::unique_ptr<const ApiResource>> all_ = {};
  std::vector<std::string> groups_ = {};
  std::map<std::string, std::vector<const ApiResource*>, std::less<>> by_group_ = {};
};

}  // namespace fixpoint::external
