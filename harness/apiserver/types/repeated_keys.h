#pragma once

#include <string>
#include <vector>

#include "harness/apiserver/types/field.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// A key that a keyed list of a Pod holds more than once. The table of types defines the keys and the
/// server's reaction to duplicates.
struct Repeated {
  std::string path;      ///< to the key of the last element that has it: spec.volumes[3].name
  document::Value key;   ///< the value of the key's (first) member
  std::string list;      ///< the list, with containers by name: "spec.containers{main}.env"
  std::string identity;  ///< the whole key as text
  Duplicate duplicate = Duplicate::error;
};

/// Every repeated key of a decoded Pod, once each, in the order of the document. Lists whose duplicates are
/// silent are left out.
std::vector<Repeated> repeated_keys(const document::Value& pod);

/// The number of elements with that key in the same list of another Pod; the lists of a container are found
/// by the container's name.
std::size_t count_key(const document::Value& pod, const Repeated& of);

}  // namespace fixpoint::apiserver
