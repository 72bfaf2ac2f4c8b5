#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/compare/chain_runs.h"

namespace fixpoint::compare {

/// Judges the orders of a chain's members. Members with a defect of their own, which no order repairs, are
/// left out.
class ChainOrders {
 public:
  /// Both must outlive it. Adds all orders to the advice.
  ChainOrders(const ChainRuns& runs, Advice& advice);

  /// Notes what the chain adds to a Pod.
  /// Looks for a problem of a member without the others: its own defect, which no order repairs.
  void look_at_alone(const cases::Case& plain, std::size_t index);
  void note_written(const document::Value& before, std::string_view path);
  /// Of the drawn Pods those count that have nothing yet that the chain adds; an example Pod always does.
  void look_at_orders(const cases::Case& plain, bool is_example);
  const std::set<std::string>& written() const { return written_; }

 private:
  /// The admissions of one Pod in each order; none where a Case of it cannot run.
  using Runs = std::vector<std::optional<runner::Prepared>>;

  bool has_near_match(const document::Value& pod) const;
  bool shows_own_defect(const cases::Case& plain) const;
  void compare_orders(const cases::Case& plain);
  void look_for_losses(const cases::Case& plain, const Runs& runs);
  void look_for_other_values(const cases::Case& plain, const Runs& runs);
  void tell(const cases::Case& plain, std::size_t index, std::size_t other,
            std::string (*difference)(const runner::Prepared& run, const runner::Prepared& beside),
            const char* sentence);
  void look_at(const cases::Case& plain, const Order& order, OrderAdvice& one);

  const ChainRuns& runs_;
  Advice& advice_;
  std::vector<Order> orders_ = {};
  std::set<std::string> written_ = {};    ///< elements that the chain adds, from any member
  std::set<std::string> defective_ = {};  ///< webhooks of members with a defect of their own
};

}  // namespace fixpoint::compare
