#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"
#include "harness/cases/script.h"
#include "harness/document/value.h"
#include "harness/runner/subject.h"

namespace fixpoint::runner {

// Functions that learn what makes a webhook act (docs/judging.md#vocabulary). Each adds to the vocabulary and
// keeps what is in it; nothing is learned twice.

/// From the selectors and match conditions of a MutatingWebhookConfiguration: what they want becomes common,
/// what they do not want rare.
void learn_from_configuration(Vocabulary& words, const Value& configuration);
/// From the pointers and values of a script.
void learn_from_script(Vocabulary& words, const cases::Script& script);
/// From a JSON Patch: what it adds is what it looks for when it is called again.
void learn_from_patch(Vocabulary& words, const Value& patch);
/// From the text of a program that answers, as a script is one: keys of labels and annotations that it
/// quotes, what it compares them with, paths, and names of env; what switches a webhook off is rare. A
/// program that is no text teaches nothing.
void learn_from_program(Vocabulary& words, std::string_view text);
/// From keys that an executable names: each may be that of an annotation or of a label, of the Pod or of its
/// namespace, and what it means is unknown, so that they are rare.
void learn_from_keys(Vocabulary& words, const std::vector<std::string>& keys);
/// From the message of a denial: keys that it names, with the words that it quotes as their values; a rare
/// key whose name it says is rare no longer.
void learn_from_denial(Vocabulary& words, std::string_view message);
/// From a Pod or a part of one.
void learn_from_pod(Vocabulary& words, const Value& pod);
/// From a Pod of a webhook's users, its namespace and its cluster: what it has beside the usual are triggers.
void learn_from_example(Vocabulary& words, const cases::Case& example);
/// The name of a container that a webhook looks for.
void learn_container_name(Vocabulary& words, const Value& name);

}  // namespace fixpoint::runner
