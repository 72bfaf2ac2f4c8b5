#include "harness/external/cluster_api/shown_objects.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include "harness/cases/built_in_objects.h"
#include "harness/document/base64.h"
#include "harness/document/json.h"
#include "harness/document/lower_case.h"

namespace fixpoint::external {

namespace {

using document::Member;
using document::Name;
using document::Value;

/// The time at which every object without a time of its own was created.
constexpr std::string_view kCreated = "2026-01-01T00:00:00Z";

void set_missing(Value& object, const Name& name, const Value& value) {
  if (object.find(name) == nullptr) object.set(name, value);
}

/// Makes a member an object, for it may be anything in a Case.
Value& object_at(Value& parent, const Name& name) {
  if (!parent[name].is_object()) parent.set(name, Value::empty_object());
  return parent.edit(name);
}

void store_secret(Value& secret) {
  set_missing(secret, "type", "Opaque");
  const Value plain = secret["stringData"];
  if (plain.is_null()) return;
  secret.remove("stringData");
  for (const Member& member : plain.members())
    object_at(secret, "data").set(member.key.name(), document::encode_base64(member.value.text()));
}

void store_namespace(Value& object, std::string_view name) {
  object_at(object_at(object, "metadata"), "labels").set("kubernetes.io/metadata.name", name);
  if (!object["spec"].is_object()) object.set("spec", {{"finalizers", Value::list({"kubernetes"})}});
  if (!object["status"].is_object()) object.set("status", {{"phase", "Active"}});
}

Value stored(const Value& manifest, const ApiResource& resource, const ObjectKey& key) {
  Value object = document::without_spellings(manifest);
  fill_metadata(object, resource, key);
  if (resource.group.empty() && resource.plural == "secrets") store_secret(object);
  if (resource.group.empty() && resource.plural == "namespaces") store_namespace(object, key.name);
  return object;
}

/// The annotation that the server's own controller writes on each ConfigMap with its authority
/// (pkg/controller/certificates/rootcacertpublisher).
constexpr std::string_view kRootCaDescription =
    "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such "
    "as "
    "the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of "
    "Kubernetes clusters.";

/// The spec of the Service `kubernetes`, with the address that kubeadm gives it
/// (pkg/controlplane/controller/kubernetesservice).
Value service_of_server() {
  const Value port{{"name", "https"}, {"protocol", "TCP"}, {"port", 443}, {"targetPort", 6443}};
  return {{"ports", Value::list({port})},
          {"clusterIP", "10.96.0.1"},
          {"clusterIPs", Value::list({"10.96.0.1"})},
          {"type", "ClusterIP"},
          {"sessionAffinity", "None"},
          {"ipFamilies", Value::list({"IPv4"})},
          {"ipFamilyPolicy", "SingleStack"},
          {"internalTrafficPolicy", "Cluster"}};
}

/// Marks a definition that is a guess; it is served to nobody.
constexpr const char* kGuessedAnnotation = "fixpoint.example.io/guessed";

std::string title_of(const Value& object) {
  const std::string kind(object["kind"].text());
  return (kind.empty() ? "an object without a kind"
                       : kind + " of " + std::string(object["apiVersion"].text()));
}

class Showing {
 public:
  Showing(const ServedResources& resources, ShownCluster& into) : resources_(resources), into_(into) {}

  void add(const Value& object) {
    const ApiResource* resource = resources_.of_kind(object["apiVersion"].text(), object["kind"].text());
    const std::string_view name = object["metadata"]["name"].text();
    if (resource == nullptr || resource->is_only_created)
      return note(title_of(object) + " is not served: no CustomResourceDefinition of the cluster has it");
    if (name.empty()) return note(title_of(object) + " is not served: it has no name");
    ObjectKey key{.name = std::string(name)};
    if (resource->is_namespaced) {
      const std::string_view space = object["metadata"]["namespace"].text();
      key.namespace_name = space.empty() ? "default" : space;
      namespaces_.insert(key.namespace_name);
    }
    into_.by_store[resource->store()].insert_or_assign(key, stored(object, *resource, key));
  }

  void imply_namespace(std::string_view name) {
    if (!name.empty()) namespaces_.emplace(name);
  }
  void add_implied(std::string_view ca_pem) {
    for (const auto& [key, unused] : into_.by_store["namespaces"]) namespaces_.insert(key.name);
    namespaces_.emplace("default");
    for (const std::string& space : namespaces_) {
      add_missing("Namespace", {.name = space});
      add_missing("ServiceAccount", {.namespace_name = space, .name = "default"});
      add_missing("ConfigMap", {.namespace_name = space, .name = "kube-root-ca.crt"}, [&](Value& object) {
        object.edit("metadata").set("annotations", {{"kubernetes.io/description", kRootCaDescription}});
        object.set("data", {{"ca.crt", ca_pem}});
      });
    }
    add_missing("Service", {.namespace_name = "default", .name = "kubernetes"}, [](Value& object) {
      object.edit("metadata").set("labels", {{"component", "apiserver"}, {"provider", "kubernetes"}});
      object.set("spec", service_of_server());
      object.set("status", {{"loadBalancer", Value::empty_object()}});
    });
  }

