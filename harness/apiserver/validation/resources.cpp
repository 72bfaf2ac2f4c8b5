#include <algorithm>
#include <string>

#include "harness/apiserver/defaulting/resource_sum.h"
#include "harness/apiserver/types/quantity.h"
#include "harness/apiserver/validation/annotation_names.h"
#include "harness/apiserver/validation/checks.h"
#include "harness/apiserver/validation/gates.h"
#include "harness/apiserver/validation/resource_names.h"
#include "harness/document/joined.h"

namespace fixpoint::apiserver::validation {

namespace {

/// Names without a domain that mean something to the server.
constexpr std::string_view kStandard[] = {"cpu",
                                          "memory",
                                          "ephemeral-storage",
                                          "requests.cpu",
                                          "requests.memory",
                                          "requests.ephemeral-storage",
                                          "limits.cpu",
                                          "limits.memory",
                                          "limits.ephemeral-storage",
                                          "pods",
                                          "resourcequotas",
                                          "services",
                                          "replicationcontrollers",
                                          "secrets",
                                          "configmaps",
                                          "persistentvolumeclaims",
                                          "storage",
                                          "requests.storage",
                                          "services.nodeports",
                                          "services.loadbalancers"};
/// Resources that are counted in whole numbers.
constexpr std::string_view kCounted[] = {
    "pods",       "resourcequotas",         "services",           "replicationcontrollers", "secrets",
    "configmaps", "persistentvolumeclaims", "services.nodeports", "services.loadbalancers"};

bool has_domain(std::string_view name) { return name.find('/') != std::string_view::npos; }
bool may_overcommit(std::string_view name) {
  return is_native_resource(name) && !is_hugepages_resource(name);
}

/// Reports an invalid resource name and returns false for it; the rules for containers and Pods build on this
/// check.
bool check_resource_name(std::string_view name, const Path& path, Errors& errors) {
  const Problems problems = check_qualified_name(name);
  errors.invalid_typed(path, name, problems);
  if (!problems.empty()) return false;
  if (has_domain(name) || is_one_of(name, kStandard)) return true;
  if (is_hugepages_resource(name) || name.starts_with("requests.hugepages-")) return true;
  errors.invalid_typed(path, name, Text("must be a standard resource type or fully qualified"));
  return false;
}

void check_pod_resource_name(std::string_view name, const Path& path, Errors& errors) {
  if (!check_resource_name(name, path, errors) || is_pod_level_resource(name)) return;
  errors.not_supported(path, name, {"cpu", "hugepages-", "memory"});
}

using CheckName = void (*)(std::string_view name, const Path& path, Errors& errors);

void check_amount(const Member& member, CheckName check_name, const Path& path, Context& context) {
  const std::string_view name = member.key.text();
  check_name(name, path, context.errors);
  check_quantity(name, member.value, path, context.errors);
  if (!is_hugepages_resource(name) || context.options.allows_indivisible_hugepages) return;
  if (!is_divisible_hugepage(name, member.value)) {
    context.errors.invalid(
        path, member.value.text(),
        Text("{} is not positive integer multiple of {}").with({member.value.text(), name}));
  }
}

void check_request(const Member& request, const Value& limits, const Path& path, Context& context) {
  const std::string_view name = request.key.text();
  const Value* limit = limits.find(request.key.name());
  if (limit == nullptr) {
    if (!may_overcommit(name))
      context.errors.required(path.child("limits"),
                              Text("Limit must be set for non overcommitable resources"));
    return;
  }
  if (*limit == request.value) return;
  const auto wanted = Quantity::parse(request.value.text()), most = Quantity::parse(limit->text());
  const int order = wanted && most ? compare(*wanted, *most) : 0;
  if (order > 0 || (order != 0 && !may_overcommit(name))) {
    const Text text = may_overcommit(name) ? Text("must be less than or equal to {} limit of {}")
                                           : Text("must be equal to {} limit of {}");
    context.errors.invalid(path.child("requests"), request.value.text(), text.with({name, limit->text()}));
  }
}

/// Which names a claim of a container can have.
std::string claims_text(std::vector<std::string_view> known) {
  if (known.empty())
    return Text("must be one of the names in pod.spec.resourceClaims which is empty").with({});
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  return Text("must be one of the names in pod.spec.resourceClaims: {}").with({document::joined(known)});
}

void check_claims(const Value& claims, const Path& path, Context& context) {
  std::vector<std::string> keys;
  const auto has = [&](const std::string& key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const Path item = path.at(i);
    const std::string name(claims.at(i)["name"].text()), request(claims.at(i)["request"].text());
    if (name.empty()) {
      context.errors.required(item);
      continue;
    }
    if (has(name)) {
      context.errors.duplicate(item, name);
    } else {
      std::string key = name;
      if (!request.empty()) {
        context.errors.invalid(item.child("request"), request, check_dns_label(request));
        key.append("/").append(request);
      }
      if (has(key)) {
        context.errors.duplicate(item, key);
      } else if (request.empty()) {
        for (const std::string& other : keys) {
          if (other.starts_with(name + "/")) context.errors.duplicate(item, name);
        }
      }
      if (!has(key)) keys.push_back(key);
    }
    const auto& known = context.claims;
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      context.errors.not_found(item, name, claims_text(known));
    }
  }
}

void check_requirements(const Value& resources, CheckName check_name, const Path& path, Context& context) {
  if (resources.empty()) return;
  const Value& limits = resources["limits"];
  const Value& requests = resources["requests"];
  bool has_basic = false, has_hugepages = false;
  const auto note = [&](std::string_view name) {
    has_basic = has_basic || name == "cpu" || name == "memory";
    has_hugepages = has_hugepages || is_hugepages_resource(name);
  };
  const Path limits_path = path.child("limits"), requests_path = path.child("requests");
  for (const Member& limit : limits.members()) {
    check_amount(limit, check_name, limits_path.key(limit.key.text()), context);
    note(limit.key.text());
  }
  for (const Member& request : requests.members()) {
    check_amount(request, check_name, requests_path.key(request.key.text()), context);
    check_request(request, limits, path, context);
    note(request.key.text());
  }
  if (has_hugepages && !has_basic) context.errors.forbidden(path, Text("HugePages require cpu or memory"));
  check_claims(resources["claims"], path.child("claims"), context);
}

bool exceeds(const Quantity& amount, const Value& most) {
  const auto limit = Quantity::parse(most.text());
  return limit && compare(amount, *limit) > 0;
}

/// Reports containers whose total need exceeds the Pod's requests, and container limits above the Pod's.
void check_consistency(Context& context, const Path& path) {
  const Value& resources = context.spec["resources"];
  const Value& limits = resources["limits"];
  const Value& requests = resources["requests"];
  const Path requests_path = path.child("requests"), limits_path = path.child("limits");
  const ResourceSum wanted = aggregate_resources(context.spec, "requests");
  for (const auto& entry : wanted.entries()) {
    const Value* most = requests.find(Name(entry.name));
    if (most == nullptr || !exceeds(entry.amount, *most)) continue;
    context.errors.invalid(requests_path.key(entry.name), most->text(),
                           Text("must be greater than or equal to aggregate container requests of {}")
                               .with({entry.written().text()}));
  }
  const ResourceSum limited = aggregate_resources(context.spec, "limits");
  for (const auto& entry : limited.entries()) {
    const Value* most = is_hugepages_resource(entry.name) ? limits.find(Name(entry.name)) : nullptr;
    if (most == nullptr || !exceeds(entry.amount, *most)) continue;
    context.errors.invalid(limits_path.key(entry.name), most->text(),
                           Text("must be greater than or equal to aggregate container limits of {}")
                               .with({entry.written().text()}));
  }
  const Value& containers = context.spec["containers"];
  const Path containers_path = path.child("containers");
  for (std::size_t i = 0; i < containers.size(); ++i) {
    for (const Member& limit : containers.at(i)["resources"]["limits"].members()) {
      const Value* most = limits.find(limit.key.name());
      const auto amount = Quantity::parse(limit.value.text());
      if (most == nullptr || !amount || !exceeds(*amount, *most)) continue;
      const Path item = containers_path.at(i), resource = item.key(limit.key.text());
      context.errors.invalid(resource.child("limits"), limit.value.text(),
                             Text("must be less than or equal to pod limits of {}").with({most->text()}));
    }
  }
}

constexpr document::GoMember kResourceClaim[] = {{"Name", "name", "\"\""},
                                                 {"ResourceClaimName", "resourceClaimName"},
                                                 {"ResourceClaimTemplateName", "resourceClaimTemplateName"}};

/// Requires exactly one of two names; before 1.31 they were nested one level deeper.
void check_claim_source(const Value& source, const Path& path, Errors& errors) {
  const bool has_name = !source["resourceClaimName"].is_null();
  if (has_name == !source["resourceClaimTemplateName"].is_null()) {
    errors.invalid(
        path, source, kResourceClaim,
        has_name ? Text("at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified")
                 : Text("must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"));
  }
  static constexpr Name kNames[] = {"resourceClaimName", "resourceClaimTemplateName"};
  for (const Name& member : kNames) {
    const Value& name = source[member];
    if (name.is_null()) continue;
    errors.invalid(path.child(member.text), name.text(), check_dns_subdomain(name.text()));
  }
}

}  // namespace

