#include <algorithm>

#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/document/json.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallResult;
using PathValues = std::vector<PathValue>;

constexpr const char* kName = "fixpoint-probe";
constexpr const char* kPort = "fixpoint";
constexpr int kNumber = 18099;

/// Returns the handler of a probe, with the server's defaults.
Value handler_of(std::string_view handler, const Value& port) {
  if (handler == "httpGet") return {{"httpGet", {{"path", "/ready"}, {"port", port}, {"scheme", "HTTP"}}}};
  if (handler == "grpc") return {{"grpc", {{"port", port}, {"service", ""}}}};
  return {{"tcpSocket", {{"port", port}}}};
}

Value probe_of(std::string_view handler, const Value& port) {
  Value probe = handler_of(handler, port);
  probe.set("timeoutSeconds", 1);
  probe.set("periodSeconds", 10);
  probe.set("successThreshold", 1);
  probe.set("failureThreshold", 3);
  return probe;
}

/// Returns a container with every field that webhooks usually change, and one probe.
Value container_with(const char* kind, std::string_view handler, const Value& port) {
  Value container = minimal_container(kName);
  container.set("command", Value::list({"/bin/probe"}));
  container.set("ports",
                Value::list({Value{{"name", kPort}, {"containerPort", kNumber}, {"protocol", "TCP"}}}));
  container.set("env", Value::list({Value{{"name", "FIXPOINT"}, {"value", "1"}}}));
  container.set(document::Name(kind), probe_of(handler, port));
  return container;
}

/// Returns true if two texts are JSON records of the original probes: the webhook keeps them to restore
/// them, and does not call them.
bool keeps_the_name(std::string_view numbered, std::string_view named) {
  const auto with_number = document::read_json(numbered, {}, document::Strictness::foreign);
  const auto with_name = document::read_json(named, {}, document::Strictness::foreign);
  if (!with_number.ok() || !with_name.ok() || !with_name->is_object()) return false;
  std::string text = document::write_json(*with_name);
  const std::string name = document::write_json(kPort), number = std::to_string(kNumber);
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at))
    text.replace(at, name.size(), number);
  return text == document::write_json(*with_number);
}

/// Returns the Pod with that container only.
Value alone(const char* list, const Value& pod) {
  Value containers = pod["spec"][document::Name(list)];
  if (containers.is_array()) {
    erase_if(containers.edit_elements(),
             [](const Value& container) { return container["name"].text() != kName; });
  }
  return {{"spec", {{list, containers}}}};
}

bool writes(const PathValues& path_values, std::string_view member) {
  return std::any_of(path_values.begin(), path_values.end(),
                     [&](const PathValue& path_value) { return path_value.path.starts_with(member); });
}

/// Calls of a webhook on the Pod with one container more.
class AddedContainer {
 public:
  AddedContainer(const Examination& examination, const FirstCall& call, std::vector<Violation>& violations)
      : examination_(examination), call_(call), violations_(violations) {}

  /// Returns everything that the webhook writes into the container; nothing if the call fails or is not made.
  std::optional<PathValues> changes_of(const char* list, Value container) {
    if (!resources_.is_null()) container.set("resources", resources_);
    pod_ = call_.event.before;
    pod_.edit("spec").edit(document::Name(list)).push_back(container);
    // The server fills in fields such as the host's port, but only after an answer with a patch.
    pod_ = apiserver::default_pod(pod_, apiserver::minor_of(examination_.value.cluster));
    if (!is_called(examination_, call_.webhook, pod_)) return {};
    result_ = call_afresh(examination_, call_.webhook, pod_);
    if (!went_well(result_)) return {};
    PathValues path_values = added(alone(list, pod_), alone(list, result_.after));
    const std::string prefix = std::string("spec.") + list + "[" + kName + "].";
    std::erase_if(path_values,
                  [&](const PathValue& path_value) { return !path_value.path.starts_with(prefix); });
    for (PathValue& path_value : path_values) path_value.path.erase(0, prefix.size());
    return path_values;
  }
  /// Returns everything that the last call wrote.
  PathValues written() const { return added(pod_, result_.after); }

  OwnCall last_call(std::string what) const { return {std::move(what), call_.webhook.key, pod_, result_}; }

  /// Gives every container that is added the devices that a container of this call asks for; false if none
  /// does.
  bool set_device() {
    for (const Value& container : call_.event.before["spec"]["containers"].elements()) {
      const Value& limits = container["resources"]["limits"];
      const auto is_device = [](const auto& limit) {
        return limit.key.text().find('/') != std::string_view::npos;
      };
      const auto all = limits.members();
      if (std::none_of(all.begin(), all.end(), is_device)) continue;
      resources_ = Value::empty_object();
      for (const auto& limit : all)
        if (is_device(limit))
          for (const char* kind : {"limits", "requests"})
            resources_.edit(kind).set(limit.key.name(), limit.value);
      return true;
    }
    return false;
  }

