#include <cstdio>

#include "harness/apiserver/registry/whole_request.h"
#include "harness/apiserver/validation/validate.h"
#include "harness/cli/command.h"
#include "harness/cli/filter_documents.h"
#include "harness/cli/options.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/document/printable.h"

namespace fixpoint::cli {

int validate(const Arguments& arguments) {
  std::string path = "-", operation = "create", old_path;
  bool json = false;
  Options line(
      "validate", "Validates Pods as the API server does; exit code 1 when one is invalid.",
      "  fixpoint validate pod.yaml\n  fixpoint validate --operation update --old stored.yaml changed.yaml");
  line.positional("FILE", path, "Pods as JSON or YAML, - for standard input (default)", false);
  line.value("--operation OPERATION", operation, "create (default), update, ephemeralcontainers or resize");
  line.value("--old FILE", old_path, "the stored Pod, for all but create");
  line.flag("--json", json, "one line a Pod: {errors: [{type, field, message}]}");
  if (const auto code = line.parse(arguments)) return *code;
  const bool creates = operation == "create";
  if (!creates && operation != "update" && operation != "ephemeralcontainers" && operation != "resize") {
    return bad_input("--operation: expected create, update, ephemeralcontainers or resize");
  }
  if (creates != old_path.empty())
    return bad_input(creates ? "--old is for updates" : "--old: expected the stored Pod");
  Value old;
  if (!creates) {
    auto documents = document::read_documents(old_path);
    if (!documents) return bad_input(documents.error());
    if (documents->size() != 1) return bad_input(old_path + ": expected one Pod");
    old = documents->front();
  }
  auto documents = read_some(path, "a Pod");
  if (!documents) return bad_input(documents.error());
  take_pod_templates(*documents, path);
  int code = kNothingFound;
  for (std::size_t i = 0; i < documents->size(); ++i) {
    auto errors = apiserver::errors_of_request(operation, (*documents)[i], old);
    if (!errors) return bad_input(std::move(errors).error().within(place_of(path, i)));
    if (!errors->empty()) code = kFound;
    std::vector<Value> list;
    for (const cases::FieldError& error : *errors) {
      if (!json)
        std::printf("%s: %s\n", error.field.c_str(),
                    document::printable(error.message.empty() ? error.type : error.message).c_str());
      list.push_back({{"type", error.type}, {"field", error.field}, {"message", error.message}});
    }
    if (json) std::printf("%s\n", document::write_json({{"errors", std::move(list)}}).c_str());
    if (!json && errors->empty()) std::printf("%s: valid\n", place_of(path, i).c_str());
  }
  return code;
}

}  // namespace fixpoint::cli
