#include "harness/oracle/oracle_match.h"

#include <algorithm>

#include "harness/oracle/oracle_formats.h"

namespace fixpoint::oracle {

namespace {

bool holds(const Json& list, const std::string& wanted) {
  const auto& all = each(list);
  return std::any_of(all.begin(), all.end(),
                     [&](const Json& one) { return one == Json("*") || one == Json(wanted); });
}

bool takes_resource(const Json& rule, const std::string& sub_resource) {
  for (const Json& resource : each(at(rule, "resources"))) {
    const std::string text = resource.get<std::string>();
    const auto slash = text.find('/');
    const std::string whole = text.substr(0, slash),
                      sub = slash == std::string::npos ? "" : text.substr(slash + 1);
    if ((whole == "*" || whole == "pods") && (sub == "*" || sub == sub_resource)) return true;
  }
  return false;
}

bool is_empty(const Json& selector) {
  return !is_given(at(selector, "matchLabels")) && !is_given(at(selector, "matchExpressions"));
}

bool conditions_hold(const Entry& entry, const RequestContext& around, const Json& object,
                     const Evaluate& evaluate) {
  const auto& conditions = each(at(entry.webhook, "matchConditions"));
  if (conditions.empty()) return true;
  const Json& named = around.is_update() ? around.old_object : object;
  Expression expression{
      .owner = entry.key,
      .names = {{"object", object},
                {"oldObject", around.old_object},
                {"request", review_request(around, text_at(at(named, "metadata"), "name"), "")}}};
  bool is_false = false, has_failed = false;
  for (const Json& condition : conditions) {
    expression.text = text_at(condition, "expression");
    try {
      is_false = evaluate(expression) == Json(false) || is_false;
    } catch (const ExpressionFailed&) {
      has_failed = true;
    }
    ++expression.number;
  }
  if (is_false || !has_failed) return !is_false;
  if (entry.ignores_failure()) return false;
  throw Rejected(403, "Forbidden", "a match condition");
}

}  // namespace

bool takes(const Json& rule, const RequestContext& around) {
  const Json& scope = at(rule, "scope");
  const bool is_ours = scope.is_null() || scope == Json("*") || scope == Json("Namespaced");
  return is_ours && holds(at(rule, "operations"), around.operation) && holds(at(rule, "apiGroups"), "") &&
         holds(at(rule, "apiVersions"), "v1") && takes_resource(rule, around.sub_resource);
}

/// Evaluates a selector as metav1.LabelSelectorAsSelector does: one invalid requirement makes it invalid.
Selected select(const Json& selector, const Json& labels) {
  bool all = true;
  for (const auto& [key, value] : at(selector, "matchLabels").items()) {
    if (!is_qualified_name(key) || !is_label_value(value.get<std::string>())) return Selected::error;
    all = all && at(labels, key) == value;
  }
  for (const Json& requirement : each(at(selector, "matchExpressions"))) {
    const std::string op = text_at(requirement, "operator"), key = text_at(requirement, "key");
    const auto& values = each(at(requirement, "values"));
    const bool wants_values = op == "In" || op == "NotIn";
    if (!wants_values && op != "Exists" && op != "DoesNotExist") return Selected::error;
    if (wants_values == values.empty() || !is_qualified_name(key)) return Selected::error;
    for (const Json& value : values)
      if (!is_label_value(value.get<std::string>())) return Selected::error;
    const bool has = labels.is_object() && labels.contains(key);
    const bool listed = has && std::find(values.begin(), values.end(), labels[key]) != values.end();
    if (op == "Exists" || op == "DoesNotExist") all = all && has == (op == "Exists");
    if (wants_values) all = all && listed == (op == "In");
  }
  return all ? Selected::yes : Selected::no;
}

Json namespace_labels(const RequestContext& around) {
  Json labels = in(around.find("Namespace", "", around.namespace_name), {"metadata", "labels"});
  if (!labels.is_object()) labels = Json::object();
  labels["kubernetes.io/metadata.name"] = around.namespace_name;
  return labels;
}

Selected in_namespace(const Json& selector, const RequestContext& around) {
  if (is_empty(selector)) return Selected::yes;
  return select(selector, namespace_labels(around));
}

Selected selects_object(const Json& selector, const RequestContext& around, const Json& object) {
  if (is_empty(selector)) return Selected::yes;
  const std::string kind = text_at(object, "kind");
  const bool is_list = kind.ends_with("List") || kind.ends_with("Options") || kind == "Status";
  const Selected answer = is_list ? Selected::no : select(selector, in(object, {"metadata", "labels"}));
  if (answer != Selected::no || around.old_object.is_null()) return answer;
  return select(selector, in(around.old_object, {"metadata", "labels"}));
}

std::string Entry::review_version() const {
  for (const Json& version : each(at(webhook, "admissionReviewVersions"))) {
    if (version == Json("v1") || version == Json("v1beta1")) return version.get<std::string>();
  }
  return "";
}

std::vector<Entry> flat_list(const RequestContext& around) {
  std::vector<const Json*> configurations;
  for (const Json& object : around.objects) {
    if (text_at(object, "kind") == "MutatingWebhookConfiguration") configurations.push_back(&object);
  }
  const auto name_of = [](const Json* configuration) {
    return text_at((*configuration)["metadata"], "name");
  };
  std::stable_sort(configurations.begin(), configurations.end(),
                   [&](const Json* a, const Json* b) { return name_of(a) < name_of(b); });
  std::vector<Entry> list;
  std::map<std::string, int> seen;
  for (const Json* configuration : configurations) {
    for (const Json& webhook : each(at(*configuration, "webhooks"))) {
      Entry entry{
          name_of(configuration), text_at(webhook, "name"), "", "", static_cast<int>(list.size()), webhook};
      entry.key = entry.configuration + "/" + entry.name;
      entry.id = entry.key + "/" + std::to_string(seen[entry.key]++);
      list.push_back(std::move(entry));
    }
  }
  return list;
}

Json review_request(const RequestContext& around, const std::string& name, const std::string& uid) {
  const Json kind{{"group", ""}, {"version", "v1"}, {"kind", "Pod"}};
  const Json resource{{"group", ""}, {"version", "v1"}, {"resource", "pods"}};
  Json request{{"uid", uid},
               {"kind", kind},
               {"resource", resource},
               {"requestKind", kind},
               {"requestResource", resource},
               {"operation", around.operation},
               {"userInfo", around.user},
               {"dryRun", around.dry_run}};
  request["options"] = {{"kind", around.is_update() ? "UpdateOptions" : "CreateOptions"},
                        {"apiVersion", "meta.k8s.io/v1"}};
  if (around.dry_run) request["options"]["dryRun"] = Json::array({"All"});
  request["options"]["fieldManager"] = "fixpoint";
  request["options"]["fieldValidation"] = "Ignore";
  if (!around.sub_resource.empty())
    request["subResource"] = request["requestSubResource"] = around.sub_resource;
  if (!name.empty()) request["name"] = name;
  if (!around.namespace_name.empty()) request["namespace"] = around.namespace_name;
  return request;
}

bool matches(const Entry& entry, const RequestContext& around, const Json& object, const Evaluate& evaluate) {
  const auto& rules = each(at(entry.webhook, "rules"));
  if (!std::any_of(rules.begin(), rules.end(), [&](const Json& rule) { return takes(rule, around); }))
    return false;
  const Selected here = in_namespace(at(entry.webhook, "namespaceSelector"), around);
  const Selected chosen = selects_object(at(entry.webhook, "objectSelector"), around, object);
  if (here == Selected::no || chosen == Selected::no) return false;
  if (here == Selected::error || chosen == Selected::error)
    throw Rejected(500, "InternalError", "a selector");
  return conditions_hold(entry, around, object, evaluate);
}

}  // namespace fixpoint::oracle
