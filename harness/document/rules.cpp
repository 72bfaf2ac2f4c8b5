#include "harness/document/rules.h"

namespace fixpoint::document {

std::string Rule::id() const {
  if (!owner.empty()) return std::string(owner).append(".").append(name);
  if (!name.empty()) return std::string(name);
  const std::string_view path(file);
  const auto slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1))
      .append(":")
      .append(std::to_string(line));
}

}  // namespace fixpoint::document
