#include <cstdio>

#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/validation/validate.h"
#include "harness/cli/command.h"
#include "harness/cli/options.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/document/patch.h"
#include "harness/document/printable.h"
#include "harness/document/yaml.h"
#include "reports/text.h"

namespace fixpoint::cli {

namespace {

void print_document(const Value& value, bool yaml) {
  const Value sorted = document::sorted(value);
  std::fputs((yaml ? "---\n" + document::write_yaml(sorted) : document::write_json_pretty(sorted)).c_str(),
             stdout);
}

/// "FILE: document 2", for errors about one of several.
std::string place_of(const std::string& path, std::size_t index) {
  return (path == "-" ? "standard input" : path) + ": document " + std::to_string(index + 1);
}

/// The documents of a file, at least one of them.
Result<std::vector<Value>> read_some(const std::string& path, const char* what) {
  auto documents = document::read_documents(path);
  if (documents && documents->empty())
    return document::Error{std::string("expected ") + what + ", found nothing",
                           path == "-" ? "standard input" : path};
  return documents;
}

}  // namespace

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
  for (std::size_t i = 0; i < documents->size(); ++i) {
    auto out = apiserver::default_vector((*documents)[i]);
    if (!out) return bad_input(std::move(out).error().within(place_of(path, i)));
    print_document(*out, yaml);
  }
  return kNothingFound;
}

int validate(const Arguments& arguments) {
  std::string path = "-", operation = "create", old_path;
  bool json = false;
  Options line(
      "validate", "Validates Pods as the API server does; exit code 1 when one is invalid.",
      "  fixpoint validate pod.yaml\n  fixpoint validate --operation update --old stored.yaml changed.yaml");
  line.positional("FILE", path, "Pods as JSON or YAML, - for standard input (default)", false);
  line.value("--operation", operation, "create (default), update, ephemeralcontainers or resize");
  line.value("--old", old_path, "the stored Pod, for all but create");
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
  int code = kNothingFound;
  for (std::size_t i = 0; i < documents->size(); ++i) {
    auto errors = apiserver::validate_vector(operation, (*documents)[i], old);
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

int patch(const Arguments& arguments) {
  std::string patch_path, path = "-";
  bool yaml = false;
  Options line("patch",
               "Applies a JSON Patch in the API server's dialect; exit code 1 when it does not apply.",
               "  fixpoint patch patch.json document.json");
  line.positional("PATCH", patch_path, "a JSON Patch", true);
  line.positional("FILE", path, "the document, - for standard input (default)", false);
  line.flag("--yaml", yaml, "YAML instead of JSON");
  if (const auto code = line.parse(arguments)) return *code;
  auto patches = document::read_documents(patch_path);
  if (!patches) return bad_input(patches.error());
  if (patches->size() != 1) return bad_input(patch_path + ": expected one JSON Patch");
  auto documents = read_some(path, "a document");
  if (!documents) return bad_input(documents.error());
  for (const Value& document : *documents) {
    const Value& one = patches->front();
    const auto problem = document::decoding_problem(one);
    const auto patched = problem ? document::Patched{{}, problem} : document::apply_patch(document, one);
    if (!patched.ok()) {
      std::fprintf(stderr, "fixpoint: operation %zu: %s: %s\n", patched.problem->operation,
                   std::string(document::name_of(patched.problem->kind)).c_str(),
                   patched.problem->message.c_str());
      return kFound;
    }
    print_document(patched.document, yaml);
  }
  return kNothingFound;
}

}  // namespace fixpoint::cli
