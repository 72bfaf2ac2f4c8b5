#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "harness/document/value.h"

namespace fixpoint::document {

/// Returns a number below `bound`, which is at least 1. The caller chooses the source: a seed, RapidCheck or
/// a fuzzer's bytes.
using Choose = std::function<std::uint32_t(std::uint32_t bound)>;

/// Small documents with few different names, so that paths collide: for tests and fuzz targets. With `odd`,
/// also features that only foreign documents have: duplicate members and strings in unusual spelling.
Value random_document(const Choose& choose, int depth, bool odd);

/// A patch of up to six operations on paths of the document and next to them; most apply, some don't.
Value random_patch(const Choose& choose, const Value& document, bool odd);

}  // namespace fixpoint::document
