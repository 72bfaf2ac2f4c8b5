#pragma once

#include <array>
#include <string_view>

#include "injectors/kserve/kserve.h"

namespace fixpoint::injectors::kserve::hpa {

/// The reaction of a release to a class of autoscaler.
enum class Role : std::uint8_t {
  refused,     ///< an error: unknown autoscaler class type
  left_alone,  ///< nothing is read or written
  reconciled,  ///< reconciled by the reconciler of autoscalers, which creates none for it
};
/// The condition under which a stored autoscaler equals the wanted one.
enum class Equality : std::uint8_t {
  metrics_and_bounds,  ///< (0.11) a stored autoscaler without minReplicas crashes the release
  spec,                ///< (0.12) never equal once the API server has set the default behavior
  spec_and_class,      ///< (0.13) the annotation for the class must be equal, too
};
/// The condition under which a stored autoscaler is deleted.
enum class Removal : std::uint8_t {
  never,
  whoever_owns_it,  ///< (0.13) class external, unless it is the wanted one
  if_owned,         ///< (0.15.1) class external or none, owned by some InferenceService
  owned_first,      ///< (0.16) the same, but before the comparison, or if it has the stop annotation
};
/// The source of the metrics.
enum class Metrics : std::uint8_t {
  one,            ///< scaleMetric and scaleTarget, else the annotation for the target
  listed,         ///< (0.15) autoScaling.metrics first; a metric without a resource crashes the release
  listed_safely,  ///< (0.16) as listed, without the crash
};
/// The handling of class keda.
enum class Keda : std::uint8_t {
  refused,
  addresses,  ///< (0.15.0) as dry_run, but a trigger on a utilization has the address of its number, which is
              ///< another each time
  dry_run,    ///< (0.15.2) a dry-run update, then a real one if something differs
  stopped,    ///< (0.16) as dry_run, but the stop annotation deletes the object
};

/// One release: the rows of the decision table (docs/kserve.md#3) as switches.
struct Release {
  std::string_view name;
  Role external = Role::refused;
  Role none = Role::refused;
  Equality equality = Equality::spec;
  Removal removal = Removal::never;
  Metrics metrics = Metrics::one;
  Keda keda = Keda::refused;
  bool needs_spec = true;  ///< crashes without a component extension
};

inline constexpr Release kH0{.name = "0.11.2", .equality = Equality::metrics_and_bounds};
inline constexpr Release kH1{.name = "0.12.0", .external = Role::left_alone};
inline constexpr Release kH2{.name = "0.13.1",
                             .external = Role::reconciled,
                             .equality = Equality::spec_and_class,
                             .removal = Removal::whoever_owns_it};
inline constexpr Release kH2Keda{.name = "0.15.0",
                                 .external = Role::reconciled,
                                 .equality = Equality::spec_and_class,
                                 .removal = Removal::whoever_owns_it,
                                 .metrics = Metrics::listed,
                                 .keda = Keda::addresses};
inline constexpr Release kH3{.name = "0.15.2",
                             .external = Role::reconciled,
                             .none = Role::reconciled,
                             .equality = Equality::spec_and_class,
                             .removal = Removal::if_owned,
                             .metrics = Metrics::listed,
                             .keda = Keda::dry_run};
inline constexpr Release kH4{.name = "0.16.0",
                             .external = Role::reconciled,
                             .none = Role::reconciled,
                             .equality = Equality::spec_and_class,
                             .removal = Removal::owned_first,
                             .metrics = Metrics::listed_safely,
                             .keda = Keda::stopped,
                             .needs_spec = false};

constexpr Release named(Release release, std::string_view name) {
  release.name = name;
  return release;
}

inline constexpr auto kRows = std::to_array<Release>(
    {kH0, kH1, named(kH1, "0.12.1"), kH2, named(kH2, "0.14.1"), kH2Keda, named(kH3, "0.15.1"), kH3, kH4,
     named(kH4, "0.17.0"), named(kH4, "0.17.1"), named(kH4, "0.18.0"), named(kH4, "0.18.1"),
     named(kH4, "0.19.0"), named(kH4, "0.20.0")});

inline constexpr auto kHpaReleases = kReleases;

}  // namespace fixpoint::injectors::kserve::hpa
