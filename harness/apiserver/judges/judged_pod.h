#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/apiserver/judges/validators.h"
#include "harness/apiserver/types/container_types.h"
#include "harness/cases/case.h"
#include "harness/cases/outcome.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::validating {

/// The Pod that the registry would store, and what its judges know besides.
struct JudgedPod {
  const cases::Request& request;
  const cases::Cluster& cluster;
  const document::Value& pod;      ///< prepared and validated
  const document::Value& old_pod;  ///< the stored Pod of an UPDATE, else null
  int minor;
  const Validators& validators;
  bool is_create() const { return !request.is_update(); }
  bool is_resize() const { return request.sub_resource == "resize"; }
};

/// A judge's refusal: the HTTP code and its complaints, in a fixed order.
struct Refused {
  int code = 403;
  std::vector<std::string> messages = {};
};
using Judgement = std::optional<Refused>;

/// Warnings and audit entries of the judges.
struct Said {
  std::vector<std::string>& warnings;
  cases::Validating& record;  ///< gets calls and audit annotations
};

inline Judgement forbidden(std::string message) { return Refused{.messages = {std::move(message)}}; }

/// The refusal of a plugin that also runs while the Pod is mutated.
Judgement from_plugin(const std::optional<cases::Status>& status);

/// Calls `visit` with each init, regular and ephemeral container, in this order.
template <class Visit>
void each_container(const document::Value& pod, Visit visit) {
  for (const document::Name& list : kContainerLists) {
    for (const document::Value& container : pod["spec"][list].elements()) visit(container);
  }
}

// The judges, one for each plugin of the server. Each is asked only where its row in validating_phase.cpp
// says so.
Judgement judge_limit_ranges(const JudgedPod& judged);
Judgement judge_image_pulls(const JudgedPod& judged);
Judgement judge_resource_quotas(const JudgedPod& judged);
Judgement judge_declared_features(const JudgedPod& judged);
Judgement judge_resize(const JudgedPod& judged);

/// Judges by the namespace's labels; `warnings` gets what the level of the mode `warn` would refuse.
Judgement judge_pod_security(const JudgedPod& judged, std::vector<std::string>& warnings);
/// Asks the ValidatingAdmissionPolicies that are bound to the request. The first complaint of one that denies
/// counts; `said` gets the warnings of those that warn.
Judgement judge_by_policies(const JudgedPod& judged, Said& said);
/// Calls the validating webhooks that match. Of several that refuse the first counts; `said` gets the
/// warnings and the calls of all, and what they add to the audit log.
Judgement judge_by_webhooks(const JudgedPod& judged, Said& said);
/// Returns true if the namespace asks PodSecurity for anything.
bool has_security_labels(const JudgedPod& judged);

}  // namespace fixpoint::apiserver::validating
