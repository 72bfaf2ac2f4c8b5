#include "harness/external/manifests/where_fields_are.h"

#include <optional>
#include <string_view>
#include <utility>

#include "harness/document/document_stream.h"
#include "harness/document/yaml.h"

namespace fixpoint::external {

namespace {

std::string pointer_of_field(std::string_view field) {
  std::string pointer = "/";
  for (const char c : field) {
    if (c == '.' || c == '[')
      pointer += '/';
    else if (c != ']')
      pointer += c;
  }
  return pointer;
}

}  // namespace

apiserver::WhereFieldIs where_fields_are(std::string path, std::size_t number, const Limits& limits) {
  // Read when the first error asks, and once for all errors.
  return [path = std::move(path), number, limits, text = std::optional<document::Result<std::string>>()](
             const std::string& field) mutable -> std::string {
    if (!text) text = document::read_text_file(path, limits);
    const auto at = *text ? document::position_of(**text, pointer_of_field(field), number) : std::nullopt;
    if (!at) return {};
    return "line " + std::to_string(at->line) + ", column " + std::to_string(at->column);
  };
}

}  // namespace fixpoint::external
