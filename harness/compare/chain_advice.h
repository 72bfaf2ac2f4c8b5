#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/limits.h"
#include "harness/document/result.h"
#include "harness/runner/learning/subject.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::compare {

/// The webhook configurations of one cluster, in the order in which the user named them.
struct Chain {
  std::vector<runner::Subject> members = {};
  std::vector<document::Value> objects = {};  ///< of the cluster, in addition to those of the members
};

/// The recommended reinvocationPolicy of one webhook, and the Case that shows why.
struct WebhookAdvice {
  /// needed: with Never something is missing. harmful: a second call spoils the Pod. safe: neither was
  /// observed. both: both were observed, and no policy is right. unknown: the webhook changed no Pod, or was
  /// never reinvoked.
  enum class Policy { needed, harmful, safe, both, unknown } policy = Policy::unknown;
  std::string webhook = {};   ///< <configuration>/<webhook>
  bool is_if_needed = false;  ///< its current policy
  bool is_policy = false;     ///< a MutatingAdmissionPolicy, by <policy>/<binding>
  std::uint64_t changed = 0;  ///< number of Cases in which it changed the Pod
  std::uint64_t called_again = 0;
  std::string missed = {};  ///< the difference that Never makes, as text
  std::string harm = {};    ///< the effect of a second call, in one sentence
  std::optional<cases::Case> needed_case = {}, harmful_case = {};
  /// Returns true if its current policy is the right one.
  bool is_right() const;
};

/// The harm of a second call that refuses the Pod begins so.
inline constexpr const char* kRefusesAgain = "a second call refuses the Pod";

/// The name of a policy in an event, and its sentence for display.
struct SaidPolicy {
  const char* word;
  const char* sentence;
};
const SaidPolicy& said_of(WebhookAdvice::Policy policy);

struct OrderAdvice {
  std::vector<std::string> order = {};  ///< names of configurations
  std::string problem = {};             ///< empty if the order works
  /// A server may take this order: webhooks are called by name, policies in any order.
  bool may_happen = false;
  std::string property = {};  ///< the violated property
  std::optional<cases::Case> shown_by = {};
};

/// A defect of one member alone; orders are judged without the members' own defects.
struct OwnDefect {
  std::string configuration = {};
  std::string property = {};
  std::string problem = {};
  std::optional<cases::Case> shown_by = {};
};

struct Advice {
  std::uint64_t cases = 0;
  std::uint64_t order_cases = 0;  ///< of these, used to judge orders: examples, Pods without near matches
  std::uint64_t examples = 0;     ///< of the order_cases
  std::vector<OwnDefect> defects = {};  ///< the first one found in each member
  std::vector<WebhookAdvice> webhooks = {};
  std::vector<OrderAdvice> orders = {};     ///< the first is that of the names
  std::vector<std::string> not_asked = {};  ///< a line for each question that remains open
  /// Returns true if the chain is right as configured.
  bool is_sound() const;
  /// Returns true if some webhook changed a Pod; otherwise nothing is known about the chain.
  bool has_evidence() const;
};

struct AdviceOptions {
  std::uint64_t seed = 0, cases = 0;
  Limits limits = {};
  webhooks::Resolve resolve = {};
  std::function<bool()> interrupted = {};
};

/// Draws Cases with all members and without faults. Tries every policy on each Case, and every order on
/// example Pods and on the Cases whose Pod has no element that the chain adds: all orders of up to four
/// members; of more, the order of their names and its reverse. The result depends on the arguments alone.
Advice advise_on(const Chain& chain, const AdviceOptions& options);

}  // namespace fixpoint::compare
