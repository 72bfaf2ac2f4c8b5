#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/document/value.h"
#include "harness/runner/learning/choices.h"

namespace fixpoint::generators {

/// The names of the objects of one kind that a text of another object may mean.
struct NamesOfKind {
  std::string_view kind;  ///< "SeccompProfile"
  std::vector<std::string> names = {};
};

/// The objects and values of one Case that the texts of an object of its cluster may mean.
struct LinkTargets {
  const document::Value* request_object = nullptr;  ///< nullptr: several Cases share the linked object
  std::vector<NamesOfKind> kinds = {};
};

/// Returns the object with most of its open texts linked to the Case, as objects of a real cluster are: a
/// selector selects the request's object, a reference names an object that is drawn, and a text is one that
/// the request's object has at a member of the same name. `schema` describes the object.
document::Value linked_object(runner::Choices& choices, const document::Value& object,
                              const document::Value& schema, const LinkTargets& targets);

}  // namespace fixpoint::generators
