#include "harness/conformance/vector_file.h"

#include "harness/document/document_stream.h"
#include "harness/document/json.h"

namespace fixpoint::conformance {

using document::Error;
using document::Result;
using document::Value;

Result<FileCounts> check_file(const std::string& path,
                              const std::function<void(const Value& line, const Compared&)>& each) {
  Limits limits;
  limits.file_bytes_max = 1u << 30;
  const auto text = document::read_text_file(path, limits);
  if (!text) return text.error();
  FileCounts counts;
  std::size_t offset = 0, number = 0;
  while (text->find_first_not_of(" \n\r\t", offset) != std::string::npos) {
    ++number;
    const auto line = document::read_json_at(*text, offset, limits, document::Strictness::foreign);
    if (!line)
      return Error{(number == 1 ? "expected vectors, a line of JSON each: " : "") + line.error().text(),
                   path + ": document " + std::to_string(number)};
    const Compared compared = check_line(*line);
    counts.all.add(compared.answer);
    counts.by_kind[std::string((*line)["kind"].text())].add(compared.answer);
    each(*line, compared);
  }
  return counts;
}

}  // namespace fixpoint::conformance
