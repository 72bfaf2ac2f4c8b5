#include "harness/cases/replay_flags.h"

#include <string_view>
#include <variant>

namespace fixpoint::cases {

std::string replay_flags(const Case& value, const std::function<bool(const Url&)>& is_routed) {
  bool runs = false, calls = false;
  for (const auto& [name, backend] : value.webhooks) {
    runs = runs || std::holds_alternative<Command>(backend);
    const auto* url = std::get_if<Url>(&backend);
    calls = calls || (url != nullptr && !(is_routed && is_routed(*url)));
  }
  return std::string(runs ? " --allow-exec" : "") + (calls ? " --allow-remote" : "");
}

}  // namespace fixpoint::cases
