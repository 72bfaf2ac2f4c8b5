#pragma once

#include "generators/draw.h"
#include "generators/pod/pod_builder.h"

namespace fixpoint::generators {

/// Some node of the document, more often near the top; never the root itself unless it has no child.
Value& some_node(Value& root, Choices& choices);

/// One change anywhere in a document that means nothing to us: dropped, doubled, moved, replaced, borrowed.
void mutate_document(Value& root, const Value& lender, Choices& choices);

/// One change in a Pod, which knows what Pods are made of: a feature, a field of some type, a word, or
/// anything. Answers the cluster's objects that the change needs.
std::vector<Value> mutate_pod(Value& pod, const std::vector<const PreparedVocabulary*>& vocabularies,
                              Choices& choices);

}  // namespace fixpoint::generators
