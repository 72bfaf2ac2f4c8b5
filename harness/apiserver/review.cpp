#include "harness/apiserver/review.h"

namespace fixpoint::apiserver {

namespace {

using document::Member;

Value options(const cases::Request& request) {
  Value out{{"kind", request.is_update() ? "UpdateOptions" : "CreateOptions"},
            {"apiVersion", "meta.k8s.io/v1"}};
  if (request.dry_run) out.set("dryRun", Value::list({"All"}));
  return out;
}

}  // namespace

Value review_request(const ConfiguredWebhook&, const cases::Request& request, const Value& object,
                     std::string_view uid) {
  const Value kind{{"group", ""}, {"version", "v1"}, {"kind", "Pod"}};
  const Value resource{{"group", ""}, {"version", "v1"}, {"resource", "pods"}};
  std::vector<Member> out{{"uid", uid}, {"kind", kind}, {"resource", resource}};
  const auto put = [&](const char* name, Value value, bool present) {
    if (present) out.push_back({name, std::move(value)});
  };
  const bool has_sub_resource = !request.sub_resource.empty();
  const Value& name = (request.is_update() ? request.old_object : object)["metadata"]["name"];
  put("subResource", request.sub_resource, has_sub_resource);
  put("requestKind", kind, true);
  put("requestResource", resource, true);
  put("requestSubResource", request.sub_resource, has_sub_resource);
  put("name", name, !name.text().empty());
  put("namespace", request.namespace_name, !request.namespace_name.empty());
  put("operation", request.operation, true);
  put("userInfo", cases::write_user(request.user_info.value_or(cases::UserInfo{})), true);
  put("dryRun", request.dry_run, true);
  put("options", options(request), true);
  return out;
}

}  // namespace fixpoint::apiserver
