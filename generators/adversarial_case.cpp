#include <algorithm>
#include <array>
#include <span>

#include "generators/boundary_values.h"
#include "generators/draw_context.h"
#include "generators/requests.h"
#include "generators/typed_edits.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/registry/whole_request.h"
#include "harness/cases/faults.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/check.h"
#include "harness/document/json.h"

namespace fixpoint::generators {

namespace {

Value parsed(const char* text) {
  const auto read = document::read_json(text);
  document::check(read.ok(), "a row of the table is JSON");
  return *read;
}

/// JSON that is merged into a webhook's entry with probability 1 / `one_in`.
struct Setting {
  std::uint64_t one_in;
  const char* json;
};

constexpr Setting kSettings[] = {
    {2, R"({"reinvocationPolicy":"IfNeeded"})"},
    {4, R"({"reinvocationPolicy":"IfNeeded"})"},
    {4, R"({"failurePolicy":"Ignore"})"},
    {4, R"({"failurePolicy":"Fail"})"},
    {16, R"({"matchPolicy":"Exact"})"},
    {24, R"({"timeoutSeconds":30})"},
    {16, R"({"sideEffects":"NoneOnDryRun"})"},
    {20, R"({"sideEffects":"Some"})"},
    {24, R"({"sideEffects":"Unknown"})"},
    {16, R"({"admissionReviewVersions":["v1beta1","v1"]})"},
    {24, R"({"admissionReviewVersions":["v2","v1beta1"]})"},
    {40, R"({"admissionReviewVersions":["v2"]})"},
    {16, R"({"objectSelector":{"matchLabels":{"app":"web"}}})"},
    {16, R"({"objectSelector":{"matchExpressions":[{"key":"x","operator":"DoesNotExist"}]}})"},
    {16, R"({"objectSelector":{"matchExpressions":[{"key":"a","operator":"NotIn","values":["b","1"]}]}})"},
    {16, R"({"namespaceSelector":{"matchLabels":{"team":"a"}}})"},
    {16, R"({"namespaceSelector":{"matchExpressions":[{"key":"team","operator":"DoesNotExist"}]}})"},
    {24,
     R"({"namespaceSelector":{"matchExpressions":[
       {"key":"kubernetes.io/metadata.name","operator":"In","values":["default","kserve"]}]}})"},
};

constexpr const char* kExpressions[] = {
    "true",
    "false",
    "object.metadata.labels['x'] == 'on'",
    "'app' in object.metadata.labels",
    "has(object.metadata.labels) && 'app' in object.metadata.labels",
    "!has(object.metadata.annotations) || !('injected' in object.metadata.annotations)",
    "object.spec.containers.exists(c, c.name == 'main')",
    "object.spec.containers.all(c, c.image.contains('nginx'))",
    "!object.spec.containers.exists(c, c.name == 'proxy')",
    "size(object.spec.containers) > 1",
    "request.operation in ['CREATE', 'UPDATE']",
    "request.operation == 'UPDATE'",
    "oldObject == null",
    "has(object.spec.hostNetwork) && object.spec.hostNetwork",
    "object.spec.hostNetwork",
    "has(object.spec.tolerations) && object.spec.tolerations.exists(t, t.operator == 'Exists')",
    "request.userInfo.username == 'alice'",
    "object.metadata.name != 'web'",
    "object.metadata.name.startsWith('w') || object.metadata.labels['none'] == 'x'",
    "has(object.spec.initContainers) && size(object.spec.initContainers) > 0",
    "request.namespace == 'default' && request.kind.kind == 'Pod'",
    "oldObject != null && oldObject.metadata.name == object.metadata.name",
    "object.spec.terminationGracePeriodSeconds == 30",
};

constexpr const char* kRules[] = {
    R"({"resources":["pods","pods/ephemeralcontainers","pods/resize"]})",
    R"({"resources":["pods/*"]})",
    R"({"resources":["*/*"]})",
    R"({"resources":["*"]})",
    R"({"resources":["*/resize","pods/status"]})",
    R"({"resources":["services"]})",
    R"({"operations":["UPDATE"]})",
    R"({"operations":["CREATE","UPDATE"]})",
    R"({"operations":["DELETE"]})",
    R"({"apiVersions":["*"]})",
    R"({"apiVersions":["v2"]})",
    R"({"apiGroups":["*"]})",
    R"({"apiGroups":["apps"]})",
    R"({"scope":"Cluster"})",
    R"({"scope":"Namespaced"})",
};

