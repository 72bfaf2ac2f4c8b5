#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/value.h"
#include "harness/external/cluster_api/api_request.h"
#include "harness/external/cluster_api/api_resources.h"

namespace fixpoint::external {

/// How a client wants objects of a resource.
struct ObjectForm {
  AnswerForm form = AnswerForm::plain;
  std::string include_object = {};  ///< of a table's rows: None, Metadata (the default) or Object

  /// Returns an object in the resource's version and in this form.
  document::Value of(const document::Value& object, const ApiResource& resource) const;
  /// Returns a list of objects.
  document::Value of_list(const std::vector<document::Value>& objects, const ApiResource& resource,
                          std::uint64_t version) const;
  /// Returns the object of a BOOKMARK event.
  document::Value bookmark(const ApiResource& resource, std::uint64_t version, bool ends_initial) const;
};

}  // namespace fixpoint::external
