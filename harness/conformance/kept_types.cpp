#include "harness/conformance/kept_types.h"

#include <thread>

#include "harness/conformance/cluster_cleanup.h"

namespace fixpoint::conformance {

namespace {

using document::Error;

constexpr auto kPause = std::chrono::milliseconds(5);

}  // namespace

std::optional<Error> KeptTypes::await(const std::string& path, bool is_served) {
  const auto end = std::chrono::steady_clock::now() + patience_;
  while (std::chrono::steady_clock::now() < end) {
    const auto answer = rest_.send("GET", path);
    if (answer && (answer->status / 100 == 2) == is_served) return std::nullopt;
    std::this_thread::sleep_for(kPause);
  }
  return Error{std::string(is_served ? "the server does not serve " : "the server still serves ") + path};
}

std::optional<Error> KeptTypes::keep(const StoredKind& kind, const std::string& prefix_of_groups) {
  if (!kinds_.insert(kind.kind).second) return std::nullopt;
  if (auto problem = create_(std::string(kTypesPath),
                             permissive_type(kind, prefix_of_groups))) return problem;
  return await("/apis/" + server_version(kind.api_version, prefix_of_groups) + "/" + kind.plural(), true);
}

std::optional<Error> KeptTypes::keep(const cases::Kind& kind) {
  const std::string path = std::string(kTypesPath) + "/" + kind.resource();
  document::Value& known = definitions_[kind.resource()];
  if (known == *kind.definition) return std::nullopt;
  if (!known.is_null()) {
    forget_(path);
    static_cast<void>(rest_.send("DELETE", path));
    if (auto late = await(path, false)) return late;
  }
  known = {};
  if (auto problem = create_(std::string(kTypesPath), *kind.definition)) return problem;
  known = *kind.definition;
  return await("/apis/" + kind.api_version() + "/" + std::string(kind.plural), true);
}

}  // namespace fixpoint::conformance