/// Rules that script webhooks are given as they are. Other conditions and patches are drawn.
constexpr const char* kScriptRules[] = {
    R"({"patch":[{"op":"add","path":"/spec/containers/-","value":{"name":"again-$call","image":"x"}}]})",
    R"({"patch":[{"op":"add","path":"/spec/containers/-","value":{"name":"proxy","image":"proxy:1"}}]})",
    R"({"when":{"not":{"named":{"path":"/spec/containers","name":"proxy"}}},
        "patch":[{"op":"add","path":"/spec/containers/0","value":{"name":"proxy","image":"proxy:1"}}]})",
    R"({"patch":[{"op":"add","path":"/metadata/annotations","value":{"injected":"yes"}}]})",
    R"({"patch":[{"op":"add","path":"/metadata/annotations/injected","value":"$call"}]})",
    R"({"patch":[{"op":"add","path":"/metadata/labels","value":{"x":"on"}}]})",
    R"({"when":{"exists":"/metadata/labels"},
        "patch":[{"op":"add","path":"/metadata/labels/x","value":"on"}]})",
    R"({"when":{"equals":{"path":"/metadata/labels/x","value":"on"}},
        "patch":[{"op":"replace","path":"/metadata/labels/x","value":"off"}]})",
    R"({"when":{"exists":"/metadata/labels/x"},"patch":[{"op":"remove","path":"/metadata/labels/x"}]})",
    R"({"patch":[{"op":"remove","path":"/spec/schedulerName"}]})",
    R"({"patch":[{"op":"remove","path":"/spec/dnsPolicy"},{"op":"remove","path":"/spec/restartPolicy"}]})",
    R"({"patch":[{"op":"remove","path":"/spec/securityContext"}]})",
    R"({"patch":[{"op":"remove","path":"/metadata/creationTimestamp"}]})",
    R"({"patch":[{"op":"remove","path":"/status"}]})",
    R"({"patch":[{"op":"remove","path":"/spec/tolerations"}]})",
    R"({"patch":[{"op":"remove","path":"/spec/volumes"}]})",
    R"({"patch":[{"op":"remove","path":"/spec/containers/0/volumeMounts"}]})",
    R"({"patch":[{"op":"remove","path":"/spec/serviceAccountName"}]})",
    R"({"patch":[{"op":"remove","path":"/spec/priority"}]})",
    R"({"patch":[{"op":"replace","path":"/spec/priority","value":7}]})",
    R"({"patch":[{"op":"add","path":"/spec/priorityClassName","value":"high"}]})",
    R"({"patch":[{"op":"add","path":"/spec/runtimeClassName","value":"gvisor"}]})",
    R"({"patch":[{"op":"add","path":"/spec/serviceAccountName","value":"quiet"}]})",
    R"({"patch":[{"op":"add","path":"/spec/affinity","value":{}}]})",
    R"({"patch":[{"op":"add","path":"/spec/affinity","value":null}]})",
    R"({"patch":[{"op":"add","path":"/spec/nodeSelector","value":{}}]})",
    R"({"patch":[{"op":"add","path":"/spec/overhead","value":{"cpu":"1"}}]})",
    R"({"patch":[{"op":"add","path":"/unknown","value":1}]})",
    R"({"patch":[{"op":"add","path":"/spec/containers/0/unknown","value":{"a":[1]}}]})",
    R"({"patch":[{"op":"add","path":"/metadata/uid","value":"u-2"}]})",
    R"({"patch":[{"op":"add","path":"/metadata/name","value":"other"}]})",
    R"({"patch":[{"op":"add","path":"/metadata/namespace","value":"other"}]})",
    R"({"patch":[{"op":"add","path":"/metadata/resourceVersion","value":"9"}]})",
    R"({"patch":[{"op":"add","path":"/metadata/managedFields","value":[]}]})",
    R"({"patch":[{"op":"remove","path":"/metadata/managedFields"}]})",
    R"({"patch":[{"op":"replace","path":"/kind","value":"Nonsense"}]})",
    R"({"patch":[{"op":"replace","path":"/apiVersion","value":"v2"}]})",
    R"({"patch":[{"op":"remove","path":"/kind"}]})",
    R"({"patch":[{"op":"replace","path":"","value":{}}]})",
    R"({"patch":[{"op":"replace","path":"","value":[]}]})",
    R"({"patch":[{"op":"test","path":"/spec/nodeName","value":null}]})",
    R"({"patch":[{"op":"replace","path":"/spec/containers/0/image","value":"mirror/nginx:latest"}]})",
    R"({"patch":[{"op":"copy","from":"/spec/containers/0","path":"/spec/containers/-"}]})",
    R"({"patch":[{"op":"move","from":"/spec/containers/0","path":"/spec/containers/-"}]})",
    R"({"patch":[{"op":"add","path":"/spec/containers/0/resources",
        "value":{"limits":{"cpu":"0.1m","memory":"1e9"}}}]})",
    R"({"patch":[{"op":"add","path":"/spec/containers/0/resources","value":{}}]})",
    R"({"patch":[{"op":"add","path":"/spec/ephemeralContainers",
        "value":[{"name":"dbg","image":"busybox"}]}]})",
    R"({"patch":[]})",
    R"({"patch":[{}]})",
    R"({"patch":[null]})",
    R"({"warn":["careful","careful","again $call"]})",
    R"({"warn":["","\"quoted\" \\ and \u00e4", "a\nb"]})",
    R"({"when":{"not":{"call":1}},"warn":["again"]})",
    R"({"audit":{"seen":"yes"}})",
    R"({"audit":{"no good":"x","a/b":"y","":"z"}})",
    R"({"when":{"call":2},"deny":{"code":403,"message":"no"}})",
    R"({"when":{"exists":"/metadata/labels/x"},"deny":{"message":"no"}})",
    R"({"when":{"named":{"path":"/spec/containers","name":"proxy"}},
        "deny":{"code":429,"reason":"TooManyRequests"}})",
    R"({"when":{"equals":{"path":"/metadata/labels/app","value":"web"}},"deny":{"reason":"Why"}})",
    R"({"when":{"any":[{"absent":"/metadata/annotations"},{"all":[]}]},"deny":{"code":200}})",
};

