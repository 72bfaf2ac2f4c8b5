#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "harness/document/value.h"

namespace fixpoint::document {

/// Answers a number below `bound`, which is at least 1. Where it comes from (a seed, RapidCheck, a fuzzer's
/// bytes) is the caller's choice.
using Choose = std::function<std::uint32_t(std::uint32_t bound)>;

/// Small documents from few names, so that paths meet: for tests and fuzz targets. With `odd`, also what only
/// foreign documents have: duplicate members and strings in unusual spelling.
Value random_document(const Choose& choose, int depth, bool odd);

/// A patch of up to six operations on paths of the document and next to them; most apply, some don't.
Value random_patch(const Choose& choose, const Value& document, bool odd);

}  // namespace fixpoint::document
