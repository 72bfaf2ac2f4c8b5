#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "harness/document/value.h"

namespace fixpoint::apiserver::cel {

/// The compiled expressions of a document, for the servers of a minor.
template <class Compiled>
struct KnownCompilation {
  document::Value source;
  int minor;
  std::shared_ptr<const Compiled> compiled;
};

/// Returns what `make()` compiles from the source, once for the same node and once for an equal one: the
/// Cases of a run share their nodes. `known` belongs to the thread; its oldest entry gives way.
template <class Compiled, class Make>
std::shared_ptr<const Compiled> compiled_once(std::vector<KnownCompilation<Compiled>>& known,
                                              const document::Value& source, int minor, const Make& make) {
  constexpr std::size_t kKnownMax = 64;
  for (const auto& one : known)
    if (one.minor == minor && one.source.same(source)) return one.compiled;
  for (const auto& one : known)
    if (one.minor == minor && one.source == source) return one.compiled;
  if (known.size() == kKnownMax) known.erase(known.begin());
  known.push_back({source, minor, make()});
  return known.back().compiled;
}

}  // namespace fixpoint::apiserver::cel
