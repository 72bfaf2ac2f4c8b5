#include <cstddef>
#include <cstdint>
#include <string_view>

#include "harness/document/check.h"
#include "harness/document/json.h"
#include "harness/document/yaml.h"

/// Reads any text as JSON and as YAML. The readers must not crash, and a document that they accept must
/// survive writing and reading unchanged.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fixpoint;
  using namespace fixpoint::document;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Limits limits{
      .depth_max = 64, .document_bytes_max = 1u << 16, .aliases_max = 100, .values_max = 10'000};
  for (const Strictness strictness : {Strictness::ours, Strictness::foreign}) {
    const auto json = read_json(text, limits, strictness);
    if (!json) continue;
    for (const std::string& written : {write_json(*json), write_json_pretty(*json), write_go_json(*json)}) {
      const auto again = read_json(written, {}, strictness);
      check(again.ok() && *again == *json, "written JSON reads back");
    }
    const auto yaml = read_yaml(write_yaml(*json));
    check(yaml.ok() && *yaml == *json, "JSON written as YAML reads back");
  }
  const auto documents = read_yaml_stream(text, limits);
  if (!documents) {
    check(documents.error().text().find('\n') == std::string::npos, "an error is one line");
    return 0;
  }
  for (const Value& document : *documents) {
    const auto again = read_yaml(write_yaml(document));
    check(again.ok() && *again == document, "written YAML reads back");
  }
  return 0;
}
