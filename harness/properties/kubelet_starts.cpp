#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "harness/cases/webhook_configuration.h"
#include "harness/document/json.h"
#include "harness/document/named.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/spellings.h"
#include "harness/properties/validity.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

using document::Name;

constexpr std::string_view kTokenPath = "/var/run/secrets/kubernetes.io/serviceaccount";
constexpr std::array<const char*, 2> kLists{"initContainers", "containers"};
constexpr std::array<const char*, 3> kProbes{"startupProbe", "livenessProbe", "readinessProbe"};

/// A container of a Pod, with its place.
struct Placed {
  const Value& container;
  std::string list;
  std::size_t index;
  std::string path() const { return element_path("spec." + list, index); }
  bool is_init() const { return list == "initContainers" && container["restartPolicy"].text() != "Always"; }
  std::string name() const { return std::string(container["name"].text()); }
};

/// Reasons for which a Pod that the server takes does not start.
struct Obstacle {
  std::string path;
  std::string reason;  ///< behind the path
  Severity severity = Severity::error;
};

std::vector<Placed> containers_of(const Value& pod) {
  std::vector<Placed> all;
  for (const char* list : kLists)
    for (std::size_t i = 0; i < pod["spec"][Name(list)].size(); ++i)
      all.push_back({pod["spec"][Name(list)].at(i), list, i});
  return all;
}

bool has_container(const Value& pod, std::string_view name) {
  return std::ranges::any_of(
      kLists, [&](const char* list) { return document::has_named(pod["spec"][Name(list)], name); });
}

const Value& effective(const Value& pod, const Value& container, const char* member) {
  const Value& own = container["securityContext"][Name(member)];
  return own.is_null() ? pod["spec"]["securityContext"][Name(member)] : own;
}

/// Looks for obstacles in a Pod after a call that the Pod before it does not have.
class Obstacles {
 public:
  Obstacles(const Value& before, const Value& after) : before_(before), after_(after) {}

  std::vector<Obstacle> find() {
    find_roots();
    for (const Placed& one : containers_of(after_)) {
      find_hidden_token(one);
      if (has_container(before_, one.container["name"].text())) continue;
      find_undeclared_probes(one);
      find_early_wait(one);
      find_linux_fields(one);
    }
    find_unwritten_volumes();
    return std::move(found_);
  }

 private:
  static bool is_refused_root(const Value& pod, const Value& container) {
    const Value& user = effective(pod, container, "runAsUser");
    return effective(pod, container, "runAsNonRoot").is_true() && user.is_number() && user.text() == "0";
  }
  void find_roots() {
    for (const Placed& one : containers_of(before_))
      if (is_refused_root(before_, one.container)) return;
    for (const Placed& one : containers_of(after_))
      if (is_refused_root(after_, one.container))
        found_.push_back({one.path() + ".securityContext",
                          "has runAsUser 0 under runAsNonRoot: the kubelet does not start the container"});
  }

  /// The account's token is what every client in the Pod reads.
  void find_hidden_token(const Placed& one) {
    const Value& mounts = one.container["volumeMounts"];
    for (std::size_t i = 0; i < mounts.size(); ++i) {
      const Value& mount = mounts.at(i);
      if (mount["mountPath"].text() != kTokenPath || is_token(after_, mount) || is_sent(one, mount)) continue;
      found_.push_back({element_path(one.path() + ".volumeMounts", i),
                        "hides the token of the service account from the container"});
    }
  }
  bool is_sent(const Placed& one, const Value& mount) const {
    for (const Placed& old : containers_of(before_)) {
      const auto mounts = old.container["volumeMounts"].elements();
      if (old.container["name"] == one.container["name"] && std::ranges::find(mounts, mount) != mounts.end())
        return true;
    }
    return false;
  }
  static bool is_token(const Value& pod, const Value& mount) {
    for (const Value& volume : pod["spec"]["volumes"].elements()) {
      if (!(volume["name"] == mount["name"])) continue;
      const auto sources = volume["projected"]["sources"].elements();
      // The server's own volume, or a Secret that holds a token.
      return volume["secret"].is_object() || std::ranges::any_of(sources, [](const Value& source) {
               return source["serviceAccountToken"].is_object();
             });
    }
    return true;
  }

