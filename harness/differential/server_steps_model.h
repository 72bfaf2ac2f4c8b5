#pragma once

#include "harness/cases/case.h"
#include "harness/document/value.h"
#include "harness/oracle/oracle_environment.h"

namespace fixpoint::apiserver {

/// The simulator's steps for the reference model: recordings of Kubernetes' own code are the judge of each.
/// Every step reads its documents from text, so that no part is shared with the document of an earlier one,
/// and nothing is remembered of it. `value` must outlive them.
oracle::Steps steps_of(const cases::Case& value);

/// Converts a simulator's value for the reference model: writes it as text and parses it again.
oracle::Json oracle_json(const document::Value& value);
/// The way back, for a document as the reference model has it.
document::Value read_anew(const oracle::Json& json);

}  // namespace fixpoint::apiserver
