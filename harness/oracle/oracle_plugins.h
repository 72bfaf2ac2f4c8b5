#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
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
  bool dry_run = false, managed_fields = true;
  Json user = {};
  Json old_object = {};  ///< as received; null of a creation
  int minor = kNewestMinor;
  std::vector<std::string> plugins = {};
  Json settings = Json::object();  ///< of plugins, by name
  std::vector<Json> objects = {};
  int pass = 1;  ///< which of the two runs
  bool is_update() const { return operation == "UPDATE"; }
  /// Returns the last object of that kind and name, else the server's own; null if there is none.
  Json find(std::string_view kind, std::string_view namespace_name, std::string_view name) const;
};

/// Runs the Case's in-tree mutating plugins in the server's order, as one pass does. Throws Rejected.
void run_plugins(const RequestContext& around, Json& pod);

}  // namespace fixpoint::oracle
