#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/document/value.h"

namespace fixpoint::reconcile {

using document::Value;

/// The stored objects that a reconcile can see.
struct Objects {
  std::vector<Value> all = {};
  const Value* find(std::string_view kind, std::string_view namespace_name, std::string_view name) const;
};

/// One request of a reconciler or of a user to the API server.
struct Request {
  enum class Verb { create, update, remove } verb = Verb::create;
  Value object = {};  ///< as it is sent; of a removal its kind and name count
  bool dry_run = false;
};
std::string_view word(Request::Verb verb);

/// Does what the request asks for, with what finalizers do: a removal marks an object that has any, and a
/// marked object goes when the last of them does. Returns the server's reason for refusing, empty for none.
/// With `server_defaults` the API server applies its defaults to what is stored.
std::string apply(Objects& objects, const Request& request, bool server_defaults);

}  // namespace fixpoint::reconcile
