#pragma once

#include <span>
#include <utility>

#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// Copy-on-write for the members of an object that are visited in order: nothing is copied until the first
/// change; from then on a new list, with room for `room` members, takes the result.
class ChangedMembers {
 public:
  ChangedMembers(const document::Value& sent, std::size_t room)
      : sent_(sent), members_(sent.members()), room_(room) {}
  const document::Member& sent(std::size_t i) const { return members_[i]; }
  std::size_t size() const { return members_.size(); }  ///< the number of original members
  bool is_changed() const { return list_ != nullptr; }
  /// Starts the new list with the original members before `end`. Only the first call has an effect.
  void change_from(std::size_t end) {
    if (is_changed()) return;
    changed_ = document::Value::empty_object(room_);
    list_ = &changed_.edit_members();
    list_->append(members_.begin(), members_.begin() + static_cast<std::ptrdiff_t>(end));
  }
  /// Requires change_from().
  void push_back(document::Member member) { list_->push_back(std::move(member)); }
  /// The result: the original node if nothing changed.
  document::Value take() && { return is_changed() ? std::move(changed_) : sent_; }

 private:
  const document::Value& sent_;
  std::span<const document::Member> members_;
  std::size_t room_;
  document::Value changed_{};
  document::Members* list_ = nullptr;  ///< of `changed_`
};

}  // namespace fixpoint::apiserver
