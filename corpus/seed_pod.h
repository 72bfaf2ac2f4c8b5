#pragma once

#include <functional>
#include <optional>

#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::corpus {

/// Returns a Pod from a cluster as a client may have sent it: without the fields of the server, its admission
/// plugins and the scheduler (status, uid, managedFields, nodeName, the token volume, the tolerations of
/// every Pod …), and without a generated name.
document::Value as_sent(document::Value pod);

/// Calls `take` with the document or, if it is a List of any kind, with each of its items, including those of
/// nested Lists, up to the first error.
std::optional<document::Error> for_each_object(
    const document::Value& document,
    const std::function<std::optional<document::Error>(const document::Value& object)>& take);

}  // namespace fixpoint::corpus
