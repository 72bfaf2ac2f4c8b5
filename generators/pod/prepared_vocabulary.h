#pragma once

#include <string>
#include <vector>

#include "harness/document/value.h"
#include "harness/runner/learning/choices.h"
#include "harness/runner/learning/field_path.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::generators {

using document::Name;
using document::Value;
using runner::Choices;
using runner::NameKind;

/// A vocabulary prepared for drawing: Pods share its values instead of copying them.
struct PreparedVocabulary {
  struct KeyedValues {
    std::string key;
    std::vector<Value> values;
  };
  /// A field of the Pod's spec or metadata, with its path below that part.
  struct Field {
    bool is_of_spec;
    runner::FieldPath path;
    std::vector<Value> values;
  };
  runner::Names names;
  std::vector<KeyedValues> labels, annotations, rare_labels, rare_annotations;
  std::vector<KeyedValues> namespace_labels, namespace_annotations, rare_namespace_labels,
      rare_namespace_annotations;
  std::vector<KeyedValues> users, rare_users;
  std::vector<Value> namespaces, rare_namespaces;  ///< names for the request's namespace
  std::vector<Field> fields, rare_fields;          ///< all fields that are not listed above
  std::vector<runner::Vocabulary::Element> elements;
  std::vector<std::string> members;
};

PreparedVocabulary prepare_vocabulary(const runner::Vocabulary& vocabulary);
/// Returns a vocabulary that has no meaning to any webhook.
const PreparedVocabulary& neutral_vocabulary();

/// Draws a near match of the given word, which a careless guard confuses with it: with a suffix, shortened,
/// in another case, with a prefix, or of the same family (HTTP_PORT beside HTTP_PROXY).
std::string near_match(Choices& choices, std::string_view word);

}  // namespace fixpoint::generators
