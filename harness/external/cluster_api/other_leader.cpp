#include "harness/external/cluster_api/other_leader.h"

#include <chrono>

#include "harness/external/cluster_api/micro_time.h"
#include "harness/external/cluster_api/shown_objects.h"

namespace fixpoint::external {

namespace {

/// As client-go's users have it.
constexpr std::int64_t kLeaseSeconds = 15;
constexpr std::string_view kHolder = "another-replica";

}  // namespace

bool is_leases(const ApiResource& resource) {
  return resource.group == "coordination.k8s.io" && resource.plural == "leases";
}

document::Value lease_of_other_leader(const ApiResource& resource, const ObjectKey& key) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  constexpr std::int64_t kSecond = 1'000'000'000;
  document::Value lease{
      {"kind", resource.kind},
      {"apiVersion", resource.api_version()},
      {"metadata", {{"name", key.name}, {"namespace", key.namespace_name}, {"resourceVersion", "1"}}},
      {"spec",
       {{"holderIdentity", kHolder},
        {"leaseDurationSeconds", kLeaseSeconds},
        {"acquireTime", "2024-01-01T00:00:00.000000Z"},
        {"renewTime", micro_time(nanoseconds / kSecond, nanoseconds % kSecond)},
        {"leaseTransitions", 0}}}};
  fill_metadata(lease, resource, key);
  return lease;
}

}  // namespace fixpoint::external
