#include "harness/conformance/live_cluster.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <random>
#include <set>
#include <thread>
#include <utility>

#include "harness/apiserver/registry/strategies.h"
#include "harness/cases/kind.h"
#include "harness/cases/minors.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/conformance/cluster_as_run.h"
#include "harness/conformance/cluster_cleanup.h"
#include "harness/conformance/created_objects.h"
#include "harness/conformance/impersonation.h"
#include "harness/conformance/kept_types.h"
#include "harness/conformance/live_answers.h"
#include "harness/conformance/live_policies.h"
#include "harness/conformance/live_sequence.h"
#include "harness/conformance/live_server.h"
#include "harness/conformance/live_stage.h"
#include "harness/conformance/live_webhooks.h"
#include "harness/conformance/vectors.h"
#include "harness/webhooks/review.h"
#include "injectors/bundled.h"

namespace fixpoint::conformance {

namespace {

using document::Error;
using document::Result;
using document::Value;
using webhooks::RestAnswer;
using Phase = LiveStage::Phase;

constexpr const char* kUnseenParams =
    "the server sees no params any more: it must be restarted (kubernetes issue 130887)";

constexpr auto kPause = std::chrono::milliseconds(5);

/// A kind of objects that the API server itself reads, ConfigMaps as the params of policies, and where to
/// create them; other objects are read by injectors alone.
struct Place {
  std::string_view kind;
  const char* group;  ///< the path of its version
  const char* resource;
  bool has_namespace;
};
constexpr std::array<Place, 6> kPlaces{
    {{"ConfigMap", "/api/v1", "configmaps", true},
     {"ServiceAccount", "/api/v1", "serviceaccounts", true},
     {"LimitRange", "/api/v1", "limitranges", true},
     {"PriorityClass", "/apis/scheduling.k8s.io/v1", "priorityclasses", false},
     {"RuntimeClass", "/apis/node.k8s.io/v1", "runtimeclasses", false},
     {"Node", "/api/v1", "nodes", false}}};

}  // namespace

struct LiveCluster::Hidden {
  explicit Hidden(const LiveClusterOptions& given)
      : options(given),
        rest(given.server),
        created(rest, given.id),
        prefix(kNamePrefix + given.id + "-"),
        types(
            rest, std::chrono::seconds(given.patience_seconds),
            [this](const std::string& collection, const Value& object) {
              return created.create(collection, object);
            },
            [this](const std::string& path) { std::erase(created.paths(), path); }) {}

  const LiveClusterOptions options;
  webhooks::Rest rest;
  CreatedObjects created;
  const std::string prefix;  ///< of the names of all objects of this run
  KeptTypes types;
  std::string namespace_name = {};  ///< of the Case that runs now
  int cases = 0;
  std::string version = {};
  std::optional<cases::UserInfo> user = {};  ///< as whom this run is known; empty if the server does not say
  LiveStage stage = {};
  LiveServer server{options, stage};
  /// Of the Case that runs now.
  bool has_policies = false, has_params = false, calls_validators = false, is_impersonated = false;
  bool keeps_params = false;  ///< keeper_of_params() is there
  bool sees_params = true;    ///< the server sees params, as far as is known
  bool was_called = false;    ///< the API server has reached the webhooks of this run before

  std::string in_namespace(const std::string& rest_of_path) const {
    return "/api/v1/namespaces/" + namespace_name + rest_of_path;
  }
  /// Where objects of the request's kind are, in the namespace of the Case that runs now.
  std::string collection_of(const cases::Case& value) const {
    const cases::Kind kind = cases::kind_of(value.request, value.cluster);
    const std::string plural(kind.plural);
    if (kind.group.empty()) return in_namespace("/" + plural);
    return "/apis/" + kind.api_version() + "/namespaces/" + namespace_name + "/" + plural;
  }

  std::optional<Error> wait_until(bool is_there);
  std::optional<Error> register_all(const cases::Case& value) {
    const std::size_t first = created.paths().size();
    for (const Registered& one : registered_webhooks(value, prefix, {server.base(), server.certificate()}))
      if (auto problem = created.create(std::string(one.collection), one.object)) return problem;
    // The probes are deleted last, so that their absence implies the absence of the others.
    const auto probes = static_cast<std::ptrdiff_t>(probes_of(value));
    std::rotate(created.paths().begin() + static_cast<std::ptrdiff_t>(first), created.paths().end() - probes,
                created.paths().end());
    return std::nullopt;
  }

