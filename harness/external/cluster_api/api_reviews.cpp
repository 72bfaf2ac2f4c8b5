#include "harness/external/cluster_api/api_reviews.h"

#include <string>

#include "harness/external/cluster_api/shown_objects.h"

namespace fixpoint::external {

namespace {

using document::Value;

/// The time at which no token has expired yet.
constexpr std::string_view kExpires = "2100-01-01T00:00:00Z";
constexpr std::string_view kAccountToken = "fixpoint-account-";

Value user_info() {
  return {{"username", kApiUser},
          {"uid", digest_of(kApiUser, 32)},
          {"groups", Value::list({"system:serviceaccounts", "system:serviceaccounts:default",
                                  "system:authenticated"})}};
}

/// The token that a service account gets: it does not depend on the view's own.
std::string account_token(std::string_view namespace_name, std::string_view name) {
  return std::string(kAccountToken) +
         digest_of("token/" + std::string(namespace_name) + "/" + std::string(name), 32);
}

Value rules() {
  const Value all = Value::list({"*"});
  return {{"resourceRules", Value::list({Value{{"verbs", all}, {"apiGroups", all}, {"resources", all}}})},
          {"nonResourceRules", Value::list({Value{{"verbs", all}, {"nonResourceURLs", all}}})},
          {"incomplete", false}};
}

Value token_status(std::string_view asked, std::string_view own) {
  if (asked != own && !asked.starts_with(kAccountToken))
    return {{"user", Value::empty_object()}, {"error", "invalid bearer token"}};
  return {{"authenticated", true},
          {"user", user_info()},
          {"audiences", Value::list({"https://kubernetes.default.svc"})}};
}

Value review_of(const ApiResource& resource, const Value& body, Value status) {
  Value review{{"kind", resource.kind},
               {"apiVersion", resource.api_version()},
               {"metadata", {{"creationTimestamp", Value()}}}};
  if (resource.kind != "SelfSubjectReview")
    review.set("spec", body["spec"].is_object() ? body["spec"] : Value::empty_object());
  review.set("status", std::move(status));
  return review;
}

ApiAnswer created(Value body) { return {.status = 201, .body = std::move(body)}; }

ApiAnswer token_of_account(const ApiRequest& request, const Value& body) {
  const Value status{{"token", account_token(request.path.namespace_name, request.path.name)},
                     {"expirationTimestamp", kExpires}};
  return created({{"kind", "TokenRequest"},
                  {"apiVersion", "authentication.k8s.io/v1"},
                  {"metadata",
                   {{"name", request.path.name},
                    {"namespace", request.path.namespace_name},
                    {"creationTimestamp", Value()}}},
                  {"spec", body["spec"].is_object() ? body["spec"] : Value::empty_object()},
                  {"status", status}});
}

}  // namespace

std::optional<ApiAnswer> answer_review(const ApiRequest& request, const ApiResource& resource,
                                       const Value& body, std::string_view token) {
  if (resource.group.empty() && resource.plural == "serviceaccounts" && request.path.subresource == "token")
    return token_of_account(request, body);
  if (!resource.is_only_created || !request.path.subresource.empty()) return std::nullopt;
  if (resource.kind == "SelfSubjectRulesReview") return created(review_of(resource, body, rules()));
  if (resource.kind == "SelfSubjectReview")
    return created(review_of(resource, body, {{"userInfo", user_info()}}));
  if (resource.kind == "TokenReview") {
    return created(review_of(resource, body, token_status(body["spec"]["token"].text(), token)));
  }
  if (resource.group == "authorization.k8s.io")
    return created(review_of(resource, body, {{"allowed", true}}));
  return std::nullopt;
}

}  // namespace fixpoint::external
