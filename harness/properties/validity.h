#pragma once

#include <string>
#include <vector>

#include "harness/apiserver/registry/registry.h"
#include "harness/properties/property.h"

namespace fixpoint::properties {

/// What the registry would do with a Pod as the request's, if no webhook changed it any more. Of `passed`,
/// another Pod of the same request as the registry would store it, what the two share is not looked at again.
apiserver::Stored stored_as_is(const cases::Case& value, Value pod, const Value& passed = {});
/// Returns true if the registry would take that Pod.
bool is_storable(const cases::Case& value, const Value& pod);
/// The Pod that the registry took at the end of the Case, as it stored it; null when there is none.
Value passed_in(const Examination& examination);
/// What the registry would refuse in that Pod.
std::vector<cases::FieldError> errors_of(const Examination& examination, Value pod);

/// Takes out what is wrong with a token of no account: every Pod has one where the plugin ServiceAccount is
/// on, and no webhook can know that a Case has switched it off.
void forgive_missing_account(std::vector<cases::FieldError>& errors, const Value& pod);

/// The path of the field in a Pod. The server keeps fields about the host (hostNetwork, hostPID, hostIPC,
/// hostUsers, shareProcessNamespace) in its internal securityContext, and names them there in some errors
/// (k8s.io/kubernetes/pkg/apis/core, PodSecurityContext).
std::string path_of(const cases::FieldError& error);

/// `duplicate` for an error about two elements of one key, else empty: the property's own.
std::string symptom_of(const cases::FieldError& error);

/// An error wherever its element stands: with names for indices, so that one who puts something in front of
/// an invalid element is not taken for its author.
std::string identity_of(const cases::FieldError& error, const Value& pod);

}  // namespace fixpoint::properties
