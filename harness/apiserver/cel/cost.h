#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/apiserver/cel/cel_value.h"

namespace fixpoint::apiserver::cel {

/// The costs that the server charges (cel-go/common/cost.go).
inline constexpr std::uint64_t kListCost = 10;
inline constexpr std::uint64_t kMapCost = 30;
inline constexpr std::uint64_t kMessageCost = 40;

/// Which rule of cost a call has; found once, when the call is planned.
enum class CostRule : std::uint8_t {
  one,
  authorization,
  selector,
  traversal,
  first_size,
  first_size_twice,
  result_size_twice,
  pattern,
  contains_ip,
  contains_ip_text,
  contains_cidr,
  contains_cidr_text,
  named_format,
  second_size_whole,
  smaller_size,
  sum_of_sizes,
  product_of_sizes,
  equality,
  sets,
  sets_twice,
  new_list,
  range,
  flattened_list,
  compared_list,
  compared_keys
};
/// Returns true if the cost of a call follows from its arguments, so that it is known before the call.
bool is_known_before(CostRule rule);
CostRule cost_rule(std::string_view function, std::string_view overload);
/// The server's error if it fails to find the cost of a call, which ends the evaluation; empty otherwise.
std::string cost_failure(CostRule rule, std::span<const Datum> arguments);
std::uint64_t call_cost(CostRule rule, std::span<const Datum> arguments, const Datum& result);

/// Counts the cost of an evaluation as the server does: each step leaves its value on a stack, from which the
/// step that uses it takes it (cel-go/interpreter/runtimecost.go). A call whose arguments are not there costs
/// nothing.
class CostTracker {
 public:
  /// `ids` is one more than the greatest id of a step.
  CostTracker(std::uint64_t limit, std::size_t ids) : present_(ids), limit_(limit) { stack_.reserve(32); }
  std::uint64_t cost() const { return cost_; }
  /// True once the limit is exceeded or a cost could not be found; the cost stays what it was then.
  bool is_exhausted() const { return exhausted_; }
  /// Ends the evaluation with a message.
  void fail(std::string message) {
    if (exhausted_) return;
    exhausted_ = true;
    message_ = std::move(message);
  }
  /// Why the evaluation ended.
  const std::string& message() const { return message_; }
  /// True once nothing that is still computed can count.
  bool is_over() const { return exhausted_ || cost_ > limit_; }
  void charge(std::uint64_t cost) {
    if (!exhausted_) cost_ += cost;
  }
  void push(const Datum& value, int id) {
    if (value.is_error()) note_error(value, id);
    stack_.push_back({value, id});
    ++present_[static_cast<std::size_t>(id)];
    if (cost_ > limit_) fail("operation cancelled: actual cost limit exceeded");
  }
  /// Returns the id of the step that failed with this error; 0 if it is not known.
  int origin_of(const Datum& error) const;
  /// Removes the value of a step and what is above it.
  void drop(int id);
  /// Takes the values of steps off the stack into `into`; false if one is not there.
  bool take(std::span<const int> ids, std::span<Datum> into);

 private:
  struct Entry {
    Datum value;
    int id;
  };
  /// Errors that || and && and ?: absorb are among them, so only the latest are kept.
  static constexpr std::size_t kErrorsMax = 32;
  void note_error(const Datum& error, int id);
  /// Takes everything from a place on off the stack.
  void shrink(std::size_t size);

  std::vector<Entry> stack_;
  std::vector<Entry> errors_;
  std::vector<std::uint32_t> present_;  ///< how many values of each step are on the stack
  std::uint64_t cost_ = 0;
  std::uint64_t limit_;
  bool exhausted_ = false;
  std::string message_ = {};
};

}  // namespace fixpoint::apiserver::cel
