#include "harness/external/cluster_api/view_state.h"

#include <algorithm>
#include <utility>

#include "harness/external/cluster_api/api_reviews.h"
#include "harness/external/cluster_api/api_writes.h"
#include "harness/external/cluster_api/discovery.h"
#include "harness/external/cluster_api/other_leader.h"

namespace fixpoint::external {

namespace {

using document::Value;
using Target = ApiPath::Target;
using Streams = ViewState::Streams;

/// The length of a watch that asks for none.
constexpr std::int64_t kWatchSeconds = 1800;

bool is_same(const std::vector<Value>& a, const std::vector<Value>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Value& one, const Value& other) { return one.same(other); });
}

/// Returns true if a path has a namespace where the resource needs one. A collection of a namespaced resource
/// may be of all namespaces.
bool is_well_placed(const ApiPath& path, const ApiResource& resource) {
  if (!resource.is_namespaced) return path.namespace_name.empty();
  return path.name.empty() || !path.namespace_name.empty();
}

bool is_read_verb(std::string_view verb) { return verb == "get" || verb == "list" || verb == "watch"; }

ApiAccess access_of(const ApiRequest& request, const ApiResource* resource) {
  const ApiPath& path = request.path;
  return {.verb = std::string(request.verb()),
          .group = path.group,
          .version = path.version,
          .resource = path.plural,
          .subresource = path.subresource,
          .kind = resource == nullptr ? "" : resource->kind,
          .is_namespaced = resource == nullptr || resource->is_namespaced,
          .namespace_name = path.namespace_name,
          .name = path.name,
          .label_selector = std::string(request.query["labelSelector"]),
          .field_selector = std::string(request.query["fieldSelector"])};
}

}  // namespace

ViewState::ViewState(const Limits& limits, std::string token,
                     std::shared_ptr<std::atomic<std::size_t>> open_watches, std::string ca_pem)
    : limits_(limits),
      token_(std::move(token)),
      ca_pem_(std::move(ca_pem)),
      open_watches_(std::move(open_watches)),
      store_(limits) {
  show({}, {}, {});
}

ViewState::~ViewState() { close(); }

webhooks::HttpAnswer ViewState::answer(const webhooks::HttpRequest& http) {
  const ApiRequest request(http);
  if (request.path.target == Target::openapi_v2 && http.accept.find("protobuf") != std::string::npos)
    return {.body = openapi_v2_protobuf(), .content_type = kOpenapiV2Protobuf};
  if (request.form == AnswerForm::none) return http_answer(failed(not_acceptable()));
  return http_answer(answer_now(request));
}

ApiAnswer ViewState::answer_now(const ApiRequest& request) {
  const Lock lock(mutex_);
  if (is_closed_) return failed(unauthorized());
  if (auto answer = answer_path(request)) return *std::move(answer);
  return answer_resource(request);
}

std::optional<ApiAnswer> ViewState::answer_path(const ApiRequest& request) {
  const ApiPath& path = request.path;
  if (path.target == Target::resource) return std::nullopt;
  if (path.target == Target::unknown || path.target == Target::health) return failed(unknown_path());
  if (request.method != "GET" && request.method != "HEAD") return failed(method_not_allowed());
  if (path.target == Target::root) return ApiAnswer{.body = {{"paths", Value::list({"/api", "/apis"})}}};
  if (path.target == Target::version) {
    was_version_read_ = true;
    return ApiAnswer{.body = version_document(cluster_.version)};
  }
  if (path.target == Target::openapi_v2) return ApiAnswer{.body = openapi_v2_document()};
  const bool is_top = path.target == Target::core_versions || path.target == Target::groups;
  if (is_top && request.form == AnswerForm::discovery)
    return ApiAnswer{.body = aggregated_discovery(path, *resources_), .content_type = kDiscoveryType};
  auto document = discovery_document(path, *resources_);
  return document ? ApiAnswer{.body = *std::move(document)} : failed(unknown_path());
}

ApiAnswer ViewState::answer_resource(const ApiRequest& request) {
  const ApiPath& path = request.path;
  const ApiResource* resource = resources_->find(path.group, path.version, path.plural);
  ApiAccess access = access_of(request, resource);
  was_read_ = true;
  ApiAnswer answer = resource == nullptr || !is_well_placed(path, *resource)
                         ? failed(unknown_path())
                         : answer_verb(request, *resource, access);
  access.status = answer.status;
  record(std::move(access));
  return answer;
}

