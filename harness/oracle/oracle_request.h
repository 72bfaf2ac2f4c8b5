#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/oracle/oracle_json.h"

namespace fixpoint::oracle {

/// Thrown to end a request with the code and the reason that the client receives.
struct Rejected : std::runtime_error {
  Rejected(int its_code, std::string its_reason, const std::string& why = "")
      : std::runtime_error(why), code(its_code), reason(std::move(its_reason)) {}
  int code;
  std::string reason;
};

/// The minor of a Case that names none: the newest that is supported.
inline constexpr int kNewestMinor = 36;

/// A Case's request and cluster, as the format has them, with the format's defaults.
struct RequestContext {
  std::string operation = "CREATE", namespace_name = "default", sub_resource = {};
  bool dry_run = false;
  Json user = {};
  Json old_object = {};  ///< as received; null of a creation
  int minor = kNewestMinor;
  std::vector<Json> objects = {};
  int pass = 1;  ///< which of the two runs
  bool is_update() const { return operation == "UPDATE"; }
  /// Returns the last object of that kind and name; null if there is none.
  Json find(std::string_view kind, std::string_view in_namespace, std::string_view name) const;
};

/// Reads a Case's request, without its objects, and the cluster.
RequestContext read_request_context(const Json& text_of_case);

}  // namespace fixpoint::oracle
