#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/limits.h"
#include "harness/document/result.h"
#include "harness/runner/subject.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::compare {

/// Webhook configurations that stand together in a cluster, in the order they are named.
struct Chain {
  std::vector<runner::Subject> members = {};
  std::vector<document::Value> objects = {};  ///< of the cluster, beside those of the members
};

/// What one webhook should ask for, and the Case that shows it.
struct WebhookAdvice {
  /// needed: with Never something is missing. harmful: a second call spoils the Pod. safe: neither was seen.
  /// both: each happens, and no policy is right. unknown: it changed no Pod, or was never called again.
  enum class Policy { needed, harmful, safe, both, unknown } policy = Policy::unknown;
  std::string webhook = {};   ///< <configuration>/<webhook>
  bool is_if_needed = false;  ///< what it asks for now
  std::uint64_t changed = 0;  ///< in how many Cases it changed the Pod
  std::uint64_t called_again = 0;
  std::string missed = {};  ///< what is missing or otherwise with Never, in words
  std::string harm = {};    ///< one sentence on what a second call does
  std::optional<cases::Case> needed_case = {}, harmful_case = {};
  /// Whether it asks for what it needs.
  bool is_right() const;
};

/// A policy's word in an event, and its sentence for a person.
struct SaidPolicy {
  const char* word;
  const char* sentence;
};
const SaidPolicy& said_of(WebhookAdvice::Policy policy);

struct OrderAdvice {
  std::vector<std::string> order = {};  ///< names of configurations
  std::string problem = {};             ///< empty when it works
  std::string property = {};            ///< that is violated
  std::optional<cases::Case> shown_by = {};
};

/// What a member of the chain does wrong by itself. The orders are judged without it.
struct OwnDefect {
  std::string configuration = {};
  std::string property = {};
  std::string problem = {};
  std::optional<cases::Case> shown_by = {};
};

struct Advice {
  std::uint64_t cases = 0;
  std::uint64_t order_cases = 0;  ///< of these, by which the orders are judged: Pods without near matches
  std::vector<OwnDefect> defects = {};  ///< the first that was seen of each member
  std::vector<WebhookAdvice> webhooks = {};
  std::vector<OrderAdvice> orders = {};     ///< the first is the order that the API server would call in
  std::vector<std::string> not_asked = {};  ///< a line for each question that stays open, in words
  /// Whether the chain is right as it is configured.
  bool is_sound() const;
  /// Returns true if some webhook changed a Pod: else nothing is known of the chain.
  bool has_evidence() const;
};

struct AdviceOptions {
  std::uint64_t seed = 0, cases = 0;
  Limits limits = {};
  webhooks::Resolve resolve = {};
  std::function<bool()> interrupted = {};
};

/// Draws Cases in which all members stand and nothing is disturbed, and tries every policy on them, and every
/// order on those whose Pod has no element that the chain adds: all orders of up to four configurations, of
/// more the own one and its reversal. A function of its arguments.
Advice advise_on(const Chain& chain, const AdviceOptions& options);

}  // namespace fixpoint::compare
