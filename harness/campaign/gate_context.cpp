#include "harness/campaign/gate_context.h"

#include <algorithm>
#include <cstdio>

#include "harness/document/printable.h"

namespace fixpoint::campaign {

void GateContext::progress(const std::string& what) const {
  if (options.shows_progress) std::fprintf(stderr, "\r\033[K%s ", document::printable(what).c_str());
}

void GateContext::add_gate(const std::string& name, bool held) {
  verdict.record.summary.vacuity_checks.push_back({.name = name, .held = held, .judged = true});
}

std::vector<std::string> GateContext::with_definitions(const std::string& name) const {
  std::vector<std::string> names{name};
  for (const std::string& file : definitions)
    if (file != name) names.push_back(file);
  return names;
}

}  // namespace fixpoint::campaign
