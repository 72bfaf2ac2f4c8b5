#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/kind.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

/// The requests that clients and controllers send about the object that a Case creates, answered by a cluster
/// with one of the Case's mutating webhooks or with none: its neighbours and policies are left out, and what
/// judges stays.
class LaterRequests {
 public:
  LaterRequests(const Examination& examination, const apiserver::ConfiguredWebhook& webhook);

  /// Nothing if the simulator does not support something in the request.
  std::optional<apiserver::Admission> with(const cases::Request& request) const;
  std::optional<apiserver::Admission> without(const cases::Request& request) const;

  /// The object that is stored when the Case's own request is answered, as a client reads it once its
  /// controller has written the status that the Case's object carries; null if none is.
  Value created_with() const { return with_status(read_back(with(examination_.value.request))); }
  Value created_without() const { return with_status(read_back(without(examination_.value.request))); }

  /// The object of an answered request, as a client reads it; null if nothing is stored.
  Value read_back(const std::optional<apiserver::Admission>& answered) const;

  /// An update of a stored object, by the Case's user.
  cases::Request update(Value old_object, Value object) const;

  const cases::Kind& kind() const { return kind_; }

 private:
  std::optional<apiserver::Admission> answer(const cases::Case& around, const cases::Request& request) const;
  Value with_status(Value stored) const;
  const Examination& examination_;
  const cases::Kind kind_;
  cases::Case with_, without_;
};

/// Returns an update of a stored object by the same user as the request.
cases::Request update_of(cases::Request request, Value old_object, Value object);

/// Returns an object as the cluster has it once it was created and no webhook was called; null if it is
/// refused.
Value created(const Examination& examination, Value object);
/// Returns a stored object as later requests have it: without managedFields, and with a name.
Value as_kept(Value object);

/// Returns true if the request's webhook was called and answered: it did not fail.
bool was_asked(const apiserver::Admission& admission);
/// The webhook's call in an admission in which it was asked.
OwnCall call_in(const apiserver::Admission& admission, std::string what);

/// Returns the sentence of the server for a request that it refused: what the webhook, the registry or a
/// judge says.
std::string refusal_of(const apiserver::Admission& admission);
/// Returns true if the request was taken: it reached the store.
bool was_taken(const apiserver::Admission& admission);

/// The findings of the questions about later requests.
struct LaterAnswers {
  std::vector<Violation> violations = {};
  std::vector<Observation> observations = {};
  bool is_asked = false;  ///< a webhook was asked about at least one later request
};
/// Asks about the first call of each webhook that is registered for updates. Not applicable if the request is
/// an update itself, or if nobody was asked.
Judgement judged_by_updates(const Examination& examination,
                            const std::function<void(const FirstCall&, LaterAnswers&)>& ask);

/// Makes both the last update of an object that is being deleted: `now` has lost the last finalizer.
void let_die(Value& old, Value& now, int grace_seconds);

/// Returns an object without what the server itself writes at each request: generation, managedFields.
Value without_bookkeeping(Value object);

}  // namespace fixpoint::properties
