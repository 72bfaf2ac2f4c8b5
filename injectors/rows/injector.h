#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "harness/runner/learning/subject.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::injectors {

/// The role of an injector in a run: the subject, a well-behaved neighbour, or a planted defect.
enum class Role { subject, peer, defect };
std::string_view word(Role role);

/// A webhook that ships with the program. Releases are rows of switches over one implementation; an injector
/// without releases has one behaviour. A neighbour's file in `injectors/peers` ends with its row:
///
///     Injector zone_label() {
///       return {.name = "peers/zone-label",
///               .sentence = "Labels the Pod with its zone.",
///               .role = Role::peer,
///               .subject = [](std::string_view) { return peer_subject("peers/zone-label", …); },
///               .handler = [](std::string_view) { return mutate; }};  // a function from Call to Answer
///     }
struct Injector {
  std::string_view name;      ///< kserve/modelcar
  std::string_view sentence;  ///< its effect
  Role role;
  std::span<const std::string_view> releases = {};  ///< oldest first
  /// Returns everything about one release: its real configuration, the objects that it reads, and the
  /// vocabulary that makes it act.
  std::function<runner::Subject(std::string_view release)> subject;
  std::function<webhooks::Handler(std::string_view release)> handler;
  std::string_view whole = {};  ///< the injector of which this one is a step; for that injector, its own name
};

}  // namespace fixpoint::injectors
