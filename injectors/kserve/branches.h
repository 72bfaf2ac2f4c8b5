#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// Counts the branches of the injectors that a run takes: a generator that never reaches a branch does not
/// test it.
namespace fixpoint::injectors::kserve {

inline constexpr std::array kBranches = std::to_array<std::string_view>({
    "mutator/without-label",
    "mutator/without-config-map",
    "mutator/config-refused",
    "mutator/config-crashed",
    "accelerator/selected",
    "accelerator/without-gpu",
    "storage/agent-stands-in",
    "storage/image-stands-in",
    "storage/there-already",
    "storage/without-server",
    "storage/worker-stands-in",
    "storage/transformer",
    "storage/local-model",
    "storage/local-model-unbound",
    "storage/claim-direct",
    "storage/claim-mounted-already",
    "storage/claim-half-way",
    "storage/claim-copied",
    "storage/claim-without-name",
    "storage/writable",
    "storage/uri-env",
    "storage/mount-there-already",
    "storage/bad-parameters",
    "storage/bundle",
    "storage/bundle-of-a-secret",
    "storage/container-merged",
    "storage/container-renamed",
    "storage/container-chosen",
    "storage/container-unfit",
    "storage/bad-expression",
    "storage/init-built",
    "storage/uid",
    "storage/uid-without-context",
    "storage/confidential",
    "spec/filled",
    "spec/without-placeholder",
    "spec/without-type",
    "spec/without-bucket",
    "spec/unsupported-type",
    "spec/bad-entry",
    "spec/without-entry",
    "spec/without-secret",
    "spec/overrides",
    "credentials/without-account",
    "credentials/role",
    "credentials/named",
    "credentials/without-secret",
    "credentials/s3",
    "credentials/gcs",
    "credentials/azure",
    "credentials/azure-storage",
    "credentials/https",
    "credentials/hdfs",
    "credentials/hugging-face",
    "credentials/endpoint",
    "credentials/endpoint-with-scheme",
    "istio/without-initializer",
    "istio/uid",
    "istio/odd-uid",
    "istio/init",
    "istio/not-redirected",
    "istio/bad-status",
    "istio/odd-status",
    "istio/without-sidecar",
    "istio/sidecars-user",
    "istio/default-user",
    "agent/there-already",
    "agent/logger",
    "agent/puller",
    "agent/batcher",
    "agent/behind-queue-proxy",
    "agent/user-port",
    "agent/probe-of-http",
    "agent/probe-of-tcp",
    "agent/probe-of-command",
    "agent/probe-of-grpc",
    "agent/without-probe",
    "agent/transformers-probe",
    "agent/mirrors-path",
    "agent/bundle",
    "agent/store",
    "agent/without-model-dir",
    "agent/models",
    "metrics/queue-proxy",
    "metrics/port-there-already",
    "metrics/scraped",
    "metrics/off",
    "modelcar/added",
    "modelcar/there-already",
    "modelcar/user",
    "modelcar/transformer",
    "modelcar/worker",
    "modelcar/without-server",
    "modelcar/bad-amount",
    "modelcar/named-mode",
    "modelcar/native",
    "modelcar/path-taken",
});

/// The name of a branch, which must be in the list: a misspelt name does not compile.
struct Branch {
  std::size_t index;
  consteval Branch(const char* name) : index(0) {  // NOLINT(google-explicit-constructor)
    while (kBranches[index] != name) ++index;
  }
};

using BranchCounts = std::array<std::uint64_t, kBranches.size()>;
/// The counts of this thread; null unless a test sets them.
inline constinit thread_local BranchCounts* branch_counts = nullptr;

inline void reach(Branch branch) {
  if (branch_counts != nullptr) ++(*branch_counts)[branch.index];
}

}  // namespace fixpoint::injectors::kserve
