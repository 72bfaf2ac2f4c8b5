#include "injectors/releases.h"
#include "harness/document/joined.h"

#include <algorithm>
#include <string>

namespace fixpoint::injectors {

document::Result<std::string_view> release_of(std::string_view name,
                                              std::span<const std::string_view> releases) {
  const auto at = name.find('@');
  if (at == std::string_view::npos) return releases.empty() ? std::string_view() : releases.back();
  const std::string_view release = name.substr(at + 1);
  const auto known = std::find(releases.begin(), releases.end(), release);
  if (known != releases.end()) return *known;
  const std::string list = document::joined(releases);
  return document::Error{"unknown release \"" + std::string(release) + "\" of " +
                         std::string(name.substr(0, at)) +
                         (list.empty() ? ", which has none" : ", expected one of " + list)};
}

}  // namespace fixpoint::injectors
