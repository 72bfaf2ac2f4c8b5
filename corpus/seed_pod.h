#pragma once

#include "harness/document/value.h"

namespace fixpoint::corpus {

/// A Pod out of a cluster as a client may have sent it: without what the server, its plugins and the
/// scheduler wrote (status, uid, managedFields, nodeName, the token volume, the tolerations of every Pod …),
/// and without the name that was generated.
document::Value as_sent(document::Value pod);

/// The same Pod with the values of its env, which may be secrets, in place of which "redacted" stands. Truth
/// values, numbers, and texts with `$(` stay: they are what injectors look at.
document::Value redacted(document::Value pod);
/// The same for a part that a patch adds: a container, a list of env, one variable.
document::Value redacted_part(document::Value part);

}  // namespace fixpoint::corpus
