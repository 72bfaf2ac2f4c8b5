#include "harness/conformance/cluster_cleanup.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "harness/conformance/live_cluster.h"
#include "harness/conformance/live_policies.h"
#include "harness/conformance/live_webhooks.h"

namespace fixpoint::conformance {

namespace {

using document::Error;
using document::Result;
using document::Value;

constexpr const char* kManagedBy = "app.kubernetes.io/managed-by";
constexpr const char* kManager = "fixpoint-live";
constexpr const char* kRun = "fixpoint-live/run";
constexpr const char* kOwner = "fixpoint-live/owner";
/// Objects of a Case exist for seconds; objects older than this belong to a process that has ended, on
/// whatever machine.
constexpr std::time_t kLeftAfterSeconds = 3600;

/// The collections of objects outside namespaces, in the order of their removal.
constexpr std::array<std::string_view, 9> kCollections{kPolicyBindingsPath,
                                                       kPoliciesPath,
                                                       kMutatingPath,
                                                       kValidatingPath,
                                                       "/apis/scheduling.k8s.io/v1/priorityclasses",
                                                       "/apis/node.k8s.io/v1/runtimeclasses",
                                                       "/api/v1/nodes",
                                                       "/api/v1/namespaces",
                                                       kTypesPath};

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// Returns the boot id of the machine, and the namespace of its process ids.
std::string machine() {
  std::error_code none;
  return first_line("/proc/sys/kernel/random/boot_id") + "/" +
         std::filesystem::read_symlink("/proc/self/ns/pid", none).string();
}

/// Returns the start time of a process, in clock ticks; empty if there is no such process (proc(5), field
/// 22).
std::string birth_of(const std::string& process) {
  const std::string line = first_line("/proc/" + process + "/stat");
  const auto name_end = line.rfind(')');
  if (name_end == std::string::npos) return {};
  std::istringstream fields(line.substr(name_end + 1));
  std::string field;
  for (int i = 3; i <= 22; ++i) fields >> field;
  return field;
}

/// Parses a time of the API; the epoch for any other text.
std::time_t time_of(const std::string& text) {
  std::tm parts{};
  const char* end = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return end != nullptr ? timegm(&parts) : 0;
}

bool is_left(const Value& object) {
  const Value& metadata = object["metadata"];
  const std::time_t age = std::time(nullptr) - time_of(std::string(metadata["creationTimestamp"].text()));
  return age > kLeftAfterSeconds || is_gone(std::string(metadata["annotations"][kOwner].text()));
}

Value at_once() { return {{"kind", "DeleteOptions"}, {"apiVersion", "v1"}, {"gracePeriodSeconds", 0}}; }

std::string item_in(const std::string& collection, const Value& object) {
  return collection + "/" + std::string(object["metadata"]["name"].text());
}

/// Returns the collection of the objects of a type in the namespace of one of them.
std::string collection_of(const Value& type, const Value& object) {
  const Value& spec = type["spec"];
  return "/apis/" + std::string(spec["group"].text()) + "/" +
         std::string(spec["versions"].at(0)["name"].text()) + "/namespaces/" +
         std::string(object["metadata"]["namespace"].text()) + "/" +
         std::string(spec["names"]["plural"].text());
}

/// Removes the objects of a type, which keep it as long as they wait for finalizers.
void remove_instances(webhooks::Rest& rest, const Value& type) {
  const Value& spec = type["spec"];
  const auto all = rest.send("GET", "/apis/" + std::string(spec["group"].text()) + "/" +
                                        std::string(spec["versions"].at(0)["name"].text()) + "/" +
                                        std::string(spec["names"]["plural"].text()));
  if (!all) return;
  for (const Value& object : all->body["items"].elements()) remove_all(rest, collection_of(type, object));
}

std::optional<Error> remove(webhooks::Rest& rest, const std::string& path) {
  // A stored Pod would keep its namespace for the Pod's whole grace period.
  if (path.starts_with("/api/v1/namespaces/")) {
    if (auto answer = rest.send("DELETE", path + "/pods", at_once()); !answer) return answer.error();
    const std::string name = path.substr(path.rfind('/') + 1);
    remove_all(rest, "/apis/autoscaling/v2/namespaces/" + name + "/horizontalpodautoscalers");
  }
  const auto answer = rest.send("DELETE", path, at_once());
  if (!answer) return answer.error();
  const bool is_removed = answer->status / 100 == 2 || answer->status == 404 || answer->status == 409;
  if (is_removed) return std::nullopt;
  return Error{
      "status " + std::to_string(answer->status) + ": " + std::string(answer->body["message"].text()),
      "removing " + path};
}

}  // namespace

void remove_all(webhooks::Rest& rest, const std::string& collection) {
  const auto all = rest.send("GET", collection);
  if (!all) return;
  for (Value object : all->body["items"].elements()) {
    const std::string path = item_in(collection, object);
    if (!object["metadata"]["finalizers"].empty()) {
      object.edit("metadata").remove("finalizers");
      object.edit("metadata").remove("resourceVersion");
      static_cast<void>(rest.send("PUT", path, object));
    }
    static_cast<void>(rest.send("DELETE", path, at_once()));
  }
}

Value marked(Value object, const std::string& run) {
  Value& metadata = object.edit("metadata");
  if (!metadata["labels"].is_object()) metadata.set("labels", Value::empty_object());
  if (!metadata["annotations"].is_object()) metadata.set("annotations", Value::empty_object());
  metadata.edit("labels").set(kManagedBy, kManager);
  metadata.edit("labels").set(kRun, run);
  metadata.edit("annotations").set(kOwner, owner_of_run());
  return object;
}

std::string owner_of_run() {
  const std::string process = std::to_string(getpid());
  return machine() + "/" + process + "/" + birth_of(process);
}

bool is_gone(const std::string& owner) {
  const std::string here = machine() + "/";
  if (!owner.starts_with(here)) return false;
  const std::string rest = owner.substr(here.size());
  const auto slash = rest.find('/');
  if (slash == std::string::npos || rest.find_first_not_of("0123456789/") != std::string::npos) return false;
  return birth_of(rest.substr(0, slash)) != rest.substr(slash + 1);
}

Result<std::vector<std::string>> clean_cluster(const webhooks::RestOptions& server, Clean which) {
  webhooks::Rest rest(server);
  std::vector<std::string> removed;
  for (const std::string_view kind : kCollections) {
    const std::string collection(kind);
    const auto all =
        rest.send("GET", collection + "?labelSelector=app.kubernetes.io%2Fmanaged-by%3Dfixpoint-live");
    if (!all) return all.error();
    if (all->status == 404) continue;  // An older server has no policies.
    if (all->status / 100 != 2) {
      return Error{"status " + std::to_string(all->status) + ": " + std::string(all->body["message"].text()),
                   "listing " + collection};
    }
    for (const Value& object : all->body["items"].elements()) {
      const bool is_going = !object["metadata"]["deletionTimestamp"].is_null();
      if (is_going || (which == Clean::what_is_left && !is_left(object))) continue;
      if (kind == kTypesPath) remove_instances(rest, object);
      const std::string path = item_in(collection, object);
      if (auto problem = remove(rest, path)) return *std::move(problem);
      removed.push_back(path);
    }
  }
  return removed;
}

}  // namespace fixpoint::conformance