constexpr const char* kCodedFaults[] = {"status-500",      "status-404", "status-302",      "status-204",
                                        "status-200",      "status-429", "retry-after-429", "retry-after-503",
                                        "retry-after-404", "deny-403",   "deny-200",        "deny-0",
                                        "deny-422",        "deny-599"};

/// Draws any fault except `timeout`, which would cost the recorder real time.
std::string draw_adversarial_fault(Choices& choices) {
  static_assert(cases::kPlainFaults.front() == "timeout");
  if (choices.coin()) return choices.pick(kCodedFaults);
  return std::string(choices.pick(std::span(cases::kPlainFaults).subspan(1)));
}

constexpr const char* kObjects[] = {
    R"({"apiVersion":"v1","kind":"LimitRange","metadata":{"name":"limits","namespace":"default"},
        "spec":{"limits":[{"type":"Container",
        "default":{"cpu":"1","memory":"1Gi"},"defaultRequest":{"cpu":"100m"}}]}})",
    R"({"apiVersion":"v1","kind":"LimitRange","metadata":{"name":"pods","namespace":"default"},
        "spec":{"limits":[{"type":"Pod","max":{"cpu":"2"},"maxLimitRequestRatio":{"memory":"2"}},
                          {"type":"Container","min":{"memory":"1Mi"},"max":{"memory":"2Gi"}}]}})",
    R"({"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"high"},"value":1000,
        "preemptionPolicy":"Never"})",
    R"({"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"everyone"},"value":5,
        "globalDefault":true})",
    R"({"apiVersion":"node.k8s.io/v1","kind":"RuntimeClass","metadata":{"name":"gvisor"},"handler":"runsc",
        "overhead":{"podFixed":{"cpu":"50m"}},
        "scheduling":{"nodeSelector":{"rt":"gvisor"},"tolerations":[{"key":"rt","operator":"Exists"}]}})",
    R"({"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"quiet","namespace":"default"},
        "automountServiceAccountToken":false})",
    R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default","labels":{"team":"a"}}})",
};

template <class Table>
std::vector<Value> documents(const Table& table) {
  std::vector<Value> all;
  for (const char* text : table) all.push_back(parsed(text));
  return all;
}

/// Sets the namespace of the stored Pod to that of the request, where the server looks for it.
void keep_namespace(Case& value) {
  Value& metadata = value.request.old_object.edit("metadata");
  if (!metadata.is_object()) metadata = Value::empty_object();
  metadata.set("namespace", value.request.namespace_name);
}

/// Gives every webhook a unique name: the server reports a failed match condition with the webhook's name
/// alone.
void rename_peers(Case& value) {
  std::map<std::string, cases::Backend> renamed;
  for (Value& object : value.cluster.objects) {
    if (!cases::is_webhook_configuration(object)) continue;
    const std::string configuration(object["metadata"]["name"].text());
    for (std::size_t i = 0; i < object["webhooks"].size(); ++i) {
      const std::string before = configuration + "/" + std::string(object["webhooks"].at(i)["name"].text());
      const std::string name = configuration + std::to_string(i) + ".example.io";
      object.edit("webhooks").edit(i).set("name", name);
      renamed.emplace(configuration + "/" + name, value.webhooks.at(before));
    }
  }
  value.webhooks = std::move(renamed);
}

