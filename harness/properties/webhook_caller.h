#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/properties/property.h"

namespace fixpoint::properties {

/// The results of direct calls to the webhooks of one Case, kept because many properties begin with the same
/// calls.
class CallMemory {
 public:
  /// Returns the result of that call, or nullptr. `number` counts the calls of the webhook by one property.
  const apiserver::CallResult* find(const apiserver::ConfiguredWebhook& webhook, const Value& pod,
                                    int number) const;
  void keep(const apiserver::ConfiguredWebhook& webhook, const Value& pod, int number,
            const apiserver::CallResult& result);
  /// Keeps the call results of an admission without faults that direct calls would repeat.
  void keep_all(const apiserver::Admission& admission);

 private:
  struct Entry {
    int webhook, number;
    std::string review_version;
    Value pod;
    apiserver::CallResult result;
  };
  std::vector<Entry> entries_ = {};
};

/// Calls webhooks directly, as the API server would: apply, decode, default. Each caller counts its calls
/// from 1, and each property makes its own caller.
class WebhookCaller {
 public:
  explicit WebhookCaller(const Examination& examination) : examination_(examination) {}
  /// Creates a caller that continues to count after the calls of the admission itself.
  static WebhookCaller after_admission(const Examination& examination);

  /// Calls the webhook once on a Pod (decoded and defaulted).
  apiserver::CallResult call(const apiserver::ConfiguredWebhook& webhook, const Value& pod);
  /// Counts as if the webhook had been called once already.
  void skip(const apiserver::ConfiguredWebhook& webhook) { ++numbers_[webhook.key]; }
  /// Calls the webhook with another request than the Case's own.
  apiserver::CallResult call(const apiserver::ConfiguredWebhook& webhook, const Value& pod,
                             const cases::Request& request);

 private:
  const Examination& examination_;
  std::map<std::string, int> numbers_;
};

/// Records a call that a property made itself: in Examination::own_calls and has_acted.
void note_call(const Examination& examination, const apiserver::ConfiguredWebhook& webhook,
               const Value& before, const apiserver::CallResult& result);

/// The end of repeated calls of one webhook (docs/judging.md#verdicts).
struct Repetition {
  std::string verdict;         ///< stable, settles-after-k, oscillating-c, growing, unsettled
  std::vector<Value> objects;  ///< x, f(x), f(f(x)), …
  bool is_stable() const { return verdict == "stable"; }
  bool is_broken_off = false;  ///< a call failed or was denied: the verdict says nothing
};

/// Calls a webhook repeatedly, beginning with `pod`, at most limits.repeats_max times.
Repetition repeat(WebhookCaller& caller, const apiserver::ConfiguredWebhook& webhook, const Value& pod,
                  const Limits& limits);

/// Does the same on the Pod of a webhook's first call, whose result is used as call 1 of the repetition.
struct FirstCall;
Repetition repeat(const Examination& examination, const FirstCall& call);

/// The words of a verdict: `stable` and `settles-after-`, or `converged` and `converges-after-`.
struct Words {
  std::string_view at_once;
  std::string_view after;
};
inline constexpr Words kOfOneWebhook{"stable", "settles-after-"};
inline constexpr Words kOfAChain{"converged", "converges-after-"};

/// Returns the verdict on a sequence of objects of which each is made from the one before; empty while there
/// is none yet.
std::string verdict_of(const std::vector<Value>& objects, const Words& words);
/// Returns the verdict if the bound is reached without one: growing if something grew with every step after
/// the first.
std::string growing_or_unsettled(const std::vector<Value>& objects);

/// One webhook's first real call of pass 1: the call that single-webhook properties judge.
struct FirstCall {
  const apiserver::ConfiguredWebhook& webhook;
  const apiserver::CallEvent& event;
};
/// Returns true if a fault of the Case disturbed this call, so that its result must not be blamed on the
/// webhook.
bool is_disturbed(const Examination& examination, const apiserver::CallEvent& event);
/// Returns true if a fault changed the answer of this call. A webhook whose reads of the cluster fail answers
/// itself: it may refuse, but must neither crash nor break the Pod.
bool is_answer_disturbed(const Examination& examination, const apiserver::CallEvent& event);
/// Returns true if a fault of the Case disturbs the webhook's call with that number.
bool is_faulted(const cases::Case& value, std::string_view webhook, int number);

/// Returns the first call of every webhook that was reached without fault or error in pass 1.
std::vector<FirstCall> first_calls(const Examination& examination);

/// Returns the path of a member or an element of the value at `path`: "spec.containers",
/// "spec.containers[1]". A name that contains a dot, a slash or a bracket is put in brackets.
std::string member_path(const std::string& path, std::string_view name);
std::string element_path(const std::string& path, std::size_t index);

/// Returns true if a part of `later` (a list, a map or a string) is strictly longer than in `earlier`; stores
/// the path of the first one in `path`.
bool has_grown(const Value& earlier, const Value& later, std::string& path);

/// The first place where two Pods differ, as "spec.containers[1].env[0].name"; empty when they do not.
std::string first_difference(const Value& a, const Value& b);
/// The same, but of a list that has the same elements in another order the path of the list.
std::string first_difference_or_order(const Value& a, const Value& b);

/// Returns true if the text is a value somewhere in it.
bool mentions(const Value& value, std::string_view text);

/// A path without indices: each index becomes the element's name where the patch of `written_by` contains
/// that name, else `*` (docs/judging.md#fingerprint).
std::string shape_of(const std::string& path, const Value& pod, const Value& written_by);
/// Does the same with the call that wrote the patch, if it sent one.
std::string shape_of(const std::string& path, const Value& pod, const apiserver::CallResult& written_by);

/// The value a dotted path leads to, or null.
Value at_path(const Value& pod, const std::string& path);
/// The Pod without the member or element that such a path leads to; unchanged when it leads nowhere.
Value without_path(const Value& pod, const std::string& path);

}  // namespace fixpoint::properties
