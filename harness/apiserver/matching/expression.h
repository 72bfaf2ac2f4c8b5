#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "harness/apiserver/cel/cel.h"
#include "harness/apiserver/matching/conditions.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// A match condition as the server keeps it: a program, or why there is none; then it fails whenever it is
/// evaluated.
struct Expression {
  std::string source = {};
  std::shared_ptr<const cel::Program> program = {};
  std::string error = {};
};

/// Compiles a condition for the servers of a minor. A construct that is not supported yet is an error that
/// begins with "unsupported".
document::Result<std::shared_ptr<const Expression>> compile_expression(std::string_view text, int minor);

/// Evaluates (docs/simulator.md#2-1). `budget` counts cost units down; no boolean, no program, and a cost
/// over that of one call are errors.
Evaluated evaluate(const Expression& expression, const cel::Activation& variables, long& budget);

}  // namespace fixpoint::apiserver
