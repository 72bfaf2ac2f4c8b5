#include "reports/published_defects.h"

#include <gtest/gtest.h>

namespace fixpoint::reports {
namespace {

TEST(PublishedDefects, AreLikeTheProblemAndOfAnotherProject) {
  const auto number_of = [](cases::Problem problem) {
    const auto* found = similar_defect(problem);
    return found == nullptr ? 0 : found->number;
  };
  EXPECT_EQ(
      number_of({.part = "w.example.com", .place = "spec.containers[*].env[A]", .symptom = "duplicate"}),
      41652);
  EXPECT_EQ(number_of({.part = "istio/x", .place = "spec.containers[*].env[A]", .symptom = "duplicate"}),
            4332);
  EXPECT_EQ(number_of({.part = "w.example.com", .place = "spec.volumes[a]", .symptom = "duplicate"}), 216);
  EXPECT_EQ(number_of({.part = "w.example.com", .place = "spec", .symptom = "invalid"}), 0);
}

}  // namespace
}  // namespace fixpoint::reports
