#pragma once

#include "generators/draw.h"
#include "generators/pod/pod_builder.h"

namespace fixpoint::generators {

/// Returns a random node of the document, more often near the top; the root only if it has no child.
Value& some_node(Value& root, Choices& choices);

/// Changes a random place of a document of unknown meaning: drops, doubles, moves or replaces a node, or
/// borrows one from `lender`.
void mutate_document(Value& root, const Value& lender, Choices& choices);

/// Makes one change in a Pod with knowledge of Pods: a feature, a field of some type, a value of the
/// vocabularies, or anything. Returns the cluster objects that the change needs.
std::vector<Value> mutate_pod(Value& pod, const std::vector<const PreparedVocabulary*>& vocabularies,
                              Choices& choices);

}  // namespace fixpoint::generators
