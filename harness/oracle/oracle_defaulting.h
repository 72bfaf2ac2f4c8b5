#pragma once

#include <map>
#include <string>

#include "harness/oracle/oracle_json.h"
#include "harness/oracle/oracle_quantity.h"

namespace fixpoint::oracle {

/// Scheme defaulting of a decoded Pod (docs/simulator.md#9).
Json with_defaults(Json pod, int minor);

/// A Pod after its conversion to the internal type and back (docs/simulator.md#4-4).
Json converted(Json pod);

/// Returns true if imagePullPolicy defaults to Always: the tag is `latest`, or there is neither tag nor
/// digest; false for a text that is no image reference.
bool is_latest(const std::string& image);

/// An amount of a resource, and its text as long as nothing was added to it.
struct Tally {
  Amount amount;
  std::string text = {};
  std::string notation = {};
  std::string written() const { return text.empty() ? amount_text(amount, notation) : text; }
};

/// The sum of `requests` or `limits` over regular and restartable init containers, raised to the need of each
/// stage of initialisation (component-helpers AggregateContainerRequests).
std::map<std::string, Tally> aggregate(const Json& spec, const char* list);

}  // namespace fixpoint::oracle
