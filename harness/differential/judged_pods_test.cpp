#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "generators/requests.h"
#include "harness/apiserver/judges/pod_security_checks.h"
#include "harness/apiserver/judges/pod_totals.h"
#include "harness/cases/minors.h"
#include "harness/document/json.h"
#include "harness/runner/learning/choices.h"

namespace fixpoint::apiserver {
namespace {

using document::Value;
using validating::SecurityLevel;

/// A Pod that was drawn by the seed, with whatever its security contexts ask for.
Value drawn_pod(std::uint64_t seed) {
  runner::Choices choices(seed, 0);
  return generators::draw_edited_pod(choices, 8, true, cases::kNewestMinor);
}

/// A level admits nothing that a laxer one refuses, whatever the version of its checks.
RC_GTEST_PROP(PodSecurityLaw, RestrictedIsStricterThanBaseline, (std::uint64_t seed)) {
  const int version = *rc::gen::inRange(0, cases::kNewestMinor + 1);
  const Value pod = drawn_pod(seed);
  if (broken_checks(pod, SecurityLevel::baseline, version))
    RC_ASSERT(broken_checks(pod, SecurityLevel::restricted, version).has_value());
  RC_ASSERT(!broken_checks(pod, SecurityLevel::privileged, version).has_value());
}

/// A further container never makes a Pod ask for less.
RC_GTEST_PROP(PodTotalsLaw, GrowWithContainers, (std::uint64_t seed)) {
  const Value pod = drawn_pod(seed);
  if (!pod["spec"]["containers"].is_array()) return;
  Value larger = pod;
  larger.edit("spec")
      .edit("containers")
      .push_back(document::read_json(R"({"name":"more","resources":{"requests":{"cpu":"1"}}})").value());
  const auto less = validating::pod_requests(pod, cases::kNewestMinor, validating::StatusCounts::no);
  const auto more = validating::pod_requests(larger, cases::kNewestMinor, validating::StatusCounts::no);
  for (const auto& [resource, amount] : less)
    RC_ASSERT(compare(more.at(resource).quantity, amount.quantity) >= 0);
}

}  // namespace
}  // namespace fixpoint::apiserver
