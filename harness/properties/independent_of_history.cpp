#include "harness/properties/answer_difference.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"

namespace fixpoint::properties {

/// Only the run knows which Cases came before. It checks this property when a finding does not reproduce in a
/// new process.
namespace {

Judgement independent_of_history(const Examination& examination) {
  if (!examination.has_history) return not_applicable("no Cases before this one are named");
  return judged(differences_of_second_processes(
      examination, [](const std::string& path, const std::string& first, const std::string& second) {
        return "after earlier requests the answer has another " + path + ": " + first +
               "; from a new process it has " + second;
      }));
}

}  // namespace

extern constinit const Property kIndependentOfHistory = {
    .name = "independent-of-history",
    .claim = "The answer to a request does not depend on the requests before it.",
    .is_cheap = false,
    .ask = independent_of_history,
    .takes_any_kind = true,
    .applies_to = is_program,
    .symptom = "nondeterministic",
    .explanation = {.example = "The first request of a namespace fills a cache; later Pods get its values.",
                    .matters = "A Pod gets what belongs to another one, until the webhook is restarted.",
                    .fix = "Key caches by everything that the value depends on; copy what a request gave you "
                           "before changing it."},
};

}  // namespace fixpoint::properties
