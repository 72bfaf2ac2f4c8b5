#pragma once

#include <array>
#include <string_view>

namespace fixpoint::cases {

/// The faults that are a single word (docs/formats.md#case); the others carry a status code.
inline constexpr std::array<std::string_view, 19> kPlainFaults{"timeout",
                                                               "refused",
                                                               "not-json",
                                                               "empty-body",
                                                               "wrong-uid",
                                                               "wrong-kind",
                                                               "wrong-api-version",
                                                               "no-response",
                                                               "patch-without-type",
                                                               "type-without-patch",
                                                               "unknown-patch-type",
                                                               "patch-with-deny",
                                                               "patch-not-json",
                                                               "patch-not-a-patch",
                                                               "patch-unknown-op",
                                                               "patch-cannot-apply",
                                                               "patch-makes-non-pod",
                                                               "deny",
                                                               "deny-without-status"};

/// The faults of the API through which a webhook reads its cluster: each read of a call fails in that way,
/// and the webhook's answer is its own. `read-stale`: the reads show an earlier cluster.
inline constexpr std::array<std::string_view, 5> kReadFaults{"read-forbidden", "read-not-found", "read-error",
                                                             "read-timeout", "read-stale"};

/// The faults that end in a code: their prefix and the range of their codes.
struct CodedFault {
  std::string_view prefix;
  int low, high;
};
inline constexpr std::array<CodedFault, 3> kCodedFaults{
    {{"status-", 100, 599}, {"retry-after-", 100, 599}, {"deny-", 0, 599}}};

/// Returns true if the format knows the fault: `timeout`, `status-503`, `read-error`, ….
bool is_known_fault(std::string_view fault);
/// Returns true for one of kReadFaults.
bool is_read_fault(std::string_view fault);

}  // namespace fixpoint::cases
