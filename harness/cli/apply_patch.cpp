#include <cstdio>

#include "harness/cli/command.h"
#include "harness/cli/filter_documents.h"
#include "harness/cli/options.h"
#include "harness/document/document_stream.h"
#include "harness/document/patch.h"

namespace fixpoint::cli {

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