  static bool declares(const Value& container, const Value& port) {
    const auto ports = container["ports"].elements();
    return std::ranges::any_of(
        ports, [&](const Value& one) { return one["containerPort"] == port || one["name"] == port; });
  }
  void find_undeclared_probes(const Placed& one) {
    for (const char* probe : kProbes) {
      for (const char* handler : {"httpGet", "tcpSocket"}) {
        const Value& port = one.container[Name(probe)][Name(handler)]["port"];
        if (port.is_null() || declares(one.container, port)) continue;
        // A container may listen on ports that it does not declare, as Istio's proxy does; a name means
        // nothing then.
        if (!port.is_string()) continue;
        found_.push_back({one.path() + "." + probe + "." + handler + ".port",
                          "is " + document::write_json(port) + ", a port that the container does not declare",
                          Severity::error});
      }
    }
  }

  /// Returns the port of this Pod that a text speaks of: localhost:8200.
  static std::optional<Value> local_port(std::string_view text) {
    for (const std::string_view host : {"localhost:", "127.0.0.1:"}) {
      const auto at = text.find(host);
      if (at == std::string_view::npos) continue;
      const auto from = at + host.size(),
                 to = std::min(text.find_first_not_of("0123456789", from), text.size());
      if (const auto port = whole_number(text.substr(from, to - from)))
        return Value::number(std::to_string(*port));
    }
    return std::nullopt;
  }
  std::optional<Value> awaited_port(const Value& container) const {
    for (const char* list : {"command", "args"})
      for (const Value& word : container[Name(list)].elements())
        if (auto port = local_port(word.text())) return port;
    for (const Value& variable : container["env"].elements())
      if (auto port = local_port(variable["value"].text())) return port;
    return std::nullopt;
  }
  /// An init container runs to its end before what comes behind it starts.
  void find_early_wait(const Placed& one) {
    if (!one.is_init()) return;
    const auto port = awaited_port(one.container);
    if (!port) return;
    const Placed* behind = nullptr;
    const auto all = containers_of(after_);
    for (const Placed& other : all) {
      if (!declares(other.container, *port)) continue;
      const bool is_earlier = other.list == one.list && other.index < one.index;
      if (is_earlier) return;
      if (!other.is_init() && !has_container(before_, other.container["name"].text())) behind = &other;
    }
    if (behind == nullptr) return;
    found_.push_back({one.path(), "waits for port " + std::string(port->text()) + " of " + behind->name() +
                                      ", which starts only after it"});
  }

  void find_linux_fields(const Placed& one) {
    if (after_["spec"]["nodeSelector"]["kubernetes.io/os"].text() != "windows") return;
    for (const char* field : {"capabilities", "privileged", "runAsUser", "seccompProfile", "seLinuxOptions"})
      if (!one.container["securityContext"][Name(field)].is_null())
        return found_.push_back({one.path() + ".securityContext." + field,
                                 "is for Linux, and the Pod runs on nodes with Windows", Severity::warning});
  }

  /// A volume that begins empty and is mounted read-only alone, by a new container too, stays empty. Where
  /// none is new, who should write to it may have been left out for a namesake of the user's.
  void find_unwritten_volumes() {
    const Value& volumes = after_["spec"]["volumes"];
    for (std::size_t i = 0; i < volumes.size(); ++i) {
      const Value& name = volumes.at(i)["name"];
      if (!volumes.at(i)["emptyDir"].is_object()) continue;
      bool is_written = document::has_named(before_["spec"]["volumes"], name.text()), is_of_new = false;
      for (const Placed& one : containers_of(after_)) {
        for (const Value& mount : one.container["volumeMounts"].elements()) {
          if (!(mount["name"] == name)) continue;
          is_written = is_written || !mount["readOnly"].is_true();
          is_of_new = is_of_new || !has_container(before_, one.container["name"].text());
        }
      }
      if (is_of_new && !is_written)
        found_.push_back(
            {element_path("spec.volumes", i), "begins empty, and every mount of it is read-only"});
    }
  }

