#pragma once

#include "harness/document/patch.h"

namespace fixpoint::document {

/// The reference model of the API server's patch dialect, written for correctness instead of speed: it keeps
/// a node for every value, decodes nodes one level at a time as the Go library does, and copies everything it
/// touches. Tests and fuzz targets compare apply_patch with it. Its only limit is copy_bytes_max.
Patched apply_patch_plainly(const Value& document, const Value& patch, const Limits& limits = {});

/// Returns true if two outcomes are the same: equal documents with equal duplicates, or problems of one kind.
/// A failed test and a crash count as one kind, since Go's map order decides which of the two comes first.
bool same_outcome(const Patched& a, const Patched& b);

}  // namespace fixpoint::document
