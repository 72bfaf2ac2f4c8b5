#pragma once

#include <string_view>
#include <vector>

#include "harness/apiserver/cel/environment.h"
#include "harness/apiserver/cel/syntax.h"

namespace fixpoint::apiserver::cel {

/// Finds the types of a parsed expression and what its calls mean, and writes them into the nodes. What does
/// not fit is an issue.
void check_types(Node& root, const Environment& environment, std::vector<Issue>& issues);

/// The checks of literals that the server makes once the types fit (cel-go's validators for durations,
/// timestamps, patterns, lists and maps, and formats).
void check_literals(const Node& root, const Environment& environment, std::vector<Issue>& issues);

}  // namespace fixpoint::apiserver::cel
