#include "harness/properties/judge.h"
#include "harness/properties/properties.h"
#include "harness/properties/second_process.h"

namespace fixpoint::properties {

/// Only the run knows which Cases came before: it asks where a finding is not seen again in a new process.
Judgement independent_of_history(const Examination& examination) {
  if (!examination.has_history) return not_applicable("no Cases before this one are named");
  return judged(differences_of_second_processes(
      examination, [](const std::string& path, const std::string& first, const std::string& second) {
        return "after earlier requests the answer has another " + path + ": " + first +
               "; from a new process it has " + second;
      }));
}

}  // namespace fixpoint::properties
