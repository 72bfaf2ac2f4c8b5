#pragma once

#include <optional>
#include <string_view>

#include "harness/external/cluster_api/api_answer.h"
#include "harness/external/cluster_api/api_request.h"
#include "harness/external/cluster_api/api_resources.h"

namespace fixpoint::external {

/// The user that every token of a view stands for.
inline constexpr std::string_view kApiUser = "system:serviceaccount:default:default";

/// Answers a question that is asked by a POST: everything is allowed, and the view's own token, or one that
/// the view gave, is authentic. Returns nothing if the request is no such question. Of a body in protobuf,
/// the answer lacks the spec.
std::optional<ApiAnswer> answer_review(const ApiRequest& request, const ApiResource& resource,
                                       const document::Value& body, std::string_view token);

}  // namespace fixpoint::external
