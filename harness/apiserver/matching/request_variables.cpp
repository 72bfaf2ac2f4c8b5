#include "harness/apiserver/matching/request_variables.h"

#include <algorithm>

#include "harness/apiserver/cel/authorizer.h"
#include "harness/apiserver/matching/rbac.h"
#include "harness/apiserver/matching/request_match.h"
#include "harness/cases/request_user.h"
#include "harness/webhooks/review.h"

namespace fixpoint::apiserver {

cel::Activation request_variables(const cases::Request& request, const cases::Cluster& cluster,
                                  const document::Value& object, const cases::Kind& shown) {
  using cel::Datum;
  using cel::Variable;
  const std::string_view name = cases::name_of(request);
  const cases::Kind kind = cases::kind_of(request, cluster);
  const cel::Authorizer authorizer = rbac_authorizer(cluster, request);
  cel::Activation values;
  values[Variable::object] = Datum::of(in_version(object, request, shown));
  values[Variable::old_object] = Datum::of(in_version(request.old_object, request, shown));
  document::Value about = webhooks::review_request(request, kind, shown, name, "");
  about.set("resource", about["requestResource"]);  // never that of another version, unlike the kind
  values[Variable::request] = Datum::of(about);
  values[Variable::authorizer] = cel::authorizer_value(authorizer, cases::user_of(request).username);
  values[Variable::request_resource] = cel::resource_check_value(authorizer,
                                                                 about_request(request, kind, name));
  return values;
}

std::string aggregate(const std::vector<std::string>& errors) {
  std::vector<std::string> distinct;
  for (const std::string& error : errors)
    if (std::find(distinct.begin(), distinct.end(), error) == distinct.end()) distinct.push_back(error);
  if (distinct.size() == 1) return distinct.front();
  std::string all = "[";
  for (const std::string& error : distinct) all.append(&error == &distinct.front() ? "" : ", ").append(error);
  return all + "]";
}

}  // namespace fixpoint::apiserver
