#pragma once

#include "harness/document/patch.h"

namespace fixpoint::document {

/// The API server's patch dialect once more, written for being right instead of fast: it keeps a node for
/// every value, decodes nodes one level at a time as the Go library does, and copies whatever it touches.
/// Tests and fuzz targets hold apply_patch against it. Knows no limit but copy_bytes_max.
Patched apply_patch_plainly(const Value& document, const Value& patch, const Limits& limits = {});

/// Whether two outcomes are the same: equal documents with equal duplicates, or problems of one kind. A
/// failed test and a crash count as one kind, since in Go the order of a map decides which of the two is met
/// first.
bool same_outcome(const Patched& a, const Patched& b);

}  // namespace fixpoint::document
