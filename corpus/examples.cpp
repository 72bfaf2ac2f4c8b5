#include "corpus/examples.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "corpus/corpus_files.h"
#include "corpus/seed_pod.h"
#include "harness/apiserver/decoding/decode.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/document_stream.h"
#include "harness/external/cluster_api/api_resources.h"
#include "harness/external/manifests/chart_objects.h"

namespace fixpoint::corpus {

namespace files = std::filesystem;
using document::Error;
using document::Result;
using document::Value;

namespace {

/// Returns true for an object that configures admission: a run has that of its subjects alone.
bool is_of_admission(const Value& object) {
  return object["apiVersion"].text().starts_with("admissionregistration.k8s.io/") ||
         object["apiVersion"].text().starts_with(cases::kApiVersion);
}

bool is_definition(const Value& object) { return object["kind"].text() == "CustomResourceDefinition"; }

/// Returns the template from which a controller makes Pods, or null. A CronJob's template is that of its Job.
Value template_of(const Value& workload) {
  if (workload["kind"].text() == "PodTemplate") return workload["template"];
  const Value& spec = workload["spec"];
  const Value& found =
      spec["jobTemplate"].is_null() ? spec["template"] : spec["jobTemplate"]["spec"]["template"];
  return found["spec"]["containers"].is_array() ? found : Value();
}

/// Returns a Pod of the workload, named as its controller would.
Value pod_of(const Value& workload, const Value& pod_template) {
  Value metadata = pod_template["metadata"];
  if (!metadata.is_object()) metadata = Value::empty_object();
  metadata.remove("creationTimestamp");
  if (metadata["name"].is_null())
    metadata.set("generateName", std::string(workload["metadata"]["name"].text()) + "-");
  return {{"apiVersion", "v1"}, {"kind", "Pod"}, {"metadata", metadata}, {"spec", pod_template["spec"]}};
}

class Reader {
 public:
  explicit Reader(const Limits& limits) : limits_(limits) {}

  std::optional<Error> read(const std::string& path) {
    std::error_code problem;
    const std::size_t known = all_.cases.size(), known_others = all_.others.size();
    std::vector<std::string> paths{path};
    if (files::is_directory(path, problem)) {
      auto found = document_files(path);
      if (!found) return std::move(found).error();
      paths = *std::move(found);
    }
    for (const std::string& file : paths) {
      if (auto bad = read_file(file)) return bad;
    }
    for (const char* kind : {"ServiceAccount", "Namespace"})
      if (all_.cases.size() == known) add_for_objects(kind);
    add_objects(known);
    if (all_.cases.size() > known || all_.others.size() > known_others) return std::nullopt;
    return Error{"expected an object, such as a Pod or a workload with a Pod template, found none", path};
  }

  Examples take() { return std::move(all_); }

 private:
  std::optional<Error> read_file(const std::string& path) {
    auto documents = document::read_documents(path, document::Strictness::foreign, limits_);
    if (!documents) return std::move(documents).error();
    for (std::size_t i = 0; i < documents->size(); ++i) {
      const std::string place = path + ": document " + std::to_string(i + 1);
      auto problem =
          for_each_object((*documents)[i], [&](const Value& object) { return take(object, place); });
      if (problem) return std::move(*problem).within(place);
    }
    return std::nullopt;
  }

  /// Adds a plain Pod for each object of that kind.
  void add_for_objects(std::string_view kind) {
    for (const Value& object : objects_)
      if (object["kind"].text() == kind) add_plain(object);
  }

  void add_plain(const Value& object) {
    const bool is_account = object["kind"].text() == "ServiceAccount";
    cases::Case value{.note =
                          "A plain Pod beside the example of a " + std::string(object["kind"].text()) + "."};
    Value spec{{"containers", Value::list({Value{{"name", "app"}, {"image", "app:1"}}})}};
    const Value& metadata = object["metadata"];
    if (is_account) spec.set("serviceAccountName", metadata["name"]);
    const Value& space = is_account ? metadata["namespace"] : metadata["name"];
    if (!space.text().empty()) value.request.namespace_name = space.text();
    value.request.object = {
        {"apiVersion", "v1"}, {"kind", "Pod"}, {"metadata", {{"name", "app"}}}, {"spec", std::move(spec)}};
    all_.cases.push_back(std::move(value));
  }

