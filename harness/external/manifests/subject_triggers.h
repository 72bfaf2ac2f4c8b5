#pragma once

#include <string>
#include <vector>

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

/// The name of a webhook in Cases: <configuration>/<webhook>.
std::string key_of(const document::Value& configuration, const document::Value& webhook);

/// Gives an empty script to each webhook for which the file has no backend, so that it reads as a Case.
/// Returns the keys of these webhooks.
std::vector<std::string> give_empty_scripts(document::Value& backends, const document::Value& configuration);

}  // namespace fixpoint::external
