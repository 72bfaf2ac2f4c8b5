#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/result.h"
#include "harness/runner/learning/subject.h"
#include "harness/webhooks/webhook.h"
#include "injectors/rows/injector.h"

namespace fixpoint::injectors {

/// Returns all bundled injectors, in the order of `list`.
std::span<const Injector> all();

/// Finds "kserve/modelcar@0.12.0"; without a release, the newest one. Any other name is an error that
/// suggests a similar name.
document::Result<runner::Subject> find_subject(std::string_view name);
document::Result<webhooks::Handler> resolve(std::string_view name);

/// Returns the whole injector and its steps, in the named release, if the injector is one of them; empty for
/// an injector without steps.
std::vector<std::string> family_of(std::string_view name);

/// Returns the property that must find a planted defect; empty for other rows.
std::string_view caught_by(const Injector& injector);

/// Returns the newest release of every injector of that role; of the peers, those that runs draw by default.
std::vector<runner::Subject> newest(Role role);

/// Returns the chain on which speed is measured: KServe's webhook, a guarded sidecar, and a mutator of
/// metadata and volumes, in this order, each in its newest release.
std::vector<runner::Subject> default_chain();

}  // namespace fixpoint::injectors
