#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"
#include "harness/cases/script.h"
#include "harness/document/value.h"
#include "harness/runner/subject.h"

namespace fixpoint::runner {

// Functions that learn the vocabulary of a webhook (docs/judging.md#vocabulary). Each adds to the vocabulary
// and keeps its contents; duplicates are left out.

/// Learns from the selectors and match conditions of a MutatingWebhookConfiguration: values that they require
/// become common, values that they exclude become rare.
void learn_from_configuration(Vocabulary& words, const Value& configuration);
/// Learns from the pointers and values of a script.
void learn_from_script(Vocabulary& words, const cases::Script& script);
/// Learns from a JSON Patch: a webhook usually looks for the elements that it adds when it is called again.
void learn_from_patch(Vocabulary& words, const Value& patch);
/// Learns from the text of a program that answers for a webhook, as from a script: keys of labels and
/// annotations that it quotes, values that it compares them with, paths, and names of env; values that switch
/// a webhook off become rare. A program that is not a text adds nothing.
void learn_from_program(Vocabulary& words, std::string_view text);
/// Learns from keys that an executable contains: each may be that of an annotation or of a label, of the Pod
/// or of its namespace. They become rare, since their meaning is unknown.
void learn_from_keys(Vocabulary& words, const std::vector<std::string>& keys);
/// Learns from the message of a denial: keys that it names, with the words that it quotes as their values; a
/// rare key that it names becomes common.
void learn_from_denial(Vocabulary& words, std::string_view message);
/// Learns from a Pod or a part of one.
void learn_from_pod(Vocabulary& words, const Value& pod);
/// Learns from a Pod of a webhook's users, its namespace and its cluster: unusual parts become triggers.
void learn_from_example(Vocabulary& words, const cases::Case& example);
/// Learns the name of a container that a webhook looks for.
void learn_container_name(Vocabulary& words, const Value& name);

}  // namespace fixpoint::runner
