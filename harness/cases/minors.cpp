#include "harness/cases/minors.h"

#include <algorithm>

#include "harness/cases/case.h"

namespace fixpoint::cases {

std::string version_of(int minor) { return "1." + std::to_string(minor); }

const std::vector<std::string>& versions() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> made;
    for (int minor = kOldestMinor; minor <= kNewestMinor; ++minor) made.push_back(version_of(minor));
    return made;
  }();
  return all;
}

std::string versions_in_words() { return versions().front() + " to " + versions().back(); }

std::optional<int> supported_minor(std::string_view version) {
  const auto found = std::find(versions().begin(), versions().end(), version);
  if (found == versions().end()) return std::nullopt;
  return kOldestMinor + static_cast<int>(found - versions().begin());
}

int minor_of(const Cluster& cluster) { return supported_minor(cluster.version).value_or(kNewestMinor); }

}  // namespace fixpoint::cases
