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
/// server spells it, and the message, word for word as the server prints it from 1.34 on.
using cases::FieldError;

/// Validates a prepared Pod (preparation/prepare.h) as the registry does, with privileged containers allowed
/// (docs/validation.md#10). Errors are sorted by field, then type; duplicates are kept. `passed` is a Pod
/// that was prepared under the same minor and found valid: parts that both Pods share are not checked again.
/// If it is null, everything is checked.
std::vector<FieldError> validate_create(const document::Value& prepared, int minor = kNewestMinor,
                                        const document::Value& passed = {});

/// Validates an update of a stored Pod: first that the changes are allowed (docs/simulator.md#7), then the
/// whole new Pod, except for rules that the old one already violates. `prepared` comes from
/// prepare_for_update; `old` is the stored Pod.
std::vector<FieldError> validate_update(const document::Value& prepared, const document::Value& old,
                                        int minor = kNewestMinor);
std::vector<FieldError> validate_ephemeral_containers(const document::Value& prepared,
                                                      const document::Value& old, int minor = kNewestMinor);
std::vector<FieldError> validate_resize(const document::Value& prepared, const document::Value& old,
                                        int minor = kNewestMinor);

/// Runs the validation for the subresource. "" is a create without `old` and an update with it.
document::Result<std::vector<FieldError>> validate_stored(const document::Value& prepared,
                                                          const document::Value& old,
                                                          std::string_view subresource, int minor);

/// Errors about explicit empty lists and maps, in the few places where the server distinguishes them from
/// absent ones: members of ephemeral containers, claims of pod-level resources, groups of a Windows Pod,
/// metadata of the claim of an ephemeral volume; and about amounts of extended resources that overflow only
/// as they were written. `sent` is the object before decoding; any applied patch,
/// even one without effect, turns empty ones into absent ones.
std::vector<FieldError> validate_explicit_empties(const document::Value& sent, int minor = kNewestMinor,
                                                  const document::Value& sent_old = {});

/// The errors of a stored Pod and those about explicit empty lists and maps, if it and the old Pod are
/// unchanged since they were sent. `subresource` as for validate_stored.
std::vector<FieldError> with_explicit_empties(std::vector<FieldError> errors, const document::Value& sent,
                                              const document::Value& sent_old, std::string_view subresource,
                                              int minor = kNewestMinor);

}  // namespace fixpoint::apiserver
