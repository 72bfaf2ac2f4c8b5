#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "corpus/examples.h"
#include "harness/document/limits.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::corpus {

/// The number of examples that are taken out of sources.
inline constexpr std::size_t kFoundExamplesMax = 50;

/// Returns the Pods, and the Pods of workloads, that stand in the YAML, JSON and Markdown of these folders
/// and carry a key that the vocabulary knows: a prefixed key of labels or annotations, or an extended
/// resource. Other objects of the same file are the cluster of its Pods. Anything else, templates among it,
/// is passed over. A note names the file of each.
Examples found_examples(const std::vector<std::string>& folders, const runner::Vocabulary& words,
                        const Limits& limits);

}  // namespace fixpoint::corpus
