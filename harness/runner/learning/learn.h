#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/api_access.h"
#include "harness/cases/case.h"
#include "harness/cases/script.h"
#include "harness/document/value.h"
#include "harness/runner/learning/program_text.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::runner {

// Functions that learn the vocabulary of a webhook (docs/judging.md#vocabulary). Each adds to the vocabulary
// and keeps its contents; duplicates are left out.

/// Learns from the selectors and match conditions of a MutatingWebhookConfiguration: values that they require
/// become common, values that they exclude become rare.
void learn_from_configuration(Vocabulary& words, const Value& configuration);
/// Learns the labels that a selector requires, or, of a namespaceSelector, those of the request's Namespace.
void learn_selector(Vocabulary& words, const Value& selector, Trigger::Where where);
/// Learns from the objects that lie beside the webhook in its manifest: the labels that their selectors
/// require, keys of labels and annotations that they list, also within the texts of a ConfigMap; of custom
/// resources, their names as values of the keys that the program spells; namespaces other than the webhook's
/// own; and what Pods name, such as claims and accounts. After the program.
void learn_from_objects(Vocabulary& words, std::span<const Value> objects, std::string_view own_namespace);
/// Learns from the documents that a program reads (ProgramText::is_data) as from those in a ConfigMap:
/// selectors, namespaces, names of containers, and the workloads whose Pods it is for. After the program.
void learn_from_documents(Vocabulary& words, std::span<const ProgramText> texts);
/// Learns from the pointers and values of a script.
void learn_from_script(Vocabulary& words, const cases::Script& script);
/// Learns from a JSON Patch: a webhook usually looks for the elements that it adds when it is called again.
void learn_from_patch(Vocabulary& words, const Value& patch);
/// Learns from the texts of a program that answers for a webhook, those that it begins with first, as from a
/// script: keys of labels and annotations with the values that it compares them with, resources, paths, names
/// of env, parts of texts (docs/judging.md#vocabulary). The surer a key is, the earlier it is learned; keys
/// that are only perhaps some, and values that switch a webhook off, become rare. A program that is not a
/// text adds nothing.
void learn_from_program(Vocabulary& words, std::span<const ProgramText> texts);
void learn_from_program(Vocabulary& words, std::string_view text);
/// Learns from keys that an executable contains: each may be that of an annotation or of a label, of the Pod
/// or of its namespace. They become rare, since their meaning is unknown.
void learn_from_keys(Vocabulary& words, const std::vector<std::string>& keys);
/// Learns from the message of a denial: keys that it names, with the words that it quotes as their values; a
/// rare key that it names becomes common.
void learn_from_denial(Vocabulary& words, std::string_view message);
/// Learns from the requests to the API of its cluster that the webhook made for a Case: the kinds that it
/// reads, and the names, or the fields of the Pod that hold them. An object that exists on every server is
/// not learned, nor one that the webhook writes.
void learn_from_accesses(Vocabulary& words, const cases::Case& value,
                         std::span<const cases::ApiAccess> accesses);
/// Learns from a denial or an error that an object of a kind which the webhook reads is missing: the fields
/// of the Pod that hold the name in the message. A client with a cache names it nowhere else.
void learn_from_missing(Vocabulary& words, const cases::Case& value, std::string_view message);
/// Adds a kind that it reads, and returns its entry; nullptr if there are kReadsMax already.
Vocabulary::Read* learn_read(Vocabulary& words, std::string_view api_version, std::string_view kind,
                             bool is_namespaced);
inline constexpr std::size_t kReadsMax = 24, kReadNamesMax = 8;
/// Learns a key of Secrets and ConfigMaps.
void learn_data_key(Vocabulary& words, std::string_view key);
/// Learns from a Pod or a part of one.
void learn_from_pod(Vocabulary& words, const Value& pod);
/// Learns from a Pod of a webhook's users, its namespace and its cluster: unusual parts become triggers.
void learn_from_example(Vocabulary& words, const cases::Case& example);
/// Learns the name of a container that a webhook looks for.
void learn_container_name(Vocabulary& words, NameKind kind, const Value& name);

}  // namespace fixpoint::runner
