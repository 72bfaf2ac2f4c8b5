#pragma once

#include <map>
#include <string>

#include "harness/oracle/oracle_json.h"
#include "harness/oracle/oracle_quantity.h"

namespace fixpoint::oracle {

/// Applies the defaults of the scheme to a decoded Pod (docs/simulator.md#9).
Json with_defaults(Json pod, int minor);

/// Returns a Pod after its conversion to the internal type and back (docs/simulator.md#4-4).
Json converted(Json pod);

/// Returns true if imagePullPolicy defaults to Always: the tag is `latest`, or there is neither tag nor
/// digest. Returns false for a text that is no image reference.
bool is_latest(const std::string& image);

/// An amount of a resource; `text` is the client's own as long as nothing was added.
struct Tally {
  Amount amount;
  std::string text = {};
  std::string notation = {};
  std::string written() const { return text.empty() ? amount_text(amount, notation) : text; }
};

/// Returns the sum of `requests` or `limits` over regular and restartable init containers, which is at least
/// the need of each stage of initialisation (component-helpers AggregateContainerRequests).
std::map<std::string, Tally> aggregate(const Json& spec, const char* list);

}  // namespace fixpoint::oracle
