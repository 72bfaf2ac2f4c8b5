#pragma once

#include <string>
#include <vector>

#include "harness/apiserver/types/field.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// A key that some keyed list of a Pod holds more than once; the list keys and what the server says to their
/// duplicates are those of the table of types.
struct Repeated {
  std::string path;     ///< of the last element that has the key, with the key's member: spec.volumes[3].name
  document::Value key;  ///< the member's value; of a key of two members the first one's
  std::string list;     ///< which list: "spec.containers{main}.env", elements above by name
  std::string identity;  ///< the whole key as text
  Duplicate duplicate = Duplicate::error;
};

/// Every repeated key of a decoded Pod, once each, in the order of the document. Lists whose duplicates are
/// silent are left out.
std::vector<Repeated> repeated_keys(const document::Value& pod);

/// How often that key stands in that list of another Pod; lists of containers are found by their container's
/// name.
std::size_t count_key(const document::Value& pod, const Repeated& of);

}  // namespace fixpoint::apiserver
