#include <cstdio>

#include "harness/apiserver/admission/admission.h"
#include "harness/apiserver/cel/cel.h"
#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/matching/request_variables.h"
#include "harness/apiserver/policies/policy_plugin.h"
#include "harness/cases/minors.h"
#include "harness/cli/command.h"
#include "harness/cli/options.h"
#include "harness/conformance/vectors_cel.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"

namespace fixpoint::cli {

namespace {

using apiserver::cel::Activation;
using apiserver::cel::Datum;
using apiserver::cel::Variable;
using document::Error;
using document::Result;

/// The request around the object, and the expression, as the options give them.
struct EvalFlags {
  std::string expression = {}, path = "-";
  bool json = false;
  std::string old_path = {}, params_path = {}, namespace_path = {};
  std::string minor{cases::kNewestVersion};
  bool is_new = false, is_mutation = false;
};

Result<Value> one_document(const std::string& path, const char* what) {
  auto documents = document::read_documents(path);
  if (!documents) return std::move(documents).error();
  if (documents->size() != 1)
    return Error{
        std::string("expected ") + what + ", found " + std::to_string(documents->size()) + " documents",
        path};
  return documents->front();
}

Result<Value> stored_pod(const std::string& path, int minor) {
  auto document = one_document(path, "one Pod");
  if (!document) return document;
  auto decoded = apiserver::decode_pod(*document, minor);
  if (!decoded) return std::move(decoded).error().within(path);
  return apiserver::default_pod(*decoded, minor);
}

/// The request that a Case states, or that sends a Pod to its namespace.
Result<cases::Case> request_around(const std::string& path, const EvalFlags& around, int minor) {
  auto document = one_document(path, "one Pod or one Case");
  if (!document) return std::move(document).error();
  cases::Case value;
  if ((*document)["kind"].text() == "Case") {
    auto read = cases::read_case(*document);
    if (!read) return std::move(read).error().within(path);
    value = *std::move(read);
  } else {
    value.request.object = *document;
    const std::string_view space = (*document)["metadata"]["namespace"].text();
    if (!space.empty()) value.request.namespace_name = space;
  }
  auto decoded = apiserver::decode_pod(value.request.object, minor);
  if (!decoded) return std::move(decoded).error().within(path);
  value.request.object = apiserver::default_pod(*decoded, minor);
  if (!around.old_path.empty()) {
    auto old = stored_pod(around.old_path, minor);
    if (!old) return std::move(old).error();
    value.request.operation = "UPDATE";
    value.request.old_object = *std::move(old);
  }
  if (!around.namespace_path.empty()) {
    auto space = one_document(around.namespace_path, "one Namespace");
    if (!space) return std::move(space).error();
    if ((*space)["kind"].text() != "Namespace") return Error{"expected one Namespace", around.namespace_path};
    value.request.namespace_name = (*space)["metadata"]["name"].text();
    value.cluster.objects.push_back(*std::move(space));
  }
  return value;
}

/// Returns an exit code if the command ends here.
std::optional<int> parse(EvalFlags& flags, const Arguments& arguments) {
  Options line(
      "eval",
      "Evaluates a CEL expression of Kubernetes on a Pod as the API server does, and prints its value, "
      "its type and its cost.",
      "  fixpoint eval 'object.spec.containers.all(c, c.image.startsWith(\"registry.example/\"))' pod.yaml\n"
      "  kubectl get pod web -o yaml | fixpoint eval 'object.spec.?nodeSelector[?\"disk\"].orValue(\"\")'");
  line.positional("EXPR", flags.expression, "the expression", true);
  line.positional("FILE", flags.path, "a Pod or a Case as JSON or YAML, - for standard input (default)",
                  false);
  line.value("--old FILE", flags.old_path, "the stored Pod of an update: oldObject");
  line.value("--params FILE", flags.params_path, "the params of a policy");
  line.value("--namespace FILE", flags.namespace_path, "the Namespace of the Pod: namespaceObject");
  line.value("--minor MINOR", flags.minor,
             "Kubernetes minor of the server (" + std::string(cases::kNewestVersion) + ")");
  line.flag(
      "--new", flags.is_new,
      "as an expression that is created: with what the release before knew, so that a cluster can go back");
  line.flag("--mutation", flags.is_mutation, "as a mutation of a policy: Object{} and JSONPatch{} are known");
  line.flag("--json", flags.json, "one object with value, type and cost");
  return line.parse(arguments);
}

}  // namespace

int evaluate(const Arguments& arguments) {
  EvalFlags flags;
  if (const auto code = parse(flags, arguments)) return *code;
  const auto minor = cases::supported_minor(flags.minor);
  if (!minor) return bad_input("--minor: expected one of " + cases::versions_in_words());
  const auto value = request_around(flags.path, flags, *minor);
  if (!value) return bad_input(value.error());

  apiserver::cel::Environment environment;
  environment.minor = flags.is_new ? *minor - 1 : *minor;
  environment.has_params = !flags.params_path.empty();
  environment.has_authorizer = true;
  environment.has_patch_types = flags.is_mutation;
  const auto compiled = apiserver::cel::compile(flags.expression, environment);
  if (!compiled.unsupported.empty()) return bad_input("not supported yet: " + compiled.unsupported);
  if (!compiled.program) {
    std::fprintf(stderr, "fixpoint: %s\n", compiled.error.c_str());
    return kBadInput;
  }
  Activation variables = apiserver::request_variables(value->request, value->cluster, value->request.object,
                                                      cases::kind_of(value->request, value->cluster));
  variables[Variable::namespace_object] =
      Datum::of(apiserver::policies::namespace_object(value->request, value->cluster));
  if (environment.has_params) {
    auto params = one_document(flags.params_path, "one object");
    if (!params) return bad_input(params.error());
    variables[Variable::params] = Datum::of(*params);
  }
  const auto evaluation = compiled.program->evaluate(variables);
  const std::string cost = std::to_string(evaluation.cost),
                    type = apiserver::cel::type_text(*compiled.program->type());
  if (evaluation.value.is_error()) {
    std::fprintf(stderr, "fixpoint: expression '%s' resulted in error: %s (cost %s)\n",
                 flags.expression.c_str(), std::string(evaluation.value.text()).c_str(), cost.c_str());
    return kFound;
  }
  const Value shown = conformance::tagged_value(evaluation.value);
  if (flags.json) {
    std::fputs(document::write_json_pretty(
                   {{"value", shown}, {"type", type}, {"cost", static_cast<std::int64_t>(evaluation.cost)}})
                   .c_str(),
               stdout);
    return kNothingFound;
  }
  std::fputs((document::write_json(shown) + "\n").c_str(), stdout);
  std::fprintf(stderr, "%s, cost %s of 1000000\n", type.c_str(), cost.c_str());
  return kNothingFound;
}

}  // namespace fixpoint::cli
