#pragma once

#include <span>
#include <string>

#include "harness/properties/property.h"

namespace fixpoint::runner {

struct CopySource {
  std::string place = {};  ///< empty: the text is not copied
  std::string key = {};    ///< the text, if it is a key of the map in which it is refused
  bool is_part = false;    ///< an object or a list is copied, as a whole
};

/// Returns where the text comes from that the API server refuses, if the webhook copies it as it is from a
/// place where it is legal: another field of a custom resource, or an object that it reads ("ConfigMap
/// mirrors", or the kind of a custom resource). Empty if an example has the text, and for one of the object
/// or of a ConfigMap that is too long: names are, in every cluster. An object or a list of a custom resource
/// is such a text, too.
CopySource source_of_copy(const properties::Examination& examination, const properties::Violation& violation,
                          std::span<const document::Value> examples);

}  // namespace fixpoint::runner
