#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "harness/apiserver/custom/scale_paths.h"
#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/decoding/objects.h"
#include "harness/apiserver/decoding/other_kinds.h"
#include "harness/apiserver/decoding/server_status.h"
#include "harness/apiserver/decoding/strict_fields.h"
#include "harness/apiserver/plugins/plugins.h"
#include "harness/apiserver/registry/registry.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/apiserver/types/equality.h"
#include "harness/apiserver/types/metadata_types.h"
#include "harness/apiserver/types/plain_types.h"
#include "harness/apiserver/validation/checks.h"
#include "harness/document/joined.h"
#include "harness/document/server_text.h"

// The strategy of the subresource scale: webhooks get a Scale, whose number of replicas is put into the
// object that is scaled, which its own strategy stores (ScaleREST.Update and
// scaleUpdatedObjectInfo.UpdatedObject in apiextensions-apiserver/pkg/registry/customresource/etcd.go and
// pkg/registry/apps/*/storage/storage.go).
namespace fixpoint::apiserver {

namespace {

using cases::Kind;
using cases::Request;
using document::Error;
using document::Result;
using document::Text;
using document::Value;

/// The replicas in the old Scale of a custom resource that has none.
constexpr std::int64_t kNoReplicas = -2147483648;

const Kind& scale_kind() {
  static const Kind kScaleKind{.group = "autoscaling", .version = "v1", .name = "Scale", .plural = "scales"};
  return kScaleKind;
}

/// The request as an update of the object that is scaled.
Request update_of_scaled(const Request& request) {
  Request update = request;
  update.sub_resource.clear();
  update.object = update.old_object = request.stored();
  return update;
}

/// A label selector in one line, as clients send it (labels.Selector String).
std::string selector_text(const Value& selector) {
  std::vector<std::pair<std::string, std::string>> terms;
  for (const document::Member& label : selector["matchLabels"].members()) {
    const std::string key(label.key.text());
    terms.emplace_back(key, key + "=" + std::string(label.value.text()));
  }
  for (const Value& expression : selector["matchExpressions"].elements()) {
    const std::string key(expression["key"].text());
    const std::string_view op = expression["operator"].text();
    std::vector<std::string> values;
    for (const Value& value : expression["values"].elements()) values.emplace_back(value.text());
    std::sort(values.begin(), values.end());
    const std::string list = " (" + document::joined(values, ",") + ")";
    terms.emplace_back(key, op == "Exists"         ? key
                            : op == "DoesNotExist" ? "!" + key
                            : op == "In"           ? key + " in" + list
                                                   : key + " notin" + list);
  }
  std::stable_sort(terms.begin(), terms.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> texts;
  for (auto& [key, text] : terms) texts.push_back(std::move(text));
  return document::joined(texts, ",");
}

struct Replicas {
  bool is_found = true;
  std::int64_t wanted = 0, there = 0;
  std::string selector = {}, problem = {};
};

Replicas replicas_in(const Value& object, const Kind& kind) {
  const Value& paths = custom::scale_paths_of(kind);
  if (!kind.is_custom())
    return {.wanted = object["spec"]["replicas"].integer().value_or(0),
            .there = object["status"]["replicas"].integer().value_or(0),
            .selector = selector_text(object["spec"]["selector"])};
  const auto wanted = custom::nested_number(object, paths["specReplicasPath"].text()),
             there = custom::nested_number(object, paths["statusReplicasPath"].text());
  custom::Nested selector;
  if (const Value& path = paths["labelSelectorPath"]; !path.is_null())
    selector = custom::nested_text(object, path.text());
  std::string problem = wanted.problem;
  for (const auto& other : {there, selector})
    if (problem.empty()) problem = other.problem;
  return {wanted.is_found, static_cast<std::int32_t>(wanted.number), static_cast<std::int32_t>(there.number),
          selector.text, problem};
}

Value scale_with(const Value& object, const Replicas& replicas) {
  Value metadata = Value::empty_object();
  for (const char* kept : {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"})
    if (const Value* member = object["metadata"].find(kept); member != nullptr) metadata.set(kept, *member);
  Value scale{{"kind", "Scale"},
              {"apiVersion", "autoscaling/v1"},
              {"metadata", std::move(metadata)},
              {"spec", Value::empty_object()},
              {"status", {{"replicas", replicas.there}}}};
  if (replicas.wanted != 0) scale.edit("spec").set("replicas", replicas.wanted);
  if (!replicas.selector.empty()) scale.edit("status").set("selector", replicas.selector);
  return scale;
}

Result<Received> receive_scale(const Request& request, const Kind& kind, int minor) {
  if (!kind.has_subresource("scale"))
    return Error{"expected a kind with the subresource scale, found " + kind.resource(),
                 "/request/subResource"};
  auto scaled = strategy_of(kind).receive(update_of_scaled(request), kind, minor);
  if (!scaled) return scaled;
  auto sent = decode_kind(scale_kind(), kScale, request.object, minor);
  if (!sent) return std::move(sent).error().within("/request/object");
  Replicas before = replicas_in(scaled->old_object, kind);
  if (!before.problem.empty()) return Error{before.problem, "/request/oldObject"};
  if (!before.is_found) before.wanted = kNoReplicas;
  Received received{.object = *std::move(sent), .old_object = scale_with(scaled->old_object, before)};
  if (kind.is_namespaced && received.object["metadata"]["namespace"].text().empty())
    put_member(received.object.edit("metadata"), kObjectMeta, "namespace", request.namespace_name);
  return received;
}

Result<Value> decode_scale(const Value& patched, const Kind&, int minor) {
  return decode_object_of(scale_kind(), kScale, patched, minor);
}

std::vector<std::string> strict_as_scale(const Value& patched, int minor) {
  return patched["kind"].text() == "Scale" ? strict_problems(kScale, patched, minor)
                                           : strict_problems_of_other_kind(patched, minor);
}

Value as_it_is(Value object, const Kind&, int) { return object; }

bool is_same_scale(const Value& before, const Value& after) {
  return semantically_equal_as(kScale, before, after);
}

Result<Value> convert_scale(const Value& object, const Kind&) {
  const std::string_view version = object["apiVersion"].text(), name = object["kind"].text();
  if (name == "Scale" && version == "autoscaling/v1") return object;
  return Error{Text("converting ({}.{}) to ({}.{}): unknown conversion")
                   .with({version.substr(version.rfind('/') + 1), name, "autoscaling", "Scale"})};
}

/// ValidateScale, which is asked of the kinds of Kubernetes alone.
Stored refuse_invalid_scale(const Value& scale, int minor) {
  validation::Errors errors(minor);
  const validation::Path metadata("metadata"), spec("spec");
  validation::check_metadata(scale["metadata"], metadata, validation::MetadataRules::of_all, errors);
  if (const std::string_view name = scale["metadata"]["name"].text(); !name.empty())
    errors.invalid(metadata.child("name"), name, validation::check_dns_subdomain(name));
  if (scale["spec"]["replicas"].integer().value_or(0) < 0)
    errors.invalid(spec.child("replicas"), scale["spec"]["replicas"],
                   Text("must be greater than or equal to 0"));
  Stored stored{.object = scale, .invalid = std::move(errors).take_sorted()};
  refuse_invalid(stored);
  return stored;
}

Stored store_scale(const Request& request, const Kind& kind, const Value& scale, const Value&, int minor,
                   const StoreOptions& options) {
  const std::int64_t replicas = scale["spec"]["replicas"].integer().value_or(0);
  const std::string_view path = custom::scale_paths_of(kind)["specReplicasPath"].text();
  if (kind.is_custom() && replicas == kNoReplicas)
    return {.status = bad_request(
                Text("the spec replicas field {} cannot be empty").with({document::go_quoted(path)}))};
  if (!kind.is_custom())
    if (Stored refused = refuse_invalid_scale(scale, minor); refused.status) return refused;
  const Request update = update_of_scaled(request);
  const Strategy& strategy = strategy_of(kind);
  const auto before = strategy.receive(update, kind, minor);
  if (!before) return {.status = bad_request(before.error().message)};
  const Value scaled =
      custom::with_number(before->old_object, kind.is_custom() ? path : "spec.replicas", replicas);
  Stored stored = strategy.store(update, kind, scaled, before->old_object, minor, {.warns = options.warns});
  if (!stored.status) stored.object = scale_of(strategy.read_back(stored.object, kind, minor), kind);
  return stored;
}

Value read_back_scale(const Value& stored, const Kind&, int) { return stored; }

}  // namespace

Value scale_of(const Value& object, const Kind& kind) {
  return scale_with(object, replicas_in(object, kind));
}

const Strategy kScaleStrategy{.type = &kScale,
                              .has_nanoseconds = true,
                              .receive = receive_scale,
                              .run_plugins = run_lifecycle,
                              .decode = decode_scale,
                              .strict_problems = strict_as_scale,
                              .with_defaults = as_it_is,
                              .is_same = is_same_scale,
                              .convert = convert_scale,
                              .store = store_scale,
                              .read_back = read_back_scale};

}  // namespace fixpoint::apiserver