  /// Returns why the Case's policies cannot run there; empty if they can.
  std::string why_not(const cases::Case& value) const {
    if (has_params && !options.allows_cluster_objects)
      return "the server would see no params of ConfigMaps after it (kubernetes issue 130887): "
             "--allow-cluster-objects takes that";
    if (has_params && !sees_params) return kUnseenParams;
    return beyond_a_server(value);
  }
  std::optional<Error> keep_params() {
    if (!has_params || std::exchange(keeps_params, true)) return std::nullopt;
    for (const Registered& one : keeper_of_params(prefix))
      if (auto problem = created.create(std::string(one.collection), one.object)) return problem;
    return std::nullopt;
  }

  std::string prefix_of_groups() const { return kNamePrefix + options.id + "."; }

  /// Creates the Case's policies, and last a probe that the server uses when it uses all of them: it reads
  /// them, and their bindings, in the order of their creation.
  std::optional<Error> register_policies(const cases::Case& value) {
    if (!has_policies) return std::nullopt;
    if (has_params) {
      if (auto problem = created.create(in_namespace("/configmaps"), probe_param(namespace_name)))
        return problem;
    }
    for (const Registered& one : registered_policies(value, prefix, kProbeLabel))
      if (auto problem = created.create(std::string(one.collection), one.object)) return problem;
    return std::nullopt;
  }

  std::optional<Error> create_objects(const cases::Case& value);
  /// Creates a new namespace with the labels of the Case's own, and the service account that a controller
  /// would add. Nothing that the server has cached for an earlier namespace applies to a new one.
  std::optional<Error> create_namespace(const cases::Case& value) {
    const Value* own = value.cluster.find("Namespace", "", namespace_name);
    Value labels = own != nullptr ? (*own)["metadata"]["labels"] : Value();
    if (!labels.is_object()) labels = Value::empty_object();
    const Value* stored = value.cluster.find("ServiceAccount", namespace_name, "default");
    Value account{{"apiVersion", "v1"}, {"kind", "ServiceAccount"}, {"metadata", {{"name", "default"}}}};
    if (stored != nullptr) account = *stored;
    if (auto problem = created.create("/api/v1/namespaces", namespace_object(std::move(labels))))
      return problem;
    return created.create(in_namespace("/serviceaccounts"), account, true);
  }
  Value namespace_object(Value labels) const {
    return {{"apiVersion", "v1"},
            {"kind", "Namespace"},
            {"metadata", {{"name", namespace_name}, {"labels", labels}}}};
  }

  /// Allows the user of the Case, if it names one, to create and update Pods in the namespace.
  std::optional<Error> allow_user(const cases::Case& value) {
    if (!is_impersonated) return std::nullopt;
    const std::string rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/" + namespace_name;
    if (auto problem = created.create(rbac + "/roles", role_for_pods())) return problem;
    return created.create(rbac + "/rolebindings", binding_of(value.request.user_info->username));
  }

  std::optional<Error> part_from_others(const cases::Case& value);
  /// Deletes the Case's objects; the namespace and its service account last, when the webhooks are no longer
  /// called.
  std::optional<Error> clear(std::size_t before) {
    const std::size_t kept = before + 2;  // the namespace and its account
    created.remove_from(std::min(kept, created.paths().size()));
    auto late = wait_until(false);
    created.remove_from(before);
    return late;
  }

  /// Creates the old Pod of an update before any webhook is registered, and puts it into the Case.
  std::optional<Error> store_old(cases::Case& value) {
    if (!value.request.is_update()) return std::nullopt;
    const Value pod = to_store(value.request.old_object);
    if (auto problem = created.create(collection_of(value), pod)) return problem;
    auto stored = rest.send("GET", created.paths().back());
    if (stored) stored = with_status(value, *std::move(stored));
    if (!stored) return stored.error();
    return put_stored(value, stored->body);
  }

