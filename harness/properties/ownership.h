#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/properties/losses.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

/// The owner of a value that a call removed or changed, as calls on other Pods show it
/// (docs/judging.md#ownership).
enum class Ownership {
  own,      ///< the webhook writes it where it is absent
  purpose,  ///< each value has a result of its own, so that nothing is lost
  lost,     ///< the value is gone, or two values have the same result
};

/// Returns the path of the probe if a loss is a part of it, since a probe is rewritten as a whole.
std::string path_of_purpose(const Loss& loss);

/// Finds the owner with calls of one webhook on variants of the Pod of its first call.
class OwnershipQuestion {
 public:
  OwnershipQuestion(const Examination& examination, const FirstCall& call);

  Ownership of(const Loss& loss);
  /// Returns true if the value is in a container, a volume or another element of the Pod that the webhook
  /// adds itself where there is none.
  bool is_in_own_element(const Loss& loss);
  /// Returns true if the webhook writes the object at a place as a whole: the same one where there is none.
  bool is_written_whole(const Place& place);

 private:
  /// Returns the Pod after a call on this one, or nothing if the call is not made or fails.
  std::optional<Value> result_on(const Value& pod);
  bool is_own(const Loss& loss);
  /// Returns true for a member that the webhook fills in from the user of the request: this one has nothing
  /// for it.
  bool is_of_user(const Loss& loss);
  /// Returns true for a value that the webhook keeps in an annotation, with all of the object, as JSON:
  /// another component puts it where it belongs.
  bool is_saved(const Loss& loss) const;
  /// Returns true for the source of a volume that another one takes the place of, whatever the volume's name
  /// is: the webhook is about such volumes. One that it takes for its own by the name is lost.
  bool is_exchanged(const Loss& loss);
  bool is_written_without(const Place& removed, const Loss& loss);
  bool is_written_in(const Value& less, const Place& removed, const Loss& loss);
  /// The values to try in place of the lost one, and the place that they are put into.
  std::pair<Place, std::vector<Value>> variants_of(const Loss& loss) const;
  bool is_repeatable_call();

  const Examination& examination_;
  const FirstCall& call_;
  const Value& before_;
  const Value& after_;
  std::vector<std::pair<Value, std::optional<Value>>> known_ = {};
  std::optional<bool> is_repeatable_ = {};
};

}  // namespace fixpoint::properties