  /// Adds the objects of the path to the clusters of its Cases; of several with one name, the first counts.
  void add_objects(std::size_t first) {
    std::vector<Value> definitions;
    std::copy_if(objects_.begin(), objects_.end(), std::back_inserter(definitions), is_definition);
    for (Value& object : objects_) object = cluster_object(std::move(object), definitions);
    for (std::size_t i = first; i < all_.cases.size(); ++i) {
      for (const Value& object : objects_) all_.cases[i].cluster.add_missing(object);
    }
    objects_.clear();
  }

  std::optional<Error> take(const Value& document, const std::string& place) {
    const std::string_view kind = document["kind"].text();
    if (kind.empty()) return Error{"expected an object with a kind, such as a Pod or a Deployment"};
    auto example = example_of(document);
    if (!example) return std::move(example).error();
    if (*example) {
      all_.cases.push_back(**std::move(example));
      if (kind != "Pod") all_.others.push_back({document, place});  // a workload is of a kind, too
      return std::nullopt;
    }
    const bool is_unnamed = document["metadata"]["name"].text().empty();
    if (is_unnamed && (kind == "Namespace" || kind == "ServiceAccount"))
      return Error{"expected a name", "/metadata/name"};
    if (is_of_admission(document) || is_unnamed) {
      all_.notes.push_back(place + ": " + std::string(kind) + " is passed over");
      return std::nullopt;
    }
    objects_.push_back(document);
    all_.others.push_back({document, place});
    return std::nullopt;
  }

  const Limits& limits_;
  Examples all_ = {};
  std::vector<Value> objects_ = {};
};

}  // namespace

Result<Examples> read_examples(const std::vector<std::string>& paths, const Limits& limits) {
  Reader reader(limits);
  for (const std::string& path : paths) {
    if (auto problem = reader.read(path)) return *std::move(problem);
  }
  return reader.take();
}

Result<std::optional<cases::Case>> example_of(const Value& object) {
  const Value pod_template = object["kind"].text() == "Pod" ? Value() : template_of(object);
  if (object["kind"].text() != "Pod" && pod_template.is_null()) return std::optional<cases::Case>();
  Value pod = pod_template.is_null() ? as_sent(object) : pod_of(object, pod_template);
  if (auto decoded = apiserver::decode_pod(pod); !decoded) return std::move(decoded).error();
  if (pod["spec"]["containers"].empty()) return Error{"expected a container", "/spec/containers"};
  cases::Case value{.note = "An example Pod."};
  value.request.object = std::move(pod);
  const std::string_view space = object["metadata"]["namespace"].text();
  if (!space.empty()) value.request.namespace_name = space;
  return std::optional(std::move(value));
}

Value cluster_object(Value object, const std::vector<Value>& definitions) {
  const external::ServedResources resources(definitions);
  const auto* resource = resources.of_kind(object["apiVersion"].text(), object["kind"].text());
  const bool is_namespaced = resource == nullptr || resource->is_namespaced;
  if (is_namespaced && object["metadata"]["namespace"].text().empty())
    object.edit("metadata").set("namespace", "default");
  return object["kind"].text() == "ResourceQuota" ? external::quota_with_status(std::move(object)) : object;
}

std::optional<Value> pod_of_workload(const Value& object) {
  if (object["kind"].text().empty() || object["kind"].text() == "Pod") return std::nullopt;
  const Value pod_template = template_of(object);
  if (pod_template.is_null()) return std::nullopt;
  Value pod = pod_of(object, pod_template);
  const std::string_view space = object["metadata"]["namespace"].text();
  if (!space.empty()) pod.edit("metadata").set("namespace", space);
  return pod;
}

Result<std::vector<cases::Case>> read_stored_seeds(const std::string& corpus, const Limits& limits) {
  auto paths = corpus_files(corpus, "seeds");
  if (!paths) return std::move(paths).error();
  std::vector<cases::Case> seeds;
  for (const std::string& path : *paths) {
    auto documents = document::read_file(path, limits, document::Strictness::foreign);
    if (!documents) return std::move(documents).error();
    for (const Value& document : *documents) {
      if (document["kind"].text() != "Case") continue;
      auto seed = cases::read_case(document);
      if (!seed) return std::move(seed).error().within(path);
      seeds.push_back(*std::move(seed));
    }
  }
  return seeds;
}

bool fits(const cases::Case& seed, const runner::Subject& subject) {
  const auto& objects = seed.cluster.objects;
  if (std::none_of(objects.begin(), objects.end(), cases::is_webhook_configuration)) return true;
  const std::string_view own = subject.configuration["metadata"]["name"].text();
  return !cases::is_neighbour(seed, own) && cases::find_configuration(seed.cluster, own) != nullptr;
}

}  // namespace fixpoint::corpus