  /// A creation drops the status; that of a Pod is the kubelet's.
  Result<RestAnswer> with_status(const cases::Case& value, RestAnswer stored) {
    const cases::Kind kind = cases::kind_of(value.request, value.cluster);
    const Value& status = value.request.old_object["status"];
    if (kind.is_pod() || !kind.has_subresource("status") || status.empty()) return stored;
    Value object = stored.body;
    object.set("status", status);
    auto answer = rest.send("PUT", created.paths().back() + "/status", object);
    if (answer && answer->status != 200)
      return Error{"the server refuses the status of the stored object: " +
                   std::string(answer->body["message"].text())};
    return answer;
  }

  Result<RestAnswer> ask(const cases::Case& value) {
    stage.arm();
    const cases::Request& request = value.request;
    std::string path = collection_of(value);
    if (request.is_update()) path += "/" + std::string(request.old_object["metadata"]["name"].text());
    if (!request.sub_resource.empty()) path += "/" + request.sub_resource;
    path += "?fieldValidation=Ignore&fieldManager=fixpoint";
    if (!options.stores) path += "&dryRun=All";
    auto answer =
        rest.send(request.is_update() ? "PUT" : "POST", path, request.object,
                  is_impersonated ? impersonation_of(request.user_info) : std::vector<std::string>());
    // A server that panics resets the stream, and goes on.
    if (!answer && rest.send("GET", "/version")) return RestAnswer{};
    return answer;
  }

  std::string why_not_runnable(const cases::Case& given);
  /// Creates everything that the Case needs in its namespace.
  std::optional<Error> set_up(cases::Case& value) {
    auto problem = create_namespace(value);
    if (!problem) problem = create_objects(value);
    if (!problem) problem = part_from_others(value);
    if (!problem) problem = allow_user(value);
    if (!problem) problem = store_old(value);
    if (!problem) problem = register_policies(value);
    return problem ? problem : register_all(value);
  }

  /// Learns as whom the requests of this run are known (authentication.k8s.io/v1 SelfSubjectReview).
  void learn_user() {
    const auto said = rest.send("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews",
                                {{"apiVersion", "authentication.k8s.io/v1"}, {"kind", "SelfSubjectReview"}});
    if (said && is_good(*said)) user = webhooks::read_user(said->body["status"]["userInfo"]);
  }

  /// Returns the Case as it runs: with the user as the server knows it. An error that says why, if the Case
  /// cannot run.
  Result<cases::Case> placed(const cases::Case& given) {
    if (!given.request.user_info && !user && reads_user(given.cluster))
      return Error{"it reads the request's user, and the server does not say who this run is"};
    auto value = as_run(given, namespace_name, version, !options.stores);
    if (!value) return value;
    is_impersonated = value->request.user_info.has_value();
    if (!is_impersonated) value->request.user_info = user;
    return value;
  }
};

/// Waits until the API server uses the configurations, or no longer uses them. It reads them in the order
/// of their creation, and the probe is the last one created and the last one deleted.
std::optional<Error> LiveCluster::Hidden::wait_until(bool is_there) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(options.patience_seconds);
  std::string refusal;
  while (std::chrono::steady_clock::now() < end) {
    const int before = stage.probes(Phase::mutating), judged_before = stage.probes(Phase::validating);
    auto answer = rest.send("POST", in_namespace("/pods?dryRun=All"), probe_pod());
    if (!answer) return std::move(answer).error();
    if (calls_validators) {
      auto judged = rest.send("POST", in_namespace("/configmaps?dryRun=All"), probe_map());
      if (!judged) return std::move(judged).error();
    }
    refusal = is_good(*answer) ? "" : text_of(*answer);
    const bool are_policies_seen = answer->body["metadata"]["labels"][kPoliciesSeen].is_string();
    const bool is_late = is_there && has_policies && !are_policies_seen;
    const bool is_right =
        (stage.probes(Phase::mutating) > before) == is_there &&
        (!calls_validators || (stage.probes(Phase::validating) > judged_before) == is_there);
    if (is_right && !is_late) return std::nullopt;
    std::this_thread::sleep_for(kPause);
  }
  // A judge of a probe Pod hides whether a policy changed it.
  if (is_there && has_policies && !refusal.empty()) return Error{"a probe Pod is refused there: " + refusal};
  if (is_there && has_policies && was_called) {
    sees_params = !has_params;
    return Error{sees_params ? "the policies were not used" : kUnseenParams};
  }
  return Error{is_there ? "the webhooks were not called: can the API server reach " + server.base() + "?"
                        : "deleted webhooks were still called"};
}

