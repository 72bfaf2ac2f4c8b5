#include <array>

#include "harness/cases/webhook_configuration.h"
#include "harness/properties/property.h"

namespace fixpoint::properties {

// Each is defined in the file of its name; here is the order in which they are checked.
extern const Property kNoDuplicateNames, kValidSpec, kConverges, kBoundedGrowth, kIdempotent,
    kPreservesOthers, kPatchWellFormed, kDeterministic, kAcceptsOwnOutput, kReinvocationValid,
    kReinvocationComplete, kOrderIndependent, kPreservesOrder, kAbsentEmptyPresent, kNoExplicitZeros,
    kProtocol, kDryRunEqual, kUpdateSafe, kCoversAllContainers, kRequestContext, kTextSurvives,
    kNumbersSurvive, kAggregateConsistent, kWithinBudget, kAnswers, kReplicasAgree, kIndependentOfHistory,
    kAnnotationValues, kInjectedValues, kNoSideEffects, kAdmittedByCluster, kExpressionsEvaluate,
    kConfigurationSound, kImagesKeptWhole, kKubeletStarts, kAskedDone, kSecretsHidden, kExplicitKept,
    kSettlesWhenStored, kAppliedAgain, kAppliedEqualsStored, kOldObjectsLive, kSameOnUpdate, kNothingUnknown,
    kSubresources, kEveryVersion, kTemplateStable, kOncePerPod, kConcurrentAsSequential;

std::span<const Property> all() {
  static const Property rows[] = {kNoDuplicateNames,
                                  kValidSpec,
                                  kConverges,
                                  kBoundedGrowth,
                                  kIdempotent,
                                  kPreservesOthers,
                                  kPatchWellFormed,
                                  kDeterministic,
                                  kAcceptsOwnOutput,
                                  kReinvocationValid,
                                  kReinvocationComplete,
                                  kOrderIndependent,
                                  kPreservesOrder,
                                  kAbsentEmptyPresent,
                                  kNoExplicitZeros,
                                  kProtocol,
                                  kDryRunEqual,
                                  kUpdateSafe,
                                  kCoversAllContainers,
                                  kRequestContext,
                                  kTextSurvives,
                                  kNumbersSurvive,
                                  kAggregateConsistent,
                                  kWithinBudget,
                                  kAnswers,
                                  kReplicasAgree,
                                  kIndependentOfHistory,
                                  kConcurrentAsSequential,
                                  kAnnotationValues,
                                  kInjectedValues,
                                  kNoSideEffects,
                                  kAdmittedByCluster,
                                  kExpressionsEvaluate,
                                  kConfigurationSound,
                                  kImagesKeptWhole,
                                  kKubeletStarts,
                                  kAskedDone,
                                  kSecretsHidden,
                                  kExplicitKept,
                                  kSettlesWhenStored,
                                  kAppliedAgain,
                                  kAppliedEqualsStored,
                                  kOldObjectsLive,
                                  kNothingUnknown,
                                  kSubresources,
                                  kEveryVersion,
                                  kSameOnUpdate,
                                  kTemplateStable,
                                  kOncePerPod};
  return rows;
}

bool is_policy(const Tested& tested) { return cases::is_policy(tested.configuration); }
bool is_called(const Tested& tested) { return tested.is_webhook() && !is_policy(tested); }

const Property* find(std::string_view name) {
  for (const Property& property : all()) {
    if (property.name == name) return &property;
  }
  return nullptr;
}

std::span<const std::string_view> own_symptoms() {
  static constexpr auto kSymptoms =
      std::to_array<std::string_view>({"answers", "duplicate", "fails-inside", "hidden-default",
                                       "newer-fields", "panic", "refused-by-judge"});
  return kSymptoms;
}

std::string_view word(Severity severity) { return severity == Severity::error ? "error" : "warning"; }

const std::vector<Observation>& observations_of(const Judgement& judgement) {
  static const std::vector<Observation> kNone;
  if (const auto* held = std::get_if<Held>(&judgement)) return held->observations;
  if (const auto* skipped = std::get_if<Skipped>(&judgement)) return skipped->observations;
  const auto* violated = std::get_if<Violated>(&judgement);
  return violated == nullptr ? kNone : violated->observations;
}

}  // namespace fixpoint::properties
