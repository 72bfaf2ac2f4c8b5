#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/apiserver/types/field.h"
#include "harness/cases/outcome.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// One error of a 422 answer: the API machinery's name of the type ("FieldValueInvalid"), the field as the
/// server spells it, and a message that reads like the server's ("Invalid value: …: detail") with details of
/// our own words.
using cases::FieldError;

/// The registry's validation of a prepared Pod (registry/prepare.h), with privileged containers allowed
/// (docs/validation.md#10). Errors are sorted by field, then type; repeated ones are kept. `passed` is a Pod
/// that was prepared under the same minor and found valid: parts that both Pods share are not checked again.
/// If it is null, everything is.
std::vector<FieldError> validate_create(const document::Value& prepared, int minor = kNewestMinor,
                                        const document::Value& passed = {});

/// Validates an update of a stored Pod: the changes that are allowed (docs/simulator.md#7), then the whole
/// new Pod, with everything allowed that the old one violates already. `prepared` comes from
/// prepare_for_update; `old` is the stored Pod.
std::vector<FieldError> validate_update(const document::Value& prepared, const document::Value& old,
                                        int minor = kNewestMinor);
std::vector<FieldError> validate_ephemeral_containers(const document::Value& prepared,
                                                      const document::Value& old, int minor = kNewestMinor);
std::vector<FieldError> validate_resize(const document::Value& prepared, const document::Value& old,
                                        int minor = kNewestMinor);

/// The one of the four that fits: "" is a create without `old` and an update with it, else the subresource's
/// name.
document::Result<std::vector<FieldError>> validate_stored(const document::Value& prepared,
                                                          const document::Value& old,
                                                          std::string_view subresource, int minor);

/// Errors about lists and maps that were sent empty, in the few places where the server tells that from
/// absent: members of ephemeral containers, claims of pod-level resources, groups of a Windows Pod, metadata
/// of a claim that is made with the Pod. `sent` is the object before decoding; a patch that was applied, even
/// without effect, makes empty ones absent.
std::vector<FieldError> validate_empties(const document::Value& sent, int minor = kNewestMinor);

/// The errors of a stored Pod with those about empty lists and maps, when it and the old one are as they were
/// sent. `subresource` as for validate_stored.
std::vector<FieldError> with_empties(std::vector<FieldError> errors, const document::Value& sent,
                                     const document::Value& sent_old, std::string_view subresource,
                                     int minor = kNewestMinor);

/// What the vector kind `validate` does: decodes and defaults, prepares, validates. `operation` is create,
/// update, ephemeralcontainers or resize; `old` is not looked at for create. An error for what is no Pod or
/// asks the impossible.
document::Result<std::vector<FieldError>> validate_vector(std::string_view operation,
                                                          const document::Value& pod,
                                                          const document::Value& old,
                                                          int minor = kNewestMinor);

}  // namespace fixpoint::apiserver
