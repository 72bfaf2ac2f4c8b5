#include <algorithm>
#include <charconv>
#include <set>

#include "harness/cases/admission_plugins.h"
#include "harness/cases/case.h"
#include "harness/cases/faults.h"
#include "harness/cases/minors.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/fields.h"

namespace fixpoint::cases {

namespace {

using document::Fields;

void read_user(Fields& fields, Request& request) {
  fields.object("userInfo", [&](Fields& user) {
    UserInfo& info = request.user_info.emplace();
    user.optional("username", info.username);
    user.optional("uid", info.uid);
    user.optional("groups", info.groups);
    user.map("extra", [&](const std::string& key, const Value& values, const std::string&) {
      for (const Value& value : values.elements()) info.extra[key].emplace_back(value.text());
    });
    user.finish();
  });
}

void read_request(Fields& fields, Request& request) {
  fields.choice("operation", request.operation, {"CREATE", "UPDATE"});
  fields.optional("namespace", request.namespace_name);
  const std::string_view kind = fields.get("object")["kind"].text();
  if (kind.empty() || kind == "Pod")
    fields.choice("subResource", request.sub_resource, {"", "ephemeralcontainers", "resize"});
  else
    fields.choice("subResource", request.sub_resource, {"", "status", "scale"});
  fields.optional("dryRun", request.dry_run);
  read_user(fields, request);
  fields.optional("managedFields", request.managed_fields);
  fields.required("object", request.object);
  fields.optional("oldObject", request.old_object);
  fields.finish();
  if (request.namespace_name.empty()) request.namespace_name = "default";
  if (request.is_update() && request.old_object.is_null()) {
    fields.fail("oldObject", "expected the stored object of an UPDATE, found nothing");
  }
  if (!request.is_update() && !request.old_object.is_null()) {
    fields.fail("oldObject", "a CREATE has no oldObject");
  }
  if (!request.is_update() && !request.sub_resource.empty()) {
    fields.fail("subResource", "expected \"\": only an UPDATE has a subresource");
  }
  const bool has_scale = kind == "Scale" && fields.get("object")["apiVersion"].text() == "autoscaling/v1";
  if (request.is_scale() && !has_scale)
    fields.fail("object", "expected a Scale of autoscaling/v1, which is what an update of scale sends");
  for (const char* name : {"object", "oldObject"}) {
    const Value& pod = fields.get(name);
    if (!pod.is_null() && !pod.is_object()) fields.fail(name, "expected an object");
  }
}

void read_manifest(const Value& object, const std::string& pointer, std::optional<Error>& problem) {
  const auto fail = [&](const char* at, const char* expected) {
    if (!problem) problem = Error{expected, pointer + at};
  };
  if (!object.is_object())
    return fail("", "expected a manifest, an object with apiVersion, kind and metadata");
  if (!object["apiVersion"].is_string()) fail("/apiVersion", "expected a string");
  if (!object["kind"].is_string()) fail("/kind", "expected a string");
  if (!object["metadata"]["name"].is_string()) fail("/metadata/name", "expected the object's name");
  if (!is_webhook_configuration(object) && !is_validating_configuration(object)) return;
  const Value& webhooks = object["webhooks"];
  if (!webhooks.is_null() && !webhooks.is_array()) fail("/webhooks", "expected a list");
  for (std::size_t i = 0; i < webhooks.size(); ++i) {
    if (webhooks.at(i)["name"].is_string()) continue;
    fail(("/webhooks/" + std::to_string(i) + "/name").c_str(), "expected the webhook's name");
  }
}

void read_cluster(Fields& fields, Cluster& cluster, std::optional<Error>& problem) {
  fields.choice("version", cluster.version, {versions().begin(), versions().end()});
  fields.optional("featureGates", cluster.feature_gates);
  for (const std::string& gate : cluster.feature_gates) {
    if (gate != kPolicyGate)
      fields.fail("featureGates",
                  "not simulated: the feature gate \"" + gate + "\"; expected " + std::string(kPolicyGate));
  }
  fields.optional("policyOrder", cluster.policy_order);
  read_admission_plugins(fields, cluster, problem);
  fields.list("objects", [&](const Value& object, const std::string& pointer) {
    read_manifest(object, pointer, problem);
    cluster.objects.push_back(object);
  });
  fields.finish();
}

std::optional<Backend> read_backend(const Value& source, const std::string& pointer,
                                    const KnownInjector& known, std::optional<Error>& problem) {
  Fields fields(source, pointer, problem);
  std::optional<Backend> backend;
  int kinds = 0;
  for (const char* kind : {"injector", "script", "url", "exec"}) kinds += fields.has(kind) ? 1 : 0;
  if (fields.has("injector")) {
    InjectorName injector;
    fields.required("injector", injector.name);
    const auto unknown = known && !fields.failed() ? known(injector.name) : std::nullopt;
    if (unknown) fields.fail("injector", *unknown);
    backend = std::move(injector);
  }
  if (fields.has("script")) {
    auto script = read_script(fields.get("script"), pointer + "/script");
    if (!script && !fields.failed()) problem = script.error();
    if (script) backend = *std::move(script);
  }
  if (fields.has("url")) {
    Url url;
    fields.required("url", url.url);
    fields.optional("caBundle", url.ca_bundle);
    backend = std::move(url);
  }
  if (fields.has("exec")) {
    Command command;
    fields.optional("exec", command.argv);
    if (command.argv.empty()) fields.fail("exec", "expected a command");
    backend = std::move(command);
  }
  fields.finish();
  if (kinds != 1) fields.fail_here("expected exactly one of injector, script, url, exec");
  return backend;
}

Fault read_fault(const Value& source, const std::string& pointer, std::optional<Error>& problem) {
  Fields fields(source, pointer, problem);
  Fault fault;
  fields.required("webhook", fault.webhook);
  if (fields.has("call")) fields.optional("call", fault.call.emplace());
  if (fault.call && *fault.call < 1) fields.fail("call", "expected the number of a call, from 1");
  fields.required("fault", fault.fault);
  if (!is_known_fault(fault.fault)) {
    fields.fail("fault", "unknown fault" + document::did_you_mean_suffix(
                                               fault.fault, {kPlainFaults.begin(), kPlainFaults.end()}));
  }
  fields.finish();
  return fault;
}

/// Checks that every configured webhook has a backend, and that everything else refers to a configured
/// webhook.
/// A server that does not serve the subresource answers 404 before anything is admitted.
void check_subresource(const Case& value, std::optional<Error>& problem) {
  if (problem || value.request.sub_resource != "resize" || minor_of(value.cluster) >= kResizeServedSince)
    return;
  problem = Error{"resize is served from Kubernetes " + version_of(kResizeServedSince) +
                      " on, and the cluster is " + value.cluster.version,
                  "/request/subResource"};
}

void check_references(const Case& value, std::optional<Error>& problem) {
  auto names = configured_webhooks(value.cluster);
  for (const std::string& name : names) {
    if (!problem && !value.webhooks.contains(name)) {
      problem = Error{"expected what answers behind the configured webhook \"" + name + "\"", "/webhooks"};
    }
  }
  for (const Value* validating : value.cluster.of_kind(kValidatingConfiguration)) {
    for (std::string& name : webhooks_of(*validating)) names.push_back(std::move(name));
  }
  const std::set<std::string> configured(names.begin(), names.end());
  for (const auto& [name, backend] : value.webhooks) {
    if (problem || configured.contains(name)) continue;
    problem = Error{"no MutatingWebhookConfiguration has this webhook" +
                        document::did_you_mean_suffix(name, {names.begin(), names.end()}),
                    "/webhooks/" + document::escape_token(name)};
  }
  for (std::size_t i = 0; i < value.faults.size(); ++i) {
    if (problem || configured.contains(value.faults[i].webhook)) continue;
    problem = Error{"no MutatingWebhookConfiguration has this webhook",
                    "/faults/" + std::to_string(i) + "/webhook"};
  }
  const auto neighbours = value.neighbours.value_or(std::vector<std::string>{});
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    if (problem || find_configuration(value.cluster, neighbours[i]) != nullptr) continue;
    problem = Error{"no MutatingWebhookConfiguration has this name", "/neighbours/" + std::to_string(i)};
  }
}

bool is_number_within(std::string_view text, int low, int high) {
  int code = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), code);
  return bad == std::errc() && end == text.data() + text.size() && code >= low && code <= high;
}

}  // namespace

