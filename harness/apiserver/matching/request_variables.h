#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/apiserver/cel/cel.h"
#include "harness/cases/case.h"
#include "harness/cases/kind.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// The variables of match conditions and policies for a request with this object: object, oldObject, request
/// and authorizer; the objects in the version of `shown`. `cluster` and `request` must outlive them.
cel::Activation request_variables(const cases::Request& request, const cases::Cluster& cluster,
                                  const document::Value& object, const cases::Kind& shown);

/// Several errors as the server prints them in one (k8s.io/apimachinery/pkg/util/errors NewAggregate): each
/// text once, in brackets if there are several.
std::string aggregate(const std::vector<std::string>& errors);

}  // namespace fixpoint::apiserver