void merge(Value& into, const Value& more) {
  for (const auto& member : more.members()) into.set(member.key.name(), member.value);
}

Value& configuration_named(Case& value, const std::string& name) {
  for (Value& object : value.cluster.objects) {
    const bool is_one = cases::is_webhook_configuration(object);
    if (is_one && object["metadata"]["name"].text() == name) return object;
  }
  value.cluster.objects.push_back({{"apiVersion", "admissionregistration.k8s.io/v1"},
                                   {"kind", "MutatingWebhookConfiguration"},
                                   {"metadata", {{"name", name}}},
                                   {"webhooks", Value::empty_list()}});
  return value.cluster.objects.back();
}

class Hostile {
 public:
  Hostile(Case& value, Choices& choices, int minor) : value_(value), c_(choices), minor_(minor) {}

  void run() {
    value_.cluster.version = cases::version_of(minor_);
    edit(value_.request.object);
    if (value_.request.is_update() && c_.coin()) edit(value_.request.old_object);
    if (value_.request.is_update()) keep_namespace(value_);
    rename_peers(value_);
    add_objects();
    const auto seen = apiserver::defaulted_pod(value_.request.object, minor_);
    seen_ = seen.ok() ? *seen : value_.request.object;
    for (auto& [key, backend] : value_.webhooks) {
      if (c_.coin()) backend = script();
    }
    for (auto left = c_.below(5); left > 0; --left) add_webhook(static_cast<int>(left));
    if (value_.request.is_update()) match_updates();
    if (c_.below(3) == 0) add_faults();
  }

 private:
  /// Changes the Pod into another one that the server reads.
  void edit(Value& pod) {
    const Value before = pod;
    for (auto left = c_.below(4); left > 0; --left) {
      edit_pod(pod, c_, {.minor = minor_, .is_careless = c_.one_in(4)});
    }
    if (!apiserver::defaulted_pod(pod, minor_).ok()) pod = before;
  }

  /// Adds ready-made objects to the cluster, which holds no two objects of one name. The objects that are
  /// already there win.
  void add_objects() {
    static const std::vector<Value> kReady = documents(kObjects);
    std::vector<Value> distinct;
    const auto add = [&](const Value& object) {
      const auto same = [&](const Value& other) {
        // The server walks over several LimitRanges in no defined order.
        if (object["kind"] == other["kind"] && object["kind"].text() == "LimitRange") return true;
        return object["kind"] == other["kind"] && object["metadata"]["name"] == other["metadata"]["name"] &&
               object["metadata"]["namespace"] == other["metadata"]["namespace"];
      };
      if (std::none_of(distinct.begin(), distinct.end(), same)) distinct.push_back(object);
    };
    for (const Value& object : value_.cluster.objects) add(object);
    for (const Value& object : kReady) {
      if (c_.one_in(5)) add(object);
    }
    value_.cluster.objects = std::move(distinct);
  }

  Value condition(int depth) {
    static constexpr std::array kPaths = {"/metadata/labels",
                                          "/metadata/labels/x",
                                          "/metadata/annotations",
                                          "/spec/volumes",
                                          "/spec/initContainers",
                                          "/spec/containers/0/env",
                                          "/spec/containers/1",
                                          "/spec/tolerations",
                                          "/spec/containers/0/volumeMounts",
                                          "/metadata/creationTimestamp",
                                          "/spec/priority",
                                          "/status"};
    switch (c_.below(depth > 0 ? 8 : 5)) {
      case 0:
        return {{"exists", c_.pick(kPaths)}};
      case 1:
        return {{"absent", c_.pick(kPaths)}};
      case 2:
        return {{"call", c_.between(1, 3)}};
      case 3:
        return {{"named", {{"path", "/spec/containers"}, {"name", c_.coin() ? "proxy" : "main"}}}};
      case 4: {
        const char* path = c_.coin() ? "/spec/dnsPolicy" : "/metadata/labels/app";
        return {{"equals", {{"path", path}, {"value", c_.coin() ? "web" : "ClusterFirst"}}}};
      }
      case 5:
        return {{"not", condition(depth - 1)}};
      default:
        return {{c_.coin() ? "all" : "any", Value::list({condition(depth - 1), condition(depth - 1)})}};
    }
  }

