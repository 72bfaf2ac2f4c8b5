#pragma once

#include "harness/document/value.h"

namespace fixpoint::corpus {

/// A Pod out of a cluster as a client may have sent it: without what the server, its plugins and the
/// scheduler wrote (status, uid, managedFields, nodeName, the token volume, the tolerations of every Pod …),
/// and without the name that was generated.
document::Value as_sent(document::Value pod);

}  // namespace fixpoint::corpus
