#pragma once

#include "harness/document/fields.h"
#include "harness/document/value.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::external {

/// Reads the member `triggers` of a Subject: the values that make its webhooks act. `labels`, `annotations`,
/// `namespaceLabels` and `namespaceAnnotations` have a list of texts for each key; `fields` has a list of
/// values for each path from the object's root (`spec.serviceAccountName`). An empty list means any value.
void read_triggers(document::Fields& subject, runner::Vocabulary& words);

/// Reads the member `promises` of a Subject, for lists of containers: `{initContainers: {NAME: first}}`.
void read_promises(document::Fields& subject, document::Value& promises);

}  // namespace fixpoint::external