  void have_no_device() { resources_ = Value(); }
  std::string device() const { return std::string(resources_["limits"].members().begin()->key.text()); }

  void report(const std::string& what, const std::string& list, const std::string& member,
              const std::string& reason, std::vector<OwnCall> calls) {
    Violation violation{.severity = Severity::warning, .webhook = call_.webhook.key};
    violation.path = "spec." + list + "[*]." + member;
    violation.shape = what + ":" + violation.path;
    violation.reason = reason;
    violation.calls = std::move(calls);
    violations_.push_back(std::move(violation));
  }

  const FirstCall& call() const { return call_; }
  const CallResult& result() const { return result_; }

 private:
  const Examination& examination_;
  const FirstCall& call_;
  std::vector<Violation>& violations_;
  Value resources_;  ///< of each container that is added, if any
  Value pod_;
  CallResult result_;
};

Value plain_container() {
  Value container = container_with("readinessProbe", "httpGet", kNumber);
  container.remove("readinessProbe");
  return container;
}

/// Reports an init container that asks for a device and gets nothing of what a container gets that asks for
/// it: the scheduler counts the devices of both.
void ask_device(AddedContainer& added) {
  added.have_no_device();
  const PathValues without = added.changes_of("containers", plain_container()).value_or(PathValues());
  if (!added.set_device()) return;
  const auto with = added.changes_of("containers", plain_container());
  if (!with) return;
  const OwnCall call = added.last_call("with a container that asks for the device");
  const auto is_for_the_device = [&](const PathValue& written) {
    return !written.path.starts_with("resources") && find(without, written.path) == nullptr;
  };
  const auto written = std::ranges::find_if(*with, is_for_the_device);
  if (written == with->end()) return;
  const auto there = added.changes_of("initContainers", plain_container());
  if (!there || std::ranges::any_of(*there, is_for_the_device)) return;
  added.report("device-left", "initContainers", "resources",
               "an init container that asks for " + added.device() +
                   " gets nothing of what a container gets for it: " + written->path,
               {call, added.last_call("with an init container that asks for it")});
}

class CoverageQuestion {
 public:
  CoverageQuestion(const Examination& examination, const FirstCall& call, std::vector<Violation>& violations,
                   std::vector<Observation>& observations)
      : added_(examination, call, violations), violations_(violations), observations_(observations) {}

  /// Returns true if the webhook changes containers whose names it does not know.
  bool ask() {
    if (!is_treated() && !is_treated_for_its_resources()) return false;
    reference_call_ = added_.last_call("with one container more");
    const bool is_in_part = ask_init_container();
    ask_sidecar(is_in_part);
    AddedContainer of_device = added_;
    ask_device(of_device);
    const bool rewrites_probes = writes(*reference_, "readinessProbe");
    if (!rewrites_probes) return true;
    ask_kinds();
    for (const char* handler : {"tcpSocket", "grpc"}) {
      if (is_left_out("readinessProbe", handler))
        observe(handler,
                std::string("leaves a probe with ") + handler + " as it is, unlike one with httpGet");
    }
    ask_named_port();
    return true;
  }

 private:
  bool is_treated() {
    reference_ = added_.changes_of("containers", container_with("readinessProbe", "httpGet", kNumber));
    return reference_ && !reference_->empty();
  }
  /// Some webhooks treat the containers that ask for a device: then every container asks for what one does
  /// that this call has changed.
  bool is_treated_for_its_resources() { return added_.set_device() && is_treated(); }

  void ask_sidecar(bool is_known_in_part) {
    Value container = container_with("readinessProbe", "httpGet", kNumber);
    container.set("restartPolicy", "Always");
    const auto there = added_.changes_of("initContainers", container);
    if (!there) return;
    const std::string path = first_difference(*reference_, *there);
    if (path.empty() || is_known_in_part || is_without_mounts(*there, "a native sidecar")) return;
    observations_.push_back(
        {.kind = "left-out",
         .webhook = added_.call().webhook.key,
         .path = "spec.initContainers[*]:sidecar",
         .reason = "does not treat a native sidecar among the init containers as it would "
                   "among the containers: " +
                   path + " differs"});
  }

  bool ask_init_container() {
    const auto there = added_.changes_of("initContainers", plain_container());
    return there && (keeps_its_image(*there) || is_without_mounts(*there, "an init container"));
  }

