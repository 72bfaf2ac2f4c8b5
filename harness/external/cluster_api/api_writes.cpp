#include "harness/external/cluster_api/api_writes.h"

#include <algorithm>
#include <utility>

#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/document/patch.h"
#include "harness/external/cluster_api/api_reviews.h"
#include "harness/external/cluster_api/object_selector.h"
#include "harness/external/cluster_api/other_leader.h"
#include "harness/external/cluster_api/protobuf_body.h"

namespace fixpoint::external {

namespace {

using document::Member;
using document::Value;

bool is_protobuf(std::string_view content_type) {
  return content_type.find("protobuf") != std::string_view::npos;
}

bool is_events(const ApiResource& resource) {
  return resource.plural == "events" && (resource.group.empty() || resource.group == "events.k8s.io");
}

Value merged(const Value& base, const Value& patch) {
  if (!patch.is_object()) return patch;
  Value out = base.is_object() ? base : Value::empty_object();
  for (const Member& member : patch.members()) {
    const document::Name name = member.key.name();
    if (member.value.is_null()) {
      out.remove(name);
    } else {
      out.set(name, merged(out[name], member.value));
    }
  }
  return out;
}

class Writing {
 public:
  Writing(const ApiWrite& write, ObjectStore& store)
      : write_(write), request_(write.request), resource_(write.resource), store_(store) {}

  WriteResult answer() {
    const std::string_view verb = request_.verb();
    result_.key = {.namespace_name = request_.path.namespace_name, .name = request_.path.name};
    const bool is_delete = verb.starts_with("delete");
    const auto failure = read_body(is_delete);
    result_.is_dry_run =
        request_.query["dryRun"] == "All" || (is_delete && body_["dryRun"].at(0).text() == "All");
    if (failure && !is_delete) {
      result_.answer = failed(*failure);
      return std::move(result_);
    }
    if (verb == "create") {
      if (auto review = answer_review(request_, resource_, body_, write_.token)) {
        result_.answer = *std::move(review);
        return std::move(result_);
      }
      name_created();
    }
    result_.answer = is_delete ? remove(verb) : write(verb);
    return std::move(result_);
  }

 private:
  Named named() const { return {resource_, result_.key.namespace_name, result_.key.name}; }
  const Value* known() const { return store_.find(resource_.store(), result_.key); }

  /// Reads the body; of one in protobuf only a part. The options of a delete may be absent.
  std::optional<ApiFailure> read_body(bool is_delete) {
    if (is_protobuf(request_.content_type)) {
      auto read = read_protobuf_body(request_.body);
      if (!read) return unsupported_media_type();
      body_ = *std::move(read);
      is_in_part_ = true;
      return std::nullopt;
    }
    if (request_.content_type.find("cbor") != std::string_view::npos) return unsupported_media_type();
    if (is_delete && request_.body.empty()) return std::nullopt;
    auto read = document::read_stream(request_.body, write_.limits, document::Strictness::foreign);
    if (!read) return bad_request("error decoding the body: " + read.error().text());
    const bool is_list = read->size() == 1 && read->front().is_array();
    const bool is_fit = read->size() == 1 && (read->front().is_object() || (is_list && is_json_patch()));
    if (!is_fit) return bad_request("error decoding the body: expected one object");
    body_ = document::without_spellings(read->front());
    return std::nullopt;
  }
  bool is_json_patch() const {
    return request_.method == "PATCH" && request_.content_type.starts_with("application/json-patch");
  }

  /// Takes the name of a new object from the body, or makes one.
  void name_created() {
    if (!result_.key.name.empty()) return;  // of a subresource
    const Value& metadata = body_["metadata"];
    result_.key.name = metadata["name"].text();
    const std::string prefix(metadata["generateName"].text());
    if (result_.key.name.empty() && !prefix.empty())
      result_.key.name = prefix + digest_of(document::write_json(body_), 5);
  }

  /// Returns the object that a create, an update or a patch asks for.
  Value wanted(std::string_view verb) const {
    if (verb != "patch") return body_;
    const Value old = known() == nullptr ? Value::empty_object() : *known();
    if (!is_json_patch()) return merged(old, body_);
    auto patched = document::apply_patch(old, body_, write_.limits);
    return patched.ok() && patched.document.is_object() ? std::move(patched.document) : old;
  }
  Value completed(Value object) const {
    if (!object["metadata"].is_object()) object.set("metadata", Value::empty_object());
    if (!result_.key.name.empty()) object.edit("metadata").set("name", result_.key.name);
    object.set("kind", resource_.kind);
    object.set("apiVersion", resource_.api_version());
    fill_metadata(object, resource_, result_.key);
    return object;
  }