  cases::Script script() {
    static const std::vector<Value> kReady = documents(kScriptRules);
    Value rules = Value::empty_list();
    for (auto left = c_.below(4); left > 0; --left) {
      if (c_.below(3) != 0) {
        rules.push_back(c_.pick(kReady));
        continue;
      }
      Value patch = draw_patch(seen_, c_, minor_);
      if (!patch.is_array()) patch = Value::list({std::move(patch)});
      Value rule{{"patch", std::move(patch)}};
      if (c_.coin()) rule.set("when", condition(2));
      rules.push_back(std::move(rule));
    }
    auto read = cases::read_script(rules);
    document::check(read.ok(), "a drawn script is a script");
    return *std::move(read);
  }

  Value rule() {
    Value made = parsed(R"({"apiGroups":[""],"apiVersions":["v1"],"operations":["*"],"resources":["pods"]})");
    if (c_.one_in(3)) merge(made, parsed(kRules[c_.below(std::size(kRules))]));
    if (!value_.request.sub_resource.empty() && c_.below(3) != 0) merge(made, parsed(kRules[c_.below(3)]));
    return made;
  }

  void add_webhook(int number) {
    static constexpr std::array kConfigurations = {"inject", "alpha", "zeta"};
    const std::string configuration = c_.pick(kConfigurations);
    const std::string name = "h" + std::to_string(number) + ".example.io";
    Value entry{{"name", name},
                {"admissionReviewVersions", Value::list({"v1"})},
                {"sideEffects", "None"},
                {"rules", Value::list({rule()})}};
    if (c_.one_in(12)) entry.edit("rules").push_back(rule());
    for (const Setting& setting : kSettings) {
      if (c_.one_in(setting.one_in)) merge(entry, parsed(setting.json));
    }
    if (c_.one_in(5)) entry.set("matchConditions", match_conditions());
    configuration_named(value_, configuration).edit("webhooks").push_back(std::move(entry));
    value_.webhooks.emplace(configuration + "/" + name, script());
  }

  Value match_conditions() {
    Value conditions = Value::empty_list();
    for (int i = 0, most = c_.between(1, 2); i < most; ++i) {
      conditions.push_back({{"name", "c" + std::to_string(i)},
                            {"expression", kExpressions[c_.below(std::size(kExpressions))]}});
    }
    return conditions;
  }

  /// Extends the rules of most webhooks to all operations: the generators' neighbours match only creations.
  void match_updates() {
    for (Value& object : value_.cluster.objects) {
      if (!cases::is_webhook_configuration(object) || c_.one_in(4)) continue;
      for (std::size_t i = 0; i < object["webhooks"].size(); ++i) {
        Value& first = object.edit("webhooks").edit(i).edit("rules").edit(0);
        first.set("operations", Value::list({"*"}));
        if (!value_.request.sub_resource.empty() && c_.coin())
          first.set("resources", Value::list({"pods/*"}));
      }
    }
  }

  void add_faults() {
    const auto names = cases::configured_webhooks(value_.cluster);
    for (auto left = 1 + c_.below(2); left > 0 && !names.empty(); --left) {
      cases::Fault fault{.webhook = c_.pick(names), .fault = draw_adversarial_fault(c_)};
      if (c_.one_in(40)) fault.fault = "refused";
      if (c_.coin()) fault.call = c_.between(1, 2);
      value_.faults.push_back(std::move(fault));
    }
  }

  Case& value_;
  Choices& c_;
  int minor_;
  Value seen_;
};

/// Rewrites the scripts to how they read back from their JSON text. That text contains characters which Go
/// would escape, and the operation `test` compares the raw text.
void spell_scripts(Case& value) {
  for (auto& [webhook, backend] : value.webhooks) {
    auto* script = std::get_if<cases::Script>(&backend);
    if (script == nullptr) continue;
    const std::string text = document::write_json(script->source);
    if (text.find_first_of("<>&") == std::string::npos) continue;
    const auto read = document::read_json(text, {}, document::Strictness::foreign);
    if (!read) continue;
    if (auto spelled = cases::read_script(*read)) *script = *std::move(spelled);
  }
}

}  // namespace

Case draw_adversarial_case(Choices& choices, int minor) {
  static const DrawContext kPeaceful({.subjects = script_peers(), .has_faults = false});
  Case value = draw(choices, kPeaceful);
  Hostile(value, choices, minor).run();
  spell_scripts(value);
  value.neighbours.reset();  // no subject is under test, and a real server has no list of neighbours
  return value;
}

}  // namespace fixpoint::generators
