#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/registry/whole_request.h"
#include "harness/cli/command.h"
#include "harness/cli/filter_documents.h"
#include "harness/cli/options.h"

namespace fixpoint::cli {

int default_pods(const Arguments& arguments) {
  std::string path = "-";
  bool yaml = false;
  Options line("default", "Decodes and defaults Pods as the API server does.",
               "  fixpoint default pod.yaml\n  cat pod.yaml | fixpoint default --yaml");
  line.positional("FILE", path, "Pods as JSON or YAML, - for standard input (default)", false);
  line.flag("--yaml", yaml, "YAML instead of JSON");
  if (const auto code = line.parse(arguments)) return *code;
  auto documents = read_some(path, "a Pod");
  if (!documents) return bad_input(documents.error());
  take_pod_templates(*documents, path);
  for (std::size_t i = 0; i < documents->size(); ++i) {
    auto out = apiserver::defaulted_pod((*documents)[i]);
    if (!out) return bad_input(std::move(out).error().within(place_of(path, i)));
    print_document(*out, yaml);
  }
  return kNothingFound;
}

}  // namespace fixpoint::cli