bool is_read_fault(std::string_view fault) {
  return std::find(kReadFaults.begin(), kReadFaults.end(), fault) != kReadFaults.end();
}

bool is_known_fault(std::string_view fault) {
  if (is_read_fault(fault)) return true;
  if (std::find(kPlainFaults.begin(), kPlainFaults.end(), fault) != kPlainFaults.end()) return true;
  return std::any_of(kCodedFaults.begin(), kCodedFaults.end(), [&](const CodedFault& coded) {
    return fault.starts_with(coded.prefix) &&
           is_number_within(fault.substr(coded.prefix.size()), coded.low, coded.high);
  });
}

Result<Case> read_case(const Value& document, const KnownInjector& known_injector) {
  Case value;
  std::optional<Error> problem;
  Fields fields(document, "", problem);
  std::string api_version, kind;
  fields.choice("apiVersion", api_version, {kApiVersion});
  fields.choice("kind", kind, {"Case"});
  if (api_version.empty()) fields.fail("apiVersion", "expected \"fixpoint/v1\", found nothing");
  if (kind.empty()) fields.fail("kind", "expected \"Case\", found nothing");
  fields.optional("name", value.name);
  fields.optional("note", value.note);
  if (!fields.has("request")) fields.fail("request", "expected an object, found nothing");
  fields.object("request", [&](Fields& request) { read_request(request, value.request); });
  fields.object("cluster", [&](Fields& cluster) { read_cluster(cluster, value.cluster, problem); });
  fields.map("webhooks", [&](const std::string& name, const Value& backend, const std::string& pointer) {
    auto read = read_backend(backend, pointer, known_injector, problem);
    if (read) value.webhooks.insert_or_assign(name, *std::move(read));
  });
  fields.list("faults", [&](const Value& fault, const std::string& pointer) {
    value.faults.push_back(read_fault(fault, pointer, problem));
  });
  if (fields.has("neighbours")) fields.optional("neighbours", value.neighbours.emplace());
  fields.finish();
  check_references(value, problem);
  check_subresource(value, problem);
  if (problem) return *std::move(problem);
  return value;
}

}  // namespace fixpoint::cases