 private:
  void note(const std::string& text) {
    if (std::find(into_.notes.begin(), into_.notes.end(), text) == into_.notes.end())
      into_.notes.push_back(text);
  }
  template <class Fill>
  void add_missing(std::string_view kind, const ObjectKey& key, const Fill& fill) {
    const ApiResource& resource = *resources_.of_kind("v1", kind);
    ShownObjects& objects = into_.by_store[resource.store()];
    if (objects.contains(key)) return;
    Value object{{"apiVersion", "v1"}, {"kind", kind}, {"metadata", {{"name", key.name}}}};
    fill(object);
    objects.emplace(key, stored(object, resource, key));
  }
  void add_missing(std::string_view kind, const ObjectKey& key) {
    add_missing(kind, key, [](Value&) {});
  }

  const ServedResources& resources_;
  ShownCluster& into_;
  std::set<std::string> namespaces_ = {};
};

/// Returns the plural of a kind by the rules of English, as tools for custom resources make it.
std::string plural_of(std::string_view kind) {
  std::string word = document::lower_case(kind);
  if (word.ends_with('s') || word.ends_with('x') || word.ends_with("ch") || word.ends_with("sh"))
    return word + "es";
  const bool ends_in_y = word.size() > 1 && word.ends_with('y') &&
                         std::string_view("aeiou").find(word[word.size() - 2]) == std::string_view::npos;
  if (!ends_in_y) return word + "s";
  word.pop_back();
  return word + "ies";
}

/// Returns a definition of the kind of an object that no CustomResourceDefinition declares.
Value guessed_definition(const Value& object, std::string_view group) {
  const std::string plural = plural_of(object["kind"].text());
  const std::string_view version = object["apiVersion"].text().substr(group.size() + 1);
  const bool is_namespaced = !object["metadata"]["namespace"].text().empty();
  return {{"apiVersion", "apiextensions.k8s.io/v1"},
          {"kind", "CustomResourceDefinition"},
          {"metadata",
           {{"name", plural + "." + std::string(group)}, {"annotations", {{kGuessedAnnotation, "yes"}}}}},
          {"spec",
           {{"group", group},
            {"scope", is_namespaced ? "Namespaced" : "Cluster"},
            {"names", {{"plural", plural}, {"kind", object["kind"]}}},
            {"versions", Value::list({Value{{"name", version}, {"served", true}, {"storage", true}}})}}}};
}

}  // namespace

std::string digest_of(std::string_view text, std::size_t digits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  std::string out;
  while (out.size() < digits) {
    // One step of splitmix64 for every sixteen digits.
    hash += 0x9e3779b97f4a7c15u;
    std::uint64_t mixed = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    mixed ^= mixed >> 31;
    for (int i = 0; i < 16 && out.size() < digits; ++i, mixed >>= 4) out.push_back(kDigits[mixed & 15]);
  }
  return out;
}

void fill_metadata(Value& object, const ApiResource& resource, const ObjectKey& key) {
  Value& metadata = object_at(object, "metadata");
  const std::string digits = digest_of(resource.store() + "/" + key.namespace_name + "/" + key.name, 32);
  if (!key.namespace_name.empty()) metadata.set("namespace", key.namespace_name);
  if (!resource.is_namespaced) metadata.remove("namespace");
  set_missing(metadata, "uid",
              digits.substr(0, 8) + "-" + digits.substr(8, 4) + "-4" + digits.substr(13, 3) + "-8" +
                  digits.substr(17, 3) + "-" + digits.substr(20));
  set_missing(metadata, "creationTimestamp", kCreated);
  if (metadata["creationTimestamp"].is_null()) metadata.set("creationTimestamp", kCreated);
}

std::vector<Value> definitions_of(const cases::Cluster& cluster) {
  std::vector<Value> found;
  for (const Value* one : cluster.of_kind("CustomResourceDefinition.apiextensions.k8s.io")) {
    if ((*one)["apiVersion"].text().starts_with("apiextensions.k8s.io/")) found.push_back(*one);
  }
  static const ServedResources built_in;
  const auto defines = [](const Value& definition, std::string_view group, std::string_view kind) {
    return definition["spec"]["group"].text() == group && definition["spec"]["names"]["kind"].text() == kind;
  };
  for (const Value& object : cluster.objects) {
    const std::string_view api_version = object["apiVersion"].text(), kind = object["kind"].text();
    const std::string_view group = api_version.substr(0, api_version.find('/'));
    const bool is_custom = group.find('.') != std::string_view::npos && group.size() < api_version.size();
    if (!is_custom || kind.empty() || built_in.of_kind(api_version, kind) != nullptr) continue;
    if (std::none_of(found.begin(), found.end(), [&](const Value& one) { return defines(one, group, kind); }))
      found.push_back(guessed_definition(object, group));
  }
  return found;
}

ShownCluster shown_cluster(const cases::Cluster& cluster, std::string_view request_namespace,
                           const ServedResources& resources, std::string_view ca_pem) {
  ShownCluster shown;
  Showing showing(resources, shown);
  for (const Value& object : cases::built_in_objects()) {
    if (object["kind"].text() == "Namespace")
      showing.imply_namespace(object["metadata"]["name"].text());
    else
      showing.add(object);
  }
  for (const Value& object : cluster.objects) showing.add(object);
  for (const Value& definition : definitions_of(cluster)) {
    if (definition["metadata"]["annotations"].find(kGuessedAnnotation) == nullptr) continue;
    const Value& spec = definition["spec"];
    shown.notes.push_back(std::string(spec["names"]["kind"].text())
                              .append(" of ")
                              .append(spec["group"].text())
                              .append(" is served as ")
                              .append(spec["names"]["plural"].text())
                              .append(", a guess: no CustomResourceDefinition of the cluster declares it"));
  }
  showing.imply_namespace(request_namespace);
  showing.add_implied(ca_pem);
  return shown;
}

}  // namespace fixpoint::external