  bool creates_by_patch(std::string_view verb) const {
    return verb == "patch" && request_.content_type.starts_with("application/apply-patch");
  }

  ApiAnswer write(std::string_view verb) {
    const bool is_new = verb == "create" && request_.path.subresource.empty();
    if (is_events(resource_)) return echo(verb);
    if (is_leases(resource_) && !write_.may_lead)
      return failed(is_new ? already_exists(named()) : conflict(named()));
    if (is_new && known() != nullptr) return failed(already_exists(named()));
    if (!is_new && known() == nullptr && !creates_by_patch(verb)) return failed(not_found(named()));
    if (is_leases(resource_)) return put_lease(verb);
    if (result_.is_dry_run) return echo(verb);
    return put_object(verb);
  }

  ApiAnswer echo(std::string_view verb) const {
    if (is_in_part_ && !is_events(resource_) && !is_leases(resource_))
      return failed(unsupported_media_type());
    Value object = completed(wanted(verb));
    if (object["metadata"]["resourceVersion"].is_null())
      object.edit("metadata").set("resourceVersion", std::to_string(store_.version()));
    return {.status = verb == "create" ? 201 : 200, .body = std::move(object)};
  }

  static int status_of(std::string_view verb) { return verb == "create" ? 201 : 200; }

  bool is_outdated(const Value& object) const {
    const std::string_view asked = object["metadata"]["resourceVersion"].text();
    return known() != nullptr && !asked.empty() && asked != (*known())["metadata"]["resourceVersion"].text();
  }

  ApiAnswer put_lease(std::string_view verb) {
    const Value object = wanted(verb);
    if (is_outdated(object)) return failed(conflict(named()));
    if (result_.is_dry_run) return echo(verb);
    result_.has_changed = true;
    return {.status = status_of(verb),
            .body = store_.put(resource_.store(), result_.key, completed(object)).object};
  }

  /// Stores the object until the next cluster is shown. The status of an object is a part of it; what other
  /// subresources make is not kept.
  ApiAnswer put_object(std::string_view verb) {
    Value object = wanted(verb);
    if (is_outdated(object)) return failed(conflict(named()));
    const std::string_view below = request_.path.subresource;
    if (!below.empty() && below != "status") return echo(verb);
    if (known() != nullptr && is_in_part_) object = *known();
    if (known() != nullptr && !below.empty()) {
      Value status = object["status"];
      object = *known();
      object.set("status", std::move(status));
    }
    if (!takes_one_more()) return failed(too_many_writes());
    return {.status = status_of(verb),
            .body = store_.put_for_now(resource_.store(), result_.key, completed(std::move(object))).object};
  }

  bool takes_one_more() {
    if (write_.changes_so_far >= write_.limits.cluster_accesses_max) return false;
    return result_.has_changed = result_.is_for_now = true;
  }

  ApiAnswer remove(std::string_view verb) {
    const bool is_one = verb == "delete";
    if (is_one && known() == nullptr && !is_events(resource_)) return failed(not_found(named()));
    if (!result_.is_dry_run && !is_events(resource_)) {
      if (!is_leases(resource_) && !takes_one_more()) return failed(too_many_writes());
      result_.has_changed = true;
      if (is_one) {
        store_.remove(resource_.store(), result_.key);
      } else if (const auto failure = remove_selected()) {
        return failed(*failure);
      }
    }
    Value details{{"kind", resource_.plural}};
    if (is_one) details.set("name", result_.key.name);
    return {.status = 200,
            .body = {{"kind", "Status"},
                     {"apiVersion", "v1"},
                     {"metadata", Value::empty_object()},
                     {"status", "Success"},
                     {"details", details}}};
  }

  std::optional<ApiFailure> remove_selected() {
    const auto selector = ObjectSelector::read(
        {.labels = request_.query["labelSelector"], .fields = request_.query["fieldSelector"]}, resource_);
    if (!selector) return bad_request(selector.error().text());
    std::vector<ObjectKey> gone;
    for (const auto& [key, object] : store_.objects(resource_.store()))
      if (key.namespace_name == result_.key.namespace_name && selector->selects(object)) gone.push_back(key);
    for (const ObjectKey& key : gone) store_.remove(resource_.store(), key);
    return std::nullopt;
  }

  const ApiWrite& write_;
  const ApiRequest& request_;
  const ApiResource& resource_;
  ObjectStore& store_;
  Value body_ = {};
  bool is_in_part_ = false;  ///< of a body in protobuf only what decides is known
  WriteResult result_ = {};
};

}  // namespace

WriteResult answer_write(const ApiWrite& write, ObjectStore& store) { return Writing(write, store).answer(); }

}  // namespace fixpoint::external
