#pragma once

#include <string>
#include <vector>

#include "harness/apiserver/registry/registry.h"
#include "harness/properties/property.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

/// Returns the registry's result for a Pod as the request's, if no webhook changes it any more. `passed` is
/// another Pod of the same request as the registry would store it; the parts that both share are not checked
/// again.
apiserver::Stored stored_as_is(const cases::Case& value, Value pod, const Value& passed = {});
/// Returns the object of the request's kind with the server's defaults.
Value with_defaults(const cases::Case& value, Value object);
/// Returns true for a Pod, or an object with a template of Pods, that has no container: no server sends one.
bool lacks_containers(const cases::Case& value, const Value& object);
/// Returns true if the registry would take that Pod.
bool is_storable(const cases::Case& value, const Value& pod);
/// Returns true if the webhook failed on a Pod that the registry would refuse anyway, or sent a patch that
/// does not apply, and its process lives: nobody is kept from creating a Pod by that.
bool is_excused(const Examination& examination, const apiserver::CallEvent& event);
/// Returns true if the webhook's process ended on a Pod that the registry would refuse anyway.
bool has_died_of_invalid(const Examination& examination, const apiserver::CallEvent& event);
/// The Pod that the registry took at the end of the Case, as it stored it; null when there is none.
Value passed_in(const Examination& examination);
/// Returns the errors for which the registry would refuse that Pod.
std::vector<cases::FieldError> errors_of(const Examination& examination, Value pod);

/// Returns the Pod as the webhook sent it: what the server's defaulting adds is no change of the webhook.
Value as_sent(const Value& before, const apiserver::CallResult& result);
/// Returns the violation once for each of the webhook's own changes that alone leads to the error, with its
/// place there; as it is if the error's field is one that the webhook wrote, or if no change alone leads to
/// it.
std::vector<Violation> located(const Examination& examination, const Value& before,
                               const apiserver::CallResult& result, const cases::FieldError& error,
                               Violation violation);

/// Removes the errors about a token of no account: every Pod has one where the plugin ServiceAccount is on,
/// and no webhook can know that a Case has switched it off.
void forgive_missing_account(std::vector<cases::FieldError>& errors, const Value& pod);

/// Removes the errors about members that are required in a spec which the object before the call does not
/// have, its own or that of a template: nobody writes such an object, and the server takes it only as long as
/// nothing is written there.
void forgive_missing_spec(std::vector<cases::FieldError>& errors, const Value& before);

/// Removes the errors about a value whose former one is an empty text: an immutable field that an author sent
/// empty, as no client does, and for which the webhook has a default.
void forgive_former_empty(std::vector<cases::FieldError>& errors, const cases::Request& request);

/// The path of the field in a Pod. The server keeps fields about the host (hostNetwork, hostPID, hostIPC,
/// hostUsers, shareProcessNamespace) in its internal securityContext, and names them there in some errors
/// (k8s.io/kubernetes/pkg/apis/core, PodSecurityContext).
std::string path_of(const cases::FieldError& error);

/// Returns the detail `duplicate` for an error about two elements of one key; empty for every other error,
/// whose violation keeps the detail of its property.
std::string symptom_of(const cases::FieldError& error);

/// Returns an error without its element's index: names replace indices, so that a webhook that puts something
/// in front of an invalid element is not blamed for it.
std::string identity_of(const cases::FieldError& error, const Value& pod);

}  // namespace fixpoint::properties
