#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/apiserver/types/field.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// A Pod as the registry validates and stores it. The server sets `uid` and `creationTimestamp` of a new one
/// and times in the status; they stay unset here.
struct Prepared {
  document::Value pod;
  std::vector<std::string> warnings = {};  ///< those issued before validation, about AppArmor annotations
};

/// Prepares a new Pod as handler and registry do before they validate it (docs/simulator.md#6): conversion to
/// the internal type and back, the server's metadata wiped, namespace and generated name (suffix `xxxxx`)
/// filled in, status reset, fields of disabled feature gates dropped, label keys merged into selectors,
/// AppArmor annotations copied. `pod` is decoded and defaulted. An error, for a 400, when the Pod names
/// another namespace.
document::Result<Prepared> prepare_for_create(const document::Value& pod, std::string_view pod_namespace,
                                              int minor = kNewestMinor);

/// The same for a changed Pod (docs/simulator.md#7). `old` is the stored one, decoded and defaulted.
/// `subresource` is "", "ephemeralcontainers" or "resize"; fields that it does not cover are those of the old
/// Pod. An error for another namespace.
document::Result<document::Value> prepare_for_update(const document::Value& pod, const document::Value& old,
                                                     std::string_view subresource, int minor = kNewestMinor);

/// Returns the metadata of a new object of any kind as the registry stores them: the server's own wiped,
/// namespace and generated name filled in (apiserver/pkg/registry/rest/create.go BeforeCreate).
document::Value new_metadata(const document::Value& sent, std::string_view own_namespace);
/// The same of an update: what the server owns is that of the stored object
/// (apiserver/pkg/registry/rest/update.go BeforeUpdate). `generation` is the old one's.
document::Value updated_metadata(const document::Value& sent, const document::Value& old);
/// The generation of an object whose content changed.
document::Value next_generation(const document::Value& old_metadata);
/// The profile that an AppArmor annotation names; null if it names no valid one.
document::Value apparmor_profile_of(std::string_view annotation);
/// Returns the error for an object that names another namespace than the request; nothing if it does not.
std::optional<document::Error> refuse_other_namespace(const document::Value& object,
                                                      std::string_view own_namespace);

}  // namespace fixpoint::apiserver
