#pragma once

#include <string>
#include <vector>

#include "harness/document/value.h"
#include "harness/runner/choices.h"
#include "harness/runner/subject.h"

namespace fixpoint::generators {

using document::Name;
using document::Value;
using runner::Choices;

/// A vocabulary made ready: every word is a value that Pods share instead of making it anew.
struct Words {
  struct Telling {
    std::string key;
    std::vector<Value> values;
  };
  std::vector<Value> containers, main_containers, init_containers, volumes, mount_paths;
  std::vector<Value> env, port_names, ports;
  std::vector<Telling> labels, annotations, rare_labels, rare_annotations;
  std::vector<runner::Vocabulary::Element> elements;
  std::vector<std::string> members;
};

Words words_of(const runner::Vocabulary& vocabulary);
/// Words that mean nothing to anybody.
const Words& plain_words();

/// A word that a careless guard takes for the given one: with a suffix, shortened, in another case, with a
/// prefix.
std::string look_alike(Choices& choices, std::string_view word);

}  // namespace fixpoint::generators
