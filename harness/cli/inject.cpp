#include <cstdio>

#include "harness/apiserver/admission/policy_handlers.h"
#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/dispatch/dispatch.h"
#include "harness/apiserver/registry/registry.h"
#include "harness/cases/kind.h"
#include "harness/cli/command.h"
#include "harness/cli/external_options.h"
#include "harness/cli/filter_documents.h"
#include "harness/cli/options.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/external/manifests/manifest.h"
#include "harness/external/manifests/selected_kinds.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::cli {

namespace {

/// Returns the request's object as a webhook gets it: decoded, with defaults. The cluster is given a
/// definition of a kind that it does not serve if the subject's rules name one.
Result<Value> received(cases::Case& value, const runner::Subject& subject) {
  const Value& object = value.request.object;
  const auto kind = cases::find_kind(value.request, value.cluster);
  if (kind && kind->is_pod()) {
    auto pod = apiserver::decode_pod(object);
    return pod ? Result<Value>(apiserver::default_pod(*pod)) : std::move(pod);
  }
  const auto rules = external::rules_of(subject.configuration);
  if (kind && !external::selects_kind(rules, *kind))
    return document::Error{"expected a Pod or what a rule of " + subject.name + " selects, found a " +
                               std::string(object["kind"].text()),
                           "/kind"};
  if (!kind)
    if (auto guessed = external::guessed_definition(object, rules))
      value.cluster.objects.push_back(*std::move(guessed));
  auto received = apiserver::receive(value.request, value.cluster, apiserver::minor_of(value.cluster));
  if (!received) return std::move(received).error();
  return std::move(received->object);
}

/// Calls the first of the subject's configured webhooks that answers with an injector.
Result<apiserver::CallResult> call(const runner::Subject& subject, const webhooks::Resolve& resolve,
                                   Value sent) {
  cases::Case value;
  value.cluster.objects = subject.objects;
  value.cluster.objects.push_back(subject.configuration);
  value.webhooks = subject.webhooks;
  value.request.object = std::move(sent);
  const std::string own_namespace(value.request.object["metadata"]["namespace"].text());
  if (!own_namespace.empty()) value.request.namespace_name = own_namespace;
  auto object = received(value, subject);
  if (!object) return std::move(object).error();
  value.request.object = *object;
  auto configured = apiserver::read_configurations(value);
  if (!configured) return std::move(configured).error();
  auto handlers = webhooks::handlers(value, resolve);
  if (!handlers) return std::move(handlers).error();
  apiserver::add_policy_handlers(value.cluster, *handlers);
  const auto& webhook = configured->front();
  return apiserver::call_webhook(webhook, handlers->at(webhook.key),
                                 {.request = value.request,
                                  .cluster = value.cluster,
                                  .object = *object,
                                  .name = (*object)["metadata"]["name"].text()},
                                 {});
}

Result<runner::Subject> find_one(const std::string& name, const external::ExternalWebhooks& outside) {
  if (!external::is_manifest(name)) return injectors::find_subject(name);
  auto manifest = external::read_manifest(name, outside);
  if (!manifest) return std::move(manifest).error();
  if (manifest->subjects.size() == 1) return std::move(manifest->subjects.front());
  return document::Error{
      "expected one webhook configuration, found " + std::to_string(manifest->subjects.size()), name};
}

}  // namespace

int inject(const Arguments& arguments) {
  std::string name, path = "-";
  external::ExternalOptions outside_options;
  Options line(
      "inject",
      "Calls one injector on one object, and prints its patch and the result. Selectors are ignored.",
      "  fixpoint inject kserve/modelcar@0.12.0 pod.yaml\n  kubectl get pod web -o yaml | fixpoint inject "
      "peers/sidecar-guarded");
  line.positional("SUBJECT", name, "a name from `fixpoint list` or a file of a webhook configuration", true);
  line.positional("OBJECT", path, "a file with one Pod or another object, - for standard input (default)",
                  false);
  add_external_options(line, outside_options);
  if (const auto code = line.parse(arguments)) return *code;
  const auto outside = external_webhooks(outside_options);
  if (!outside) return bad_input(outside.error());
  const auto subject = find_one(name, *outside);
  if (!subject) return bad_input(subject.error());
  auto documents = document::read_documents(path);
  if (!documents) return bad_input(documents.error());
  if (documents->size() != 1)
    return bad_input(path + ": expected one object, found " + std::to_string(documents->size()));
  take_pod_templates(*documents, path);
  auto result = call(*subject, outside->resolve(), documents->front());
  if (!result) return bad_input(std::move(result).error().within(path));
  const Value out{{"allowed", result->error == apiserver::CallError::none},
                  {"error", result->problem.empty() && result->status ? Value(result->status->message)
                                                                      : Value(result->problem)},
                  {"changed", result->changed},
                  {"patch", result->answer.patch.value_or(Value())},
                  {"object", document::sorted(result->after)}};
  std::fputs(document::write_json_pretty(out).c_str(), stdout);
  return kNothingFound;
}

}  // namespace fixpoint::cli
