#pragma once

#include <string>
#include <vector>

#include "harness/apiserver/types/field.h"
#include "harness/apiserver/validation/path.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// The warnings for the creation of a valid Pod (docs/simulator.md#6-2), in the server's words and in no
/// particular order. Those about AppArmor annotations come from prepare_for_create, also for an invalid Pod.
/// `sent` is the Pod as the request writes it, if no patch was applied to it, else null.
std::vector<std::string> creation_warnings(const document::Value& prepared, int minor = kNewestMinor,
                                           const document::Value& sent = {});

/// The same for the template of Pods at the path (GetWarningsForPodTemplate).
std::vector<std::string> template_warnings(const document::Value& pod_template, const validation::Path& path,
                                           int minor, const document::Value& sent = {});
/// The warnings about the spec of a claim for a volume.
std::vector<std::string> claim_warnings(const document::Value& claim_spec, const validation::Path& path);
/// The warning about the name of an object whose Pods are named after it.
std::vector<std::string> name_warnings(const document::Value& object, int minor);

}  // namespace fixpoint::apiserver