bool is_divisible_hugepage(std::string_view resource, const Value& quantity) {
  const auto page = Quantity::parse(resource.substr(std::string_view("hugepages-").size()));
  if (!page || page->sign() <= 0 || page->scaled(-3) % 1000 != 0 || page->scaled(0) == 0) return false;
  const auto amount = Quantity::parse(quantity.text());
  return amount && amount->scaled(0) % page->scaled(0) == 0;
}

void check_quantity(std::string_view resource, const Value& quantity, const Path& path, Errors& errors) {
  const std::string_view text = quantity.text();
  if (text.starts_with('-')) errors.invalid(path, text, Text("must be greater than or equal to 0"));
  if (is_one_of(resource, {"cpu", "memory"})) return;  // the usual resources need no further check
  if (!is_one_of(resource, kCounted) && (is_native_resource(resource) || !is_extended_resource(resource)))
    return;
  const auto amount = Quantity::parse(text);
  if (amount && amount->scaled(-3) % 1000 != 0) errors.invalid(path, text, Text("must be an integer"));
}

void check_container_resource_name(std::string_view name, const Path& path, Errors& errors) {
  if (is_one_of(name, {"cpu", "memory", "ephemeral-storage"})) return;
  check_resource_name(name, path, errors);
  if (!has_domain(name)) {
    if (!is_hugepages_resource(name))
      errors.invalid_typed(path, name, Text("must be a standard resource for containers"));
  } else if (!is_native_resource(name) && !is_extended_resource(name)) {
    errors.invalid_typed(path, name, Text("doesn't follow extended resource name standard"));
  }
}

