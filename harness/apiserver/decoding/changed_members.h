#pragma once

#include <span>
#include <utility>

#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// The members of an object that is gone through in order: the object's own as long as nothing differs, from
/// the first that does on a list of its own, with room for so many.
class ChangedMembers {
 public:
  ChangedMembers(const document::Value& sent, std::size_t room)
      : sent_(sent), members_(sent.members()), room_(room) {}
  const document::Member& sent(std::size_t i) const { return members_[i]; }
  std::size_t size() const { return members_.size(); }  ///< of those that were sent
  bool is_changed() const { return list_ != nullptr; }
  /// What was sent before that place is kept; the first call counts.
  void change_from(std::size_t end) {
    if (is_changed()) return;
    changed_ = document::Value::empty_object(room_);
    list_ = &changed_.edit_members();
    list_->append(members_.begin(), members_.begin() + static_cast<std::ptrdiff_t>(end));
  }
  /// After change_from().
  void push_back(document::Member member) { list_->push_back(std::move(member)); }
  /// The very object when nothing was changed.
  document::Value take() && { return is_changed() ? std::move(changed_) : sent_; }

 private:
  const document::Value& sent_;
  std::span<const document::Member> members_;
  std::size_t room_;
  document::Value changed_{};
  document::Members* list_ = nullptr;  ///< of `changed_`
};

}  // namespace fixpoint::apiserver