ApiAnswer ViewState::answer_verb(const ApiRequest& request, const ApiResource& resource, ApiAccess& access) {
  const std::string_view verb = request.verb(), below = request.path.subresource;
  const bool is_status = below == "status" && (resource.is_custom || resource.has_subresource(below));
  if (!below.empty() && !is_status && !resource.has_subresource(below)) return failed(unknown_path());
  if (verb.empty() || (resource.is_only_created && verb != "create")) return failed(method_not_allowed());
  if (!is_read_verb(verb)) return write(request, resource, access);
  if (!below.empty() && !is_status) return failed(method_not_allowed());
  return read(request, resource, verb);
}

ApiAnswer ViewState::read(const ApiRequest& request, const ApiResource& resource, std::string_view verb) {
  const Named named{resource, request.path.namespace_name, request.path.name};
  if (const ReadFault* fault = fault_of(resource)) {
    if (fault->fault == "403") return failed(forbidden(named, kApiUser, verb));
    if (fault->fault == "404") return failed(verb == "get" ? not_found(named) : unknown_path());
    if (fault->fault == "500") return failed(internal_error("this read fails on purpose"));
    if (fault->fault == "timeout") {
      ApiAnswer answer = failed(timed_out());
      answer.delay = std::chrono::milliseconds(limits_.cluster_timeout_milliseconds);
      return answer;
    }
  }
  if (verb == "get") return get(request, resource);
  auto selector = ObjectSelector::read(
      {.labels = request.query["labelSelector"], .fields = request.query["fieldSelector"]}, resource);
  if (!selector) return failed(bad_request(selector.error().text()));
  if (!request.path.name.empty()) selector->require_name(request.path.name);
  const auto [options, failure] = read_list_options(request.query, verb == "watch");
  if (failure) return failed(*failure);
  return verb == "list" ? list(request, resource, options, *selector)
                        : watch(request, resource, options, *selector);
}

ApiAnswer ViewState::get(const ApiRequest& request, const ApiResource& resource) const {
  const ObjectKey key{.namespace_name = request.path.namespace_name, .name = request.path.name};
  const ObjectForm form{.form = request.form, .include_object = std::string(request.query["includeObject"])};
  Value object;
  if (!may_lead_ && is_leases(resource)) {
    object = lease_of_other_leader(resource, key);
  } else if (is_stale(resource)) {
    const auto objects = store_.objects_at(resource.store(), version_before_);
    if (const auto found = objects.find(key); found != objects.end()) object = found->second;
  } else if (const Value* found = store_.find(resource.store(), key)) {
    object = *found;
  }
  if (object.is_null()) return failed(not_found({resource, key.namespace_name, key.name}));
  return {.body = form.of(object, resource)};
}

ApiAnswer ViewState::list(const ApiRequest& request, const ApiResource& resource, const ListOptions& options,
                          const ObjectSelector& selector) const {
  std::uint64_t version = 0;
  const auto objects = readable(resource, version);
  const std::uint64_t asked = options.version.value_or(0);
  if (asked > store_.version()) return failed(too_large_version(asked, store_.version()));
  if (options.is_exact && asked != version) return failed(expired(asked, version));
  std::vector<Value> selected;
  for (const auto& [key, object] : objects) {
    const bool is_here =
        request.path.namespace_name.empty() || request.path.namespace_name == key.namespace_name;
    if (is_here && selector.selects(object)) selected.push_back(object);
  }
  const ObjectForm form{.form = request.form, .include_object = std::string(request.query["includeObject"])};
  return {.body = form.of_list(selected, resource, version)};
}

ApiAnswer ViewState::watch(const ApiRequest& request, const ApiResource& resource, const ListOptions& options,
                           const ObjectSelector& selector) {
  forget_ended_watches();
  if (open_watches_->fetch_add(1) >= limits_.cluster_watches_max) {
    --*open_watches_;
    return failed(too_many_watches());
  }
  const std::int64_t seconds = options.timeout_seconds.value_or(kWatchSeconds);
  auto stream = std::make_shared<webhooks::HttpStream>(limits_.cluster_unsent_bytes_max);
  watches_.emplace_back(
      WatchTerms{
          .resources = resources_,
          .resource = &resource,
          .namespace_name = request.path.namespace_name,
          .selector = selector,
          .form = {.form = request.form, .include_object = std::string(request.query["includeObject"])},
          .allows_bookmarks = options.allows_bookmarks,
          .until = ServedWatch::Clock::now() +
                   std::chrono::seconds(std::clamp<std::int64_t>(seconds, 1, 24L * 60 * 60))},
      stream);
  ServedWatch& watch = watches_.back();
  std::uint64_t version = 0;
  const std::uint64_t asked = options.version.value_or(0);
  if (options.sends_initial.value_or(asked == 0)) {
    const auto objects = readable(resource, version);
    if (asked > store_.version()) {
      watch.fail(expired(asked, store_.version()));
    } else {
      watch.send_initial(objects, version, options.sends_initial.has_value() && options.allows_bookmarks);
    }
  } else {
    watch.begin_after(asked == 0 ? store_.version() : asked);
    if (!is_stale(resource)) watch.catch_up(store_);
  }
  return {.stream = std::move(stream)};
}