/// Creates the objects that the server itself reads.
std::optional<Error> LiveCluster::Hidden::create_objects(const cases::Case& value) {
  for (const Value& object : value.cluster.objects) {
    for (const Place& place : kPlaces) {
      if (object["kind"].text() != place.kind || (place.kind == "ConfigMap" && !has_params)) continue;
      if (place.has_namespace && object["metadata"]["namespace"].text() != namespace_name) continue;
      const std::string collection =
          std::string(place.group) +
          (place.has_namespace ? "/namespaces/" + namespace_name + "/" : std::string("/")) + place.resource;
      const bool is_default =
          place.kind == "ServiceAccount" && object["metadata"]["name"].text() == "default";
      if (is_default) continue;
      if (auto problem = created.create(collection, object, place.kind == "ConfigMap")) return problem;
    }
  }
  return std::nullopt;
}

/// Waits for other runs of `live` where a default PriorityClass would mix them: that of this Case goes to
/// their Pods, theirs to that of this Case. A run writes its namespace or class before it looks for those
/// of others, so that one of two notices the other.
std::optional<Error> LiveCluster::Hidden::part_from_others(const cases::Case& value) {
  const bool has_default =
      std::any_of(value.cluster.objects.begin(), value.cluster.objects.end(), [](const Value& object) {
        return object["kind"].text() == "PriorityClass" && object["globalDefault"].is_true();
      });
  const std::string collection =
      has_default ? "/api/v1/namespaces" : "/apis/scheduling.k8s.io/v1/priorityclasses";
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(options.patience_seconds);
  while (true) {
    const auto all = rest.send("GET", collection);
    if (!all) return all.error();
    const auto objects = all->body["items"].elements();
    const auto other = std::find_if(objects.begin(), objects.end(), [&](const Value& object) {
      const std::string_view name = object["metadata"]["name"].text();
      const bool counts =
          has_default ? object["metadata"]["deletionTimestamp"].is_null() : object["globalDefault"].is_true();
      return counts && name.starts_with(kNamePrefix) && !name.starts_with(prefix);
    });
    if (other == objects.end()) return std::nullopt;
    const std::string name((*other)["metadata"]["name"].text());
    if (has_default) return Error{"a default PriorityClass would reach the Pods of another run: " + name};
    if (std::chrono::steady_clock::now() > end)
      return Error{"another run has a default PriorityClass meanwhile: " + name};
    std::this_thread::sleep_for(kPause);
  }
}

/// Returns why the Case cannot run in this cluster; an empty text if it can.
std::string LiveCluster::Hidden::why_not_runnable(const cases::Case& given) {
  if (const Value* object = cluster_wide_object(given);
      object != nullptr && !options.allows_cluster_objects) {
    return std::string((*object)["kind"].text()) + " \"" + std::string((*object)["metadata"]["name"].text()) +
           "\" would be seen by the whole cluster: --allow-cluster-objects creates it";
  }
  has_policies = given.cluster.has_kind(cases::kPolicy);
  has_params = conformance::has_params(given);
  calls_validators = has_validators(given);
  if (const std::string why = why_not(given); !why.empty()) return why;
  if (auto problem = keep_params()) return problem->text();
  const cases::Kind kind = cases::kind_of(given.request, given.cluster);
  if (kind.is_custom()) {
    if (!options.allows_cluster_objects)
      return "the definition of " + kind.resource() +
             " would be seen by the whole cluster: "
             "--allow-cluster-objects creates it";
    if (auto problem = types.keep(kind)) return problem->text();
  }
  return "";
}

LiveCluster::LiveCluster(std::unique_ptr<Hidden> hidden) : hidden_(std::move(hidden)) {}

Result<std::unique_ptr<LiveCluster>> LiveCluster::start(const LiveClusterOptions& options) {
  auto hidden = std::make_unique<Hidden>(options);
  auto info = hidden->rest.send("GET", "/version");
  if (!info) return std::move(info).error();
  if (!is_good(*info)) return Error{text_of(*info), options.server.server};
  hidden->version = version_of(info->body);
  hidden->learn_user();
  hidden->server.make_authority();
  return std::unique_ptr<LiveCluster>(new LiveCluster(std::move(hidden)));
}

LiveCluster::~LiveCluster() { hidden_->created.remove_from(0); }

