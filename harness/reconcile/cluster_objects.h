#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/cases/outcome.h"
#include "harness/document/value.h"

namespace fixpoint::reconcile {

using document::Value;

/// The time of deletion of an object that waits for its finalizers.
inline constexpr std::string_view kDeleted = "2026-01-01T00:00:00Z";

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

struct Refusal {
  std::string text = {};  ///< the reason, and the server's message
  std::vector<cases::FieldError> errors = {};
};
/// Returns what the server says of an object that it does not store: it validates HorizontalPodAutoscalers
/// (autoscaling/v2), after its defaults. Nothing for what it takes, for removals and for other kinds.
std::optional<Refusal> refusal_of(const Objects& objects, const Request& request);

/// Where the objects of a run are stored: in memory, or on a real API server.
class ObjectStore {
 public:
  ObjectStore() = default;
  virtual ~ObjectStore() = default;
  ObjectStore(const ObjectStore&) = delete;
  ObjectStore& operator=(const ObjectStore&) = delete;

  /// The objects that are stored now. Valid until the next request.
  virtual const Objects& objects() = 0;
  /// Does what the request asks for, as apply() does.
  virtual std::string apply(const Request& request, bool server_defaults) = 0;
};

/// The objects that a store takes: what the server finds valid, or all, as the fake clients of Go do.
enum class Validation { as_the_server, none };

/// Objects in memory.
class MemoryStore final : public ObjectStore {
 public:
  explicit MemoryStore(Objects objects = {}, Validation validation = Validation::as_the_server)
      : objects_(std::move(objects)), validation_(validation) {}
  const Objects& objects() override { return objects_; }
  std::string apply(const Request& request, bool server_defaults) override;

 private:
  Objects objects_;
  Validation validation_;
};

}  // namespace fixpoint::reconcile