ApiAnswer ViewState::write(const ApiRequest& request, const ApiResource& resource, ApiAccess& access) {
  WriteResult result = answer_write({.request = request,
                                     .resource = resource,
                                     .token = token_,
                                     .limits = limits_,
                                     .changes_so_far = changes_for_now_,
                                     .may_lead = may_lead_},
                                    store_);
  access.is_dry_run = result.is_dry_run;
  if (access.verb == "create" && !resource.is_only_created) access.name = result.key.name;
  changes_for_now_ += result.is_for_now ? 1 : 0;
  if (result.has_changed) catch_up_watches();
  return std::move(result.answer);
}

const ReadFault* ViewState::fault_of(const ApiResource& resource) const {
  const auto found = std::find_if(faults_.begin(), faults_.end(), [&](const ReadFault& fault) {
    return fault.resource == "*" || fault.resource == resource.plural;
  });
  return found == faults_.end() ? nullptr : &*found;
}

bool ViewState::is_stale(const ApiResource& resource) const {
  const ReadFault* fault = fault_of(resource);
  return fault != nullptr && fault->fault == "stale";
}

ObjectStore::Objects ViewState::readable(const ApiResource& resource, std::uint64_t& version) const {
  version = is_stale(resource) ? version_before_ : store_.version();
  return is_stale(resource) ? store_.objects_at(resource.store(), version) : store_.objects(resource.store());
}

void ViewState::record(ApiAccess access) {
  std::size_t& count = is_read_verb(access.verb) || !access.is_write() ? reads_ : writes_;
  if (count >= limits_.cluster_accesses_max) return;
  ++count;
  accesses_.push_back(std::move(access));
}

Streams ViewState::catch_up_watches() {
  Streams streams;
  for (ServedWatch& watch : watches_) {
    if (!watch.is_open() || is_stale(watch.resource())) continue;
    if (watch.catch_up(store_)) streams.push_back(watch.stream());
  }
  return streams;
}

void ViewState::forget_ended_watches() {
  *open_watches_ -= std::erase_if(watches_, [](const ServedWatch& watch) { return !watch.is_open(); });
}

Streams ViewState::show(const cases::Cluster& cluster, std::string_view request_namespace,
                        const std::vector<ReadFault>& faults) {
  const Lock lock(mutex_);
  const bool is_same_cluster = is_shown_ && changes_for_now_ == 0 &&
                               is_same(cluster.objects, cluster_.objects) &&
                               request_namespace == request_namespace_;
  if (is_same_cluster && faults == faults_ && cluster.version == cluster_.version) return {};
  if (!is_same_cluster) version_before_ = store_.version();
  const auto definitions = definitions_of(cluster);
  if (!is_same(definitions, definitions_of(cluster_)))
    resources_ = std::make_shared<ServedResources>(definitions);
  const ShownCluster shown = shown_cluster(cluster, request_namespace, *resources_, ca_pem_);
  store_.show(shown);
  cluster_ = cluster;
  request_namespace_ = request_namespace;
  faults_ = faults;
  notes_ = shown.notes;
  is_shown_ = true;
  changes_for_now_ = 0;
  return catch_up_watches();
}

void ViewState::let_lead(bool may_lead) {
  const Lock lock(mutex_);
  may_lead_ = may_lead;
}

std::vector<ApiAccess> ViewState::take_accesses() {
  const Lock lock(mutex_);
  reads_ = writes_ = 0;
  return std::exchange(accesses_, {});
}

bool ViewState::was_read() const {
  const Lock lock(mutex_);
  return was_read_;
}

bool ViewState::has_watches() const {
  const Lock lock(mutex_);
  return std::any_of(watches_.begin(), watches_.end(),
                     [](const ServedWatch& watch) { return watch.is_open(); });
}

std::vector<std::string> ViewState::notes() const {
  const Lock lock(mutex_);
  return notes_;
}

void ViewState::tick(std::chrono::steady_clock::time_point now) {
  const Lock lock(mutex_);
  for (ServedWatch& watch : watches_) watch.tick(now);
  forget_ended_watches();
}

void ViewState::close() {
  const Lock lock(mutex_);
  is_closed_ = true;
  for (const ServedWatch& watch : watches_) watch.stream()->end();
  forget_ended_watches();
}

}  // namespace fixpoint::external