  const Value &before_, &after_;
  std::vector<Obstacle> found_ = {};
};

Violation violation_of(const FirstCall& call, const Obstacle& obstacle, const Value& after,
                       const apiserver::CallResult& result) {
  Violation violation{.severity = obstacle.severity, .webhook = call.webhook.key, .path = obstacle.path};
  violation.value = at_path(after, obstacle.path);
  violation.shape = shape_of(obstacle.path, after, result);
  std::string where = violation.shape;
  constexpr std::string_view kNamed = "[name=";
  for (auto at = where.find(kNamed); at != std::string::npos; at = where.find(kNamed, at))
    where.erase(at + 1, kNamed.size() - 1);
  violation.reason = where + " " + obstacle.reason;
  return violation;
}

/// Returns the Pod as one that may not run as root, but for its first container.
Value with_one_root(Value pod) {
  Value& spec = pod.edit("spec");
  spec.edit("securityContext").set("runAsNonRoot", true);
  spec.edit("securityContext").set("runAsUser", 1000);
  for (const char* list : kLists) {
    for (std::size_t i = 0; i < spec[Name(list)].size(); ++i) {
      Value& context = spec.edit(Name(list)).edit(i).edit("securityContext");
      const bool is_first = i == 0 && std::string_view(list) == "containers";
      context.set("runAsUser", is_first ? 0 : 1000);
      context.set("runAsNonRoot", !is_first);
    }
  }
  return pod;
}

bool adds_container(const FirstCall& call) {
  const auto all = containers_of(call.event.result.after);
  return std::ranges::any_of(all, [&](const Placed& one) {
    return !has_container(call.event.before, one.container["name"].text());
  });
}

Judgement kubelet_starts(const Examination& examination) {
  const auto calls = effective_calls(examination);
  if (calls.empty()) return not_reached("no webhook changed the Pod");
  std::vector<Violation> violations;
  const auto tell = [&](Violation violation) {
    if (std::ranges::find(violations, violation.shape, &Violation::shape) == violations.end())
      violations.push_back(std::move(violation));
  };
  for (const FirstCall& call : calls) {
    const apiserver::CallResult& result = call.event.result;
    for (const Obstacle& one : Obstacles(call.event.before, result.after).find())
      tell(violation_of(call, one, result.after, result));
    if (!adds_container(call)) continue;
    const Value pod = with_one_root(call.event.before);
    if (!is_called(examination, call.webhook, pod) || !is_storable(examination.value, pod)) continue;
    const auto other = call_afresh(examination, call.webhook, pod);
    if (!went_well(other)) continue;
    for (const Obstacle& one : Obstacles(pod, other.after).find()) {
      Violation violation = violation_of(call, one, other.after, other);
      violation.calls = {{"where the Pod may not run as root", call.webhook.key, pod, other}};
      tell(std::move(violation));
    }
  }
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kKubeletStarts = {
    .name = "kubelet-starts",
    .claim = "What is injected starts: users, probes, mounts and the order of containers fit together.",
    .is_cheap = false,
    .ask = kubelet_starts,
    .explanation =
        {.example = "An init container gets user 0 from the first container, and runAsNonRoot from the Pod.",
         .matters =
             "The server takes the Pod, and the kubelet does not start it: nobody hears of it at kubectl "
             "apply.",
         .fix = "Give an injected container a whole securityContext of its own, declare the ports of its "
                "probes, and start what is waited for first."},
};

}  // namespace fixpoint::properties
