#include <array>

#include "harness/cases/webhook_configuration.h"
#include "harness/properties/property.h"

namespace fixpoint::properties {

// Each is defined in the file of its name; here is the order in which they are checked.
extern const Property kNoDuplicateNames;
extern const Property kValidSpec;
extern const Property kConverges;
extern const Property kBoundedGrowth;
extern const Property kIdempotent;
extern const Property kPreservesOthers;
extern const Property kPatchWellFormed;
extern const Property kDeterministic;
extern const Property kAcceptsOwnOutput;
extern const Property kReinvocationValid;
extern const Property kReinvocationComplete;
extern const Property kOrderIndependent;
extern const Property kPreservesOrder;
extern const Property kAbsentEmptyPresent;
extern const Property kNoExplicitZeros;
extern const Property kProtocol;
extern const Property kDryRunEqual;
extern const Property kUpdateSafe;
extern const Property kCoversAllContainers;
extern const Property kRequestContext;
extern const Property kTextSurvives;
extern const Property kNumbersSurvive;
extern const Property kAggregateConsistent;
extern const Property kWithinBudget;
extern const Property kAnswers;
extern const Property kReplicasAgree;
extern const Property kIndependentOfHistory;
extern const Property kAnnotationValues;
extern const Property kInjectedValues;
extern const Property kNoSideEffects;
extern const Property kAdmittedByCluster;
extern const Property kExpressionsEvaluate;
extern const Property kConfigurationSound;
extern const Property kImagesKeptWhole;
extern const Property kKubeletStarts;
extern const Property kAskedDone;
extern const Property kSecretsHidden;
extern const Property kExplicitKept;
extern const Property kSettlesWhenStored;
extern const Property kAppliedAgain;
extern const Property kAppliedEqualsStored;
extern const Property kOldObjectsLive;
extern const Property kSameOnUpdate;
extern const Property kNothingUnknown;
extern const Property kSubresources;
extern const Property kEveryVersion;
extern const Property kTemplateStable;
extern const Property kOncePerPod;

std::span<const Property> all() {
  static const auto rows = std::to_array<Property>({kNoDuplicateNames,
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
                                                    kOncePerPod});
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
  static constexpr auto kSymptoms = std::to_array<std::string_view>(
      {"answers", "duplicate", "fails-inside", "hidden-default", "newer-fields", "panic"});
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