Result<LiveAnswer> LiveCluster::run(const cases::Case& given) {
  Hidden& own = *hidden_;
  if (const std::string why = own.why_not_runnable(given); !why.empty())
    return LiveAnswer{.not_runnable = why};
  const cases::Kind kind = cases::kind_of(given.request, given.cluster);
  own.namespace_name = own.prefix + std::to_string(++own.cases);
  auto value = own.placed(given);
  if (!value) return LiveAnswer{.not_runnable = value.error().text()};
  auto handlers = webhooks::handlers(*value, injectors::bundled().resolve);
  if (!handlers) return LiveAnswer{.not_runnable = handlers.error().text()};
  if (auto problem = own.server.serve(*value)) return *std::move(problem);
  own.stage.set(webhooks::with_all_faults(*std::move(handlers), value->faults), value->cluster);
  const std::size_t before = own.created.paths().size();
  if (auto problem = own.set_up(*value)) {
    own.created.remove_from(before);
    return LiveAnswer{.not_runnable = problem->text()};
  }
  if (auto late = own.wait_until(true)) {
    if (!own.was_called) return *std::move(late);
    own.created.remove_from(before);
    return LiveAnswer{.not_runnable = late->text()};
  }
  own.was_called = true;
  auto answer = own.ask(*value);
  if (!answer) return std::move(answer).error();
  const bool has_template = apiserver::makes_pods(kind);
  if (has_template) answer->body = with_placeholders_of_generated(std::move(answer->body), *value);
  const bool is_created = is_good(*answer);
  if (is_created && own.options.stores && !value->request.is_update())
    own.created.paths().push_back(own.collection_of(*value) + "/" +
                                  std::string(answer->body["metadata"]["name"].text()));
  std::vector<Value> calls, warnings(answer->warnings.begin(), answer->warnings.end());
  for (const std::string& call : in_order(own.stage.calls(), *value)) calls.emplace_back(call);
  if (auto late = own.clear(before)) return *std::move(late);
  if (auto why = foreign_answer(*answer, *value, own.prefix); !why.empty())
    return LiveAnswer{.not_runnable = why};
  const bool has_texts = !kind.is_pod() && cases::minor_of(value->cluster) >= kTextsSince;
  return LiveAnswer{
      .line = {{"kind", "live"},
               {"id", given.name},
               {"case", cases::write_case(*value)},
               {"code", answer->status},
               {"calls", calls},
               {"invalid", answer->status == 422 ? invalid_of(answer->body, has_texts) : Value::empty_list()},
               {"warnings", warnings},
               {"object", is_created ? without_fleeting(answer->body, has_template) : Value()}}};
}

Result<LiveAnswer> LiveCluster::run(const cases::Sequence& given) {
  Hidden& own = *hidden_;
  own.namespace_name = own.prefix + std::to_string(++own.cases);
  auto sequence = as_run(given, own.namespace_name);
  if (!sequence) return LiveAnswer{.not_runnable = sequence.error().text()};
  for (const StoredKind& kind : sequence->kinds) {
    if (kind.is_built_in()) continue;
    if (!own.options.allows_cluster_objects)
      return LiveAnswer{.not_runnable = "the type " + kind.kind +
                                        " would be seen by the whole cluster: --allow-cluster-objects "
                                        "creates it"};
    if (auto problem = own.types.keep(kind, own.prefix_of_groups()))
      return LiveAnswer{.not_runnable = problem->text()};
  }
  const std::size_t before = own.created.paths().size();
  for (const auto& [name, there] : sequence->spaces) {
    own.namespace_name = there;
    if (auto problem =
            own.created.create("/api/v1/namespaces", own.namespace_object(Value::empty_object()))) {
      own.created.remove_from(before);
      return LiveAnswer{.not_runnable = problem->text()};
    }
  }
  std::optional<Error> failure;
  auto line = run_there(*std::move(sequence), {own.rest, own.prefix_of_groups()}, failure);
  own.created.remove_from(before);
  if (failure) return *std::move(failure);
  if (!line) return LiveAnswer{.not_runnable = line.error().text()};
  return LiveAnswer{.line = *std::move(line)};
}

std::string fresh_run_id() {
  constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  std::random_device random;
  std::string id;
  for (int i = 0; i < 8; ++i) id.push_back(kLetters[random() % kLetters.size()]);
  return id;
}

}  // namespace fixpoint::conformance
