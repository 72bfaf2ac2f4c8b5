#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "generators/answer_denials.h"
#include "harness/document/value.h"
#include "harness/runner/learning/choices.h"

namespace fixpoint::generators {

/// Keys of labels and annotations with which a program compares those of an object (learn_from_observed()).
/// Most pass one comparison and no other, so that the program refuses an object for one of them whatever
/// else it has: each is tried without the others.
class OfferedKeys {
 public:
  std::set<std::string>& all() { return keys_; }

  /// Leaves one of the keys in each map of labels and annotations of the object and of its template. Returns
  /// the key if it is the only one, else an empty text.
  std::string keep_one(document::Value& object, runner::Choices& choices) const;
  /// Takes the reply to an object with that key.
  void take(const std::string& key, const Reply& reply);
  /// Returns the keys for which each object was refused with a message about that key alone.
  std::vector<std::string> refused() const;

 private:
  struct Tried {
    int objects = 0, refused = 0;
  };
  void keep_one_in(document::Value& metadata, runner::Choices& choices, std::set<std::string>& kept) const;

  std::set<std::string> keys_ = {};
  std::map<std::string, Tried> tried_ = {};
};

}  // namespace fixpoint::generators
