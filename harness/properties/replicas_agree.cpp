#include "harness/properties/answer_difference.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"

namespace fixpoint::properties {

namespace {

Judgement replicas_agree(const Examination& examination) {
  if (examination.replicas == nullptr || examination.replicas->empty())
    return not_applicable("no webhook of the Case is a program that can be started twice");
  return judged(differences_of_second_processes(
      examination, [](const std::string& path, const std::string& first, const std::string& second) {
        return "two processes answer one request with another " + path + ": " + first + " and " + second;
      }));
}

}  // namespace

extern constinit const Property kReplicasAgree = {
    .name = "replicas-agree",
    .claim = "Two processes of one webhook answer equal requests equally.",
    .is_cheap = false,
    .ask = replicas_agree,
    .takes_any_kind = true,
    .applies_to = is_program,
    .symptom = "nondeterministic",
    .explanation =
        {.example = "The port is chosen by a hash that each process seeds anew.",
         .matters =
             "The two passes of one creation may reach two replicas: what one wrote the other takes for a "
             "stranger's.",
         .fix = "Derive what you write from the request alone; read shared state from the API server."},
};

}  // namespace fixpoint::properties
