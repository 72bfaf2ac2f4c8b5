#include "harness/cli/filter_documents.h"

#include <cstdio>

#include "corpus/examples.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/document/printable.h"
#include "harness/document/yaml.h"

namespace fixpoint::cli {

using document::Error;
using document::Result;
using document::Value;

void print_document(const Value& value, bool yaml) {
  const Value sorted = document::sorted(value);
  std::fputs((yaml ? "---\n" + document::write_yaml(sorted) : document::write_json_pretty(sorted)).c_str(),
             stdout);
}

std::string place_of(const std::string& path, std::size_t index) {
  return (path == "-" ? "standard input" : path) + ": document " + std::to_string(index + 1);
}

namespace {

/// Puts the items of a List, as kubectl prints several objects, in its place.
void take_items(std::vector<Value>& documents) {
  std::vector<Value> all;
  for (Value& document : documents) {
    const bool is_list = document["kind"].text().ends_with("List") && document["items"].is_array();
    if (!is_list) {
      all.push_back(std::move(document));
      continue;
    }
    for (const Value& item : document["items"].elements()) all.push_back(item);
  }
  documents = std::move(all);
}

}  // namespace

void take_pod_templates(std::vector<Value>& documents, const std::string& path) {
  take_items(documents);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    auto pod = corpus::pod_of_workload(documents[i]);
    if (!pod) continue;
    std::string note =
        place_of(path, i) + ": took the Pod template of " + std::string(documents[i]["kind"].text());
    if (const auto name = documents[i]["metadata"]["name"].text(); !name.empty())
      note.append(" ").append(name);
    std::fprintf(stderr, "fixpoint: %s\n", document::printable(note).c_str());
    documents[i] = *std::move(pod);
  }
}

Result<std::vector<Value>> read_some(const std::string& path, const char* what) {
  auto documents = document::read_documents(path);
  if (documents && documents->empty())
    return Error{std::string("expected ") + what + ", found nothing", path == "-" ? "standard input" : path};
  return documents;
}

}  // namespace fixpoint::cli
