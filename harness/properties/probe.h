#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/properties/property.h"

namespace fixpoint::properties {

/// What the webhooks of one Case answered to direct calls: many properties begin with the same ones.
class CallMemory {
 public:
  /// The answer to that call, or nullptr. `number` counts the calls of the webhook by one property.
  const apiserver::Hop* find(const apiserver::ConfiguredWebhook& webhook, const Value& pod, int number) const;
  void keep(const apiserver::ConfiguredWebhook& webhook, const Value& pod, int number,
            const apiserver::Hop& hop);
  /// What an admission without faults heard of its webhooks, as far as direct calls would hear the same.
  void keep_all(const apiserver::Admission& admission);

 private:
  struct Entry {
    int webhook, number;
    std::string review_version;
    Value pod;
    apiserver::Hop hop;
  };
  std::vector<Entry> entries_ = {};
};

/// Calls webhooks directly, as the API server would: apply, decode, default. Calls are counted from 1 for
/// each prober, and a property makes its own.
class Prober {
 public:
  explicit Prober(const Examination& examination) : examination_(examination) {}
  /// Counts on from the calls of the admission itself, for what comes after it.
  static Prober after_admission(const Examination& examination);

  /// One call of the webhook on a Pod (decoded and defaulted).
  apiserver::Hop call(const apiserver::ConfiguredWebhook& webhook, const Value& pod);
  /// As if the webhook had been called once already.
  void skip(const apiserver::ConfiguredWebhook& webhook) { ++numbers_[webhook.key]; }
  /// The same for another request than the Case's own.
  apiserver::Hop call(const apiserver::ConfiguredWebhook& webhook, const Value& pod,
                      const cases::Request& request);

 private:
  void note(const apiserver::ConfiguredWebhook& webhook, const Value& pod, const apiserver::Hop& hop) const;

  const Examination& examination_;
  std::map<std::string, int> numbers_;
};

/// The end of repeated calls of one webhook (docs/judging.md#verdicts).
struct Repetition {
  std::string verdict;         ///< stable, settles-after-k, oscillating-c, growing, unsettled
  std::vector<Value> objects;  ///< x, f(x), f(f(x)), …
  bool is_stable() const { return verdict == "stable"; }
  bool is_broken_off = false;  ///< a call failed or was denied: the verdict says nothing
};

/// Calls a webhook on `pod` again and again, at most limits.repeats_max times.
Repetition repeat(Prober& prober, const apiserver::ConfiguredWebhook& webhook, const Value& pod,
                  const Limits& limits);

/// The same on the Pod of a webhook's first call: what it answered then, it answers in call 1 of the
/// repetition.
struct FirstCall;
Repetition repeat(const Examination& examination, const FirstCall& call);

/// The words of a verdict: `stable` and `settles-after-`, or `converged` and `converges-after-`.
struct Words {
  std::string_view at_once;
  std::string_view after;
};
inline constexpr Words kOfOneWebhook{"stable", "settles-after-"};
inline constexpr Words kOfAChain{"converged", "converges-after-"};

/// The verdict over a sequence of objects of which each is made from the one before; empty while it says
/// nothing yet.
std::string verdict_of(const std::vector<Value>& objects, const Words& words);
/// The verdict when the bound is reached without one: whether something grew with every step after the first.
std::string growing_or_unsettled(const std::vector<Value>& objects);

/// One webhook's first real call of pass 1: what single-webhook properties ask about.
struct FirstCall {
  const apiserver::ConfiguredWebhook& webhook;
  const apiserver::CallEvent& event;
};
/// Whether a fault of the Case stood in front of this call: what it shows is no webhook's guilt.
bool is_disturbed(const Examination& examination, const apiserver::CallEvent& event);
/// The same of a Case: whether one of its faults stands in front of the webhook's call with that number.
bool is_faulted(const cases::Case& value, std::string_view webhook, int number);

/// Of every webhook that was reached without fault or error in pass 1.
std::vector<FirstCall> first_calls(const Examination& examination);

/// The path of a member or an element of what stands at `path`: "spec.containers", "spec.containers[1]". A
/// name with a dot, a slash or a bracket in it stands in brackets.
std::string member_path(const std::string& path, std::string_view name);
std::string element_path(const std::string& path, std::size_t index);

/// Whether some part of `later` is strictly longer than in `earlier`: a list, a map, or a string; the path of
/// the first one in `path`.
bool has_grown(const Value& earlier, const Value& later, std::string& path);

/// The first place where two Pods differ, as "spec.containers[1].env[0].name"; empty when they do not.
std::string first_difference(const Value& a, const Value& b);

/// A path without indices: each index becomes the element's name where the patch of `written_by` contains
/// that name, else `*` (docs/judging.md#fingerprint).
std::string shape_of(const std::string& path, const Value& pod, const Value& written_by);

/// The value a dotted path leads to, or null.
Value at_path(const Value& pod, const std::string& path);
/// The Pod without the member or element that such a path leads to; unchanged when it leads nowhere.
Value without_path(const Value& pod, const std::string& path);

}  // namespace fixpoint::properties
