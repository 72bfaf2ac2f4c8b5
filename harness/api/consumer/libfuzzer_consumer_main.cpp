// A webhook under a coverage-guided fuzzer.
#include <fixpoint/libfuzzer.h>
#include <fixpoint/nlohmann.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

/// Adds an annotation; with GROW in the environment it becomes longer in every call.
nlohmann::json annotate(nlohmann::json pod) {
  const bool grows = std::getenv("GROW") != nullptr;
  const std::string key = "my-sidecar.example.io/seen";
  nlohmann::json& annotations = pod["metadata"]["annotations"];
  const bool is_there = annotations.contains(key);
  if (!is_there) annotations[key] = "x";
  if (is_there && grows) annotations[key] = annotations[key].get<std::string>() + "x";
  return pod;
}

const fixpoint::Webhook& own() {
  static const fixpoint::Webhook webhook = fixpoint::on_json_object(annotate);
  return webhook;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fixpoint::fuzz_one(data, size, own());
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t size_max,
                                               unsigned int seed) {
  return fixpoint::mutate_one(data, size, size_max, seed, own());
}