void check_container_resources(const Value& resources, const Path& path, Context& context) {
  check_requirements(resources, check_container_resource_name, path, context);
}

void check_overhead(const Value& overhead, const Path& path, Context& context) {
  if (overhead.empty()) return;
  check_requirements(Value{{"limits", overhead}}, check_container_resource_name, path, context);
}

void check_pod_resources(Context& context, const Path& spec_path) {
  const Value& resources = context.spec["resources"];
  if (resources.is_null()) return;
  const Path path = spec_path.child("resources");
  if (context.os == "windows")
    return context.errors.forbidden(path, Text("may not be set for a windows pod"));
  if (!resources["claims"].empty())
    context.errors.forbidden(path.child("claims"), Text("claims may not be set for Resources at pod-level"));
  check_requirements(resources, check_pod_resource_name, path, context);
  check_consistency(context, path);
}

namespace {

/// Up to 1.30, the name that a claim gets from its template is checked, too.
void check_claim_name(Context& context, const Value& claim, const Path& path) {
  const std::string_view name = claim["name"].text();
  const auto problems = check_dns_label(name);
  context.errors.invalid(path, name, problems);
  const bool has_template = !claim["source"]["resourceClaimTemplateName"].is_null();
  if (context.options.minor >= gate::kFlatResourceClaims || !has_template || !problems.empty()) return;
  const std::string full = std::string(context.pod_name).append("-").append(name);
  for (const auto& problem : check_dns_subdomain(full))
    context.errors.invalid(path, std::string_view(full),
                           std::string("final ResourceClaim name: ").append(problem.words()));
}

}  // namespace

void check_resource_claims(Context& context, const Path& path) {
  const Value& claims = context.spec["resourceClaims"];
  const bool is_mirror =
      !context.is_template && context.metadata["annotations"].find(kMirrorAnnotation) != nullptr;
  Names names;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (is_mirror && context.options.minor >= gate::kStaticPodReferences) {
      context.errors.forbidden(Path(""), Text("static pods do not support resource claims"));
      continue;
    }
    const Path item = path.at(i);
    const Value& claim = claims.at(i);
    const std::string_view name = claim["name"].text();
    if (name.empty()) {
      context.errors.required(item.child("name"));
    } else if (!names.insert(name)) {
      context.errors.duplicate(item.child("name"), name);
    } else {
      check_claim_name(context, claim, item.child("name"));
    }
    const bool is_flat = context.options.minor >= gate::kFlatResourceClaims;
    check_claim_source(is_flat ? claim : claim["source"], is_flat ? item : item.child("source"),
                       context.errors);
  }
}

}  // namespace fixpoint::apiserver::validation
