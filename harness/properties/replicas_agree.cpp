#include "harness/properties/judge.h"
#include "harness/properties/properties.h"
#include "harness/properties/second_process.h"

namespace fixpoint::properties {

Judgement replicas_agree(const Examination& examination) {
  if (examination.replicas == nullptr || examination.replicas->empty())
    return not_applicable("no webhook of the Case is a program that can be started twice");
  return judged(differences_of_second_processes(
      examination, [](const std::string& path, const std::string& first, const std::string& second) {
        return "two processes answer one request with another " + path + ": " + first + " and " + second;
      }));
}

}  // namespace fixpoint::properties