  /// Reports an init container with the image that others get another one for: nodes pull all of them.
  bool keeps_its_image(const PathValues& there) {
    if (!writes(*reference_, "image") || writes(there, "image")) return false;
    added_.report(
        "image-left", "initContainers", "image",
        "the image of an init container stays as it is, and a container with the same one gets another",
        {reference_call_, added_.last_call("with an init container of that image")});
    return true;
  }

  /// Reports a container that gets the variables that others get, and none of their mounts: variables name
  /// files.
  bool is_without_mounts(const PathValues& there, const std::string& what) {
    if (writes(there, "volumeMounts[")) return false;
    const auto mount = std::ranges::find_if(
        *reference_, [](const PathValue& written) { return written.path.starts_with("volumeMounts["); });
    const bool has_its_variables = std::ranges::any_of(*reference_, [&](const PathValue& written) {
      return written.path.starts_with("env[") && find(there, written.path) != nullptr;
    });
    if (mount == reference_->end() || !has_its_variables) return false;
    added_.report("without-mounts", "initContainers", "volumeMounts",
                  what + " gets the variables that containers get, but not " +
                      mount->path.substr(0, mount->path.find(']') + 1),
                  {reference_call_, added_.last_call("with " + what)});
    return true;
  }

  bool is_left_out(const char* kind, const char* handler) {
    const auto there = added_.changes_of("containers", container_with(kind, handler, kNumber));
    return there && !writes(*there, kind);
  }

  /// A webhook may be meant for readiness probes alone; one that rewrites two kinds of probes must rewrite
  /// all.
  void ask_kinds() {
    std::vector<std::pair<std::string, OwnCall>> left_out;
    for (const std::string kind : {"livenessProbe", "startupProbe"}) {
      if (is_left_out(kind.c_str(), "httpGet"))
        left_out.emplace_back(kind, added_.last_call("with a " + kind + " instead"));
    }
    for (const auto& [kind, call] : left_out) {
      const std::string what = "a " + kind;
      if (left_out.size() == 1)
        added_.report(what, "containers", kind, what + " is not treated as others are",
                      {reference_call_, call});
      else
        observe(kind, "leaves " + what + " as it is, unlike a readinessProbe");
    }
  }

  void observe(const std::string& what, const std::string& reason) {
    observations_.push_back({.kind = "left-out",
                             .webhook = added_.call().webhook.key,
                             .path = "spec.containers[*]:" + what,
                             .reason = reason});
  }

  void ask_named_port() {
    added_.changes_of("containers", container_with("readinessProbe", "httpGet", kNumber));
    const PathValues numbered = added_.written();
    const OwnCall numbered_call = added_.last_call("with a probe of a port by number");
    if (!added_.changes_of("containers", container_with("readinessProbe", "httpGet", kPort))) return;
    PathValues named = added_.written();
    for (PathValue& path_value : named) {
      const PathValue* const there = find(numbered, path_value.path);
      if (there != nullptr && keeps_the_name(there->value.text(), path_value.value.text()))
        path_value = *there;
    }
    const std::string path = first_difference(numbered, named);
    if (path.empty()) return;
    Violation violation = violation_at(added_.call().webhook, path, added_.result().after, added_.result());
    violation.severity = Severity::warning;
    violation.shape = "named-port:" + violation.shape;
    violation.reason = violation.path + " differs between a probe of a port by name and by number";
    violation.calls = {numbered_call, added_.last_call("with a probe of a port by name")};
    violations_.push_back(std::move(violation));
  }

  AddedContainer added_;
  std::vector<Violation>& violations_;
  std::vector<Observation>& observations_;
  std::optional<PathValues> reference_;
  OwnCall reference_call_;  ///< that gave it
};

Judgement covers_all_containers(const Examination& examination) {
  const auto calls = first_calls(examination);
  std::vector<Violation> violations;
  std::vector<Observation> observations;
  bool asked = false;
  for (const FirstCall& call : calls) {
    if (CoverageQuestion(examination, call, violations, observations).ask()) asked = true;
  }
  if (!asked) return not_applicable("no webhook treats every container");
  return judged(std::move(violations), std::move(observations));
}

}  // namespace

extern constinit const Property kCoversAllContainers = {
    .name = "covers-all-containers",
    .claim =
        "Native sidecars are treated like containers, init containers get the images that containers get, "
        "variables come with their mounts, and probes are treated alike.",
    .is_cheap = false,
    .ask = covers_all_containers,
    .explanation =
        {.example = "Only spec.containers is walked: a native sidecar is left out.",
         .matters = "The same container works or not by the list it stands in, and startup probes fail under "
                    "strict mTLS.",
         .fix =
             "Walk containers and restartable init containers, all kinds of probes and handlers, with ports "
             "resolved."},
};

}  // namespace fixpoint::properties
