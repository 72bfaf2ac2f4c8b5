#include "harness/conformance/live_objects.h"

#include <algorithm>
#include <utility>

#include "harness/conformance/cluster_cleanup.h"
#include "harness/document/lower_case.h"

namespace fixpoint::conformance {

using document::Error;
using document::Value;
using reconcile::Request;
using webhooks::RestAnswer;

namespace {

constexpr const char* kServerMembers[] = {
    "uid",           "resourceVersion", "creationTimestamp",         "generation",
    "managedFields", "selfLink",        "deletionGracePeriodSeconds"};

/// Changes the API version of each owner that is no part of Kubernetes.
Value with_owners(Value object, const std::string& prefix,
                  std::string (*change)(const std::string& api_version, const std::string& prefix)) {
  if (object["metadata"]["ownerReferences"].empty()) return object;
  for (Value& owner : object.edit("metadata").edit("ownerReferences").edit_elements())
    owner.set("apiVersion", change(std::string(owner["apiVersion"].text()), prefix));
  return object;
}

bool is_answer_good(const RestAnswer& answer) { return answer.status / 100 == 2; }

}  // namespace

std::string StoredKind::plural() const { return document::lower_case(kind) + "s"; }

StoredKind autoscaler_kind() { return {"HorizontalPodAutoscaler", "autoscaling/v2"}; }

std::string server_version(const std::string& api_version, const std::string& prefix) {
  const std::string group = api_version.substr(0, api_version.find('/'));
  const bool is_foreign = group.find('.') != std::string::npos && !group.ends_with(".k8s.io");
  return is_foreign ? prefix + group + api_version.substr(group.size()) : api_version;
}

std::string own_version(const std::string& api_version, const std::string& prefix) {
  return api_version.starts_with(prefix) ? api_version.substr(prefix.size()) : api_version;
}

Value permissive_type(const StoredKind& kind, const std::string& prefix) {
  const std::string whole = server_version(kind.api_version, prefix), plural = kind.plural();
  const auto slash = whole.find('/');
  const std::string group = whole.substr(0, slash);
  const Value schema{{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}};
  const Value version{{"name", whole.substr(slash + 1)},
                      {"served", true},
                      {"storage", true},
                      {"schema", {{"openAPIV3Schema", schema}}}};
  return {
      {"apiVersion", "apiextensions.k8s.io/v1"},
      {"kind", "CustomResourceDefinition"},
      {"metadata", {{"name", plural + "." + group}}},
      {"spec",
       {{"group", group},
        {"scope", "Namespaced"},
        {"names", {{"kind", kind.kind}, {"plural", plural}, {"singular", document::lower_case(kind.kind)}}},
        {"versions", Value::list({version})}}}};
}

Value without_server_members(Value object) {
  if (object.find("status") != nullptr) object.remove("status");
  if (!object["metadata"].is_object()) return object;
  Value& metadata = object.edit("metadata");
  for (const char* own : kServerMembers) {
    if (metadata.find(own) != nullptr) metadata.remove(own);
  }
  if (!metadata["deletionTimestamp"].is_null()) metadata.set("deletionTimestamp", reconcile::kDeleted);
  return object;
}

LiveObjects::LiveObjects(webhooks::Rest& rest, Spaces spaces, std::vector<StoredKind> kinds,
                         std::string prefix)
    : rest_(rest), spaces_(std::move(spaces)), kinds_(std::move(kinds)), prefix_(std::move(prefix)) {}

std::string LiveObjects::collection(const StoredKind& kind, const std::string& namespace_name) const {
  return "/apis/" + server_version(kind.api_version, prefix_) + "/namespaces/" + namespace_name + "/" +
         kind.plural();
}

const StoredKind* LiveObjects::kind_of(const Value& object) const {
  const auto found = std::find_if(kinds_.begin(), kinds_.end(),
                                  [&](const StoredKind& one) { return one.kind == object["kind"].text(); });
  return found == kinds_.end() ? nullptr : &*found;
}

std::optional<RestAnswer> LiveObjects::send(const std::string& method, const std::string& path,
                                            const Value& body) {
  auto answer = rest_.send(method, path, body);
  if (answer) return *std::move(answer);
  if (!failure_) failure_ = answer.error();
  return std::nullopt;
}

Value LiveObjects::to_server(Value object, const StoredKind& kind, const std::string& space) const {
  object = with_owners(without_server_members(std::move(object)), prefix_, server_version);
  object.set("apiVersion", server_version(kind.api_version, prefix_));
  object.edit("metadata").set("namespace", space);
  if (object["metadata"].find("deletionTimestamp") != nullptr)
    object.edit("metadata").remove("deletionTimestamp");
  return object;
}

Value LiveObjects::from_server(Value object, const StoredKind& kind, const std::string& space) const {
  object = with_owners(without_server_members(std::move(object)), prefix_, own_version);
  object.set("apiVersion", kind.api_version);
  object.set("kind", kind.kind);
  object.edit("metadata").set("namespace", space);
  return object;
}

const reconcile::Objects& LiveObjects::objects() {
  if (std::exchange(is_read_, true)) return objects_;
  objects_.all.clear();
  for (const StoredKind& kind : kinds_) {
    for (const auto& [own, there] : spaces_) {
      const auto all = send("GET", collection(kind, there));
      if (!all) return objects_;
      if (!is_answer_good(*all) && !failure_)
        failure_ = Error{"status " + std::to_string(all->status), "listing " + collection(kind, there)};
      for (const Value& item : all->body["items"].elements())
        objects_.all.push_back(from_server(item, kind, own));
    }
  }
  return objects_;
}

std::string LiveObjects::apply(const Request& request, bool /*server_defaults*/) {
  const StoredKind* kind = kind_of(request.object);
  if (kind == nullptr) return "NotFound: the run has no type " + std::string(request.object["kind"].text());
  const Value& metadata = request.object["metadata"];
  const auto space = spaces_.find(metadata["namespace"].text());
  if (space == spaces_.end())
    return "NotFound: the run has no namespace " + std::string(metadata["namespace"].text());
  is_read_ = false;
  const std::string all = collection(*kind, space->second),
                    one = all + "/" + std::string(metadata["name"].text()),
                    dry = request.dry_run ? "?dryRun=All" : "";
  std::optional<RestAnswer> answer;
  if (request.verb == Request::Verb::create) {
    answer = send("POST", all + dry, to_server(request.object, *kind, space->second));
  } else if (request.verb == Request::Verb::remove) {
    answer = send("DELETE", one + dry, {{"kind", "DeleteOptions"}, {"apiVersion", "v1"}});
  } else {
    Value object = to_server(request.object, *kind, space->second);
    // An update of a custom resource is of a version: that which the reconciler has just read.
    if (!kind->is_built_in()) {
      const auto stored = send("GET", one);
      if (stored && is_answer_good(*stored))
        object.edit("metadata").set("resourceVersion", stored->body["metadata"]["resourceVersion"]);
    }
    answer = send("PUT", one + dry, object);
  }
  if (!answer) return "Unreachable";
  if (is_answer_good(*answer)) return "";
  const std::string reason(answer->body["reason"].text());
  return (reason.empty() ? "status " + std::to_string(answer->status) : reason) + ": " +
         std::string(answer->body["message"].text());
}

void LiveObjects::clear() {
  for (const StoredKind& kind : kinds_) {
    for (const auto& [own, there] : spaces_) remove_all(rest_, collection(kind, there));
  }
}

}  // namespace fixpoint::conformance
