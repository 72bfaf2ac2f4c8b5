#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/document/value.h"
#include "harness/external/cluster_api/api_resources.h"

namespace fixpoint::external {

/// A failure as the server words it: a Status with its HTTP code.
struct ApiFailure {
  int code = 500;
  std::string_view reason = {};
  std::string message = {};
  document::Value details = document::Value::empty_object();
};

/// Returns the Status, with the members in the server's order.
document::Value status_of(const ApiFailure& failure);

/// An object, a collection or a path, for messages.
struct Named {
  const ApiResource& resource;
  std::string_view namespace_name = {};
  std::string_view name = {};  ///< empty for a collection
};

ApiFailure not_found(const Named& what);
ApiFailure unknown_path();
/// `user` may not do `verb`.
ApiFailure forbidden(const Named& what, std::string_view user, std::string_view verb);
ApiFailure already_exists(const Named& what);
ApiFailure conflict(const Named& what);
ApiFailure bad_request(std::string message);
ApiFailure invalid_options(const std::string& problem);
ApiFailure method_not_allowed();
ApiFailure not_acceptable();
ApiFailure unsupported_media_type();
ApiFailure unauthorized();
ApiFailure internal_error(const std::string& what);
ApiFailure timed_out();
/// `asked` is older than what is kept, or unknown.
ApiFailure expired(std::uint64_t asked, std::uint64_t current);
/// A list may not wait for a version that does not exist yet.
ApiFailure too_large_version(std::uint64_t asked, std::uint64_t current);
ApiFailure too_many_watches();
ApiFailure too_many_writes();

}  // namespace fixpoint::external
