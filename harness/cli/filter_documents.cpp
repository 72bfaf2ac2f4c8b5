#include "harness/cli/filter_documents.h"

#include <cstdio>

#include "harness/document/document_stream.h"
#include "harness/document/json.h"
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

Result<std::vector<Value>> read_some(const std::string& path, const char* what) {
  auto documents = document::read_documents(path);
  if (documents && documents->empty())
    return Error{std::string("expected ") + what + ", found nothing", path == "-" ? "standard input" : path};
  return documents;
}

}  // namespace fixpoint::cli
