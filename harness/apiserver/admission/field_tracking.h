#pragma once

#include <string>

#include "harness/apiserver/types/strategy.h"
#include "harness/cases/case.h"
#include "harness/document/value.h"

// The server's field tracking around mutating admission (docs/simulator.md#4-5).
namespace fixpoint::apiserver {

/// Returns metadata.managedFields of the received object as mutating admission sees it: the entries of other
/// managers, as the object has them, or as the stored one where it has none that the server can read, and
/// where the request changes the object, its own entry behind them. Null if there is no entry
/// (apimachinery/pkg/util/managedfields/internal/fieldmanager.go Update). Which fields the request takes from
/// other managers is not computed.
document::Value tracked_fields(const cases::Request& request, const document::Value& object, bool is_changed);

/// Returns true if an update adds or changes a field, so that the request gets an entry of its own: what it
/// only removes is nobody's afterwards. `object` and `old_object` are decoded. A subresource tracks only the
/// fields that it is for (managedfieldsupdater.go, stripmeta.go; GetResetFields of the strategies in
/// pkg/registry/core/pod).
bool takes_fields(const cases::Request& request, const Strategy& strategy, const document::Value& object,
                  const document::Value& old_object, int minor);

/// Returns why the server cannot read entries of managedFields, in its words; empty if it can
/// (apimachinery/pkg/util/managedfields/internal/managedfields.go DecodeManagedFields).
std::string managed_fields_problem(const document::Value& entries);

}  // namespace fixpoint::apiserver
