#include "harness/oracle/oracle_defaulting.h"

#include <algorithm>
#include <array>
#include <regex>
#include <string_view>

#include "harness/oracle/oracle_schema.h"

namespace fixpoint::oracle {

namespace {

using Tallies = std::map<std::string, Tally>;

constexpr std::array<const char*, 3> kContainerLists{"containers", "initContainers", "ephemeralContainers"};
constexpr int kPodResourcesSince = 34, kImagePolicySince = 35;

bool is_hugepages(const std::string& name) { return name.starts_with("hugepages-"); }

void add(Tallies& sum, const std::string& name, const Tally& more) {
  const auto [found, is_new] = sum.emplace(name, more);
  if (is_new) return;
  if (found->second.amount.is_zero()) found->second.notation = more.notation;
  found->second.amount = found->second.amount.plus(more.amount);
  found->second.text.clear();
}

Tallies tallies_of(const Json& quantities) {
  Tallies result;
  for (const auto& [name, quantity] : quantities.items()) {
    const std::string text = quantity.get<std::string>();
    result[name] = {*parse_amount(text), text, notation_of(text)};
  }
  return result;
}

void add_all(Tallies& sum, const Tallies& more) {
  for (const auto& [name, tally] : more) add(sum, name, tally);
}

void raise(Tallies& sum, const Tallies& to) {
  for (const auto& [name, tally] : to) {
    const auto [found, is_new] = sum.emplace(name, tally);
    if (!is_new && found->second.amount < tally.amount) found->second = tally;
  }
}

void requests_from_limits(Json& container) {
  const Json limits = in(container, {"resources", "limits"});
  for (const auto& [name, limit] : limits.items()) {
    if (in(container, {"resources", "requests", name}).is_null())
      container["resources"]["requests"][name] = limit;
  }
}

void default_pod_resources(Json& spec) {
  const Json resources = at(spec, "resources");
  if (!is_given(at(resources, "limits")) && !is_given(at(resources, "requests"))) return;
  Json changed = resources;
  for (const auto& [name, tally] : aggregate(spec, "limits")) {
    if (!is_hugepages(name) || !in(changed, {"limits", name}).is_null()) continue;
    if (in(changed, {"requests", name}).is_null()) changed["limits"][name] = tally.written();
  }
  if (is_given(at(changed, "limits"))) {
    for (const auto& [name, tally] : aggregate(spec, "requests")) {
      if (name != "cpu" && name != "memory") continue;
      if (in(changed, {"requests", name}).is_null()) changed["requests"][name] = tally.written();
    }
    const Json limits = changed["limits"];
    for (const auto& [name, limit] : limits.items()) {
      if (name != "cpu" && name != "memory" && !is_hugepages(name)) continue;
      if (in(changed, {"requests", name}).is_null()) changed["requests"][name] = limit;
    }
  }
  spec["resources"] = changed;
}

void host_ports(Json& container) {
  if (!container.contains("ports")) return;
  for (Json& port : container["ports"]) {
    if (!port.contains("hostPort") && port["containerPort"] != 0) port["hostPort"] = port["containerPort"];
  }
}

const char* pull_policy(const std::string& image) { return is_latest(image) ? "Always" : "IfNotPresent"; }

void default_volume(Json& volume, int minor) {
  if (volume.size() == 1) volume["emptyDir"] = Json::object();
  if (!volume.contains("image") || minor < kImagePolicySince) return;
  if (!volume["image"].contains("pullPolicy"))
    volume["image"]["pullPolicy"] = pull_policy(text_at(volume["image"], "reference"));
}

/// Returns true for an algorithm of the registry's library with a digest of the right length.
bool is_digest(const std::string& digest) {
  const auto colon = digest.find(':');
  const std::string algorithm = digest.substr(0, colon);
  const std::size_t size = algorithm == "sha256"   ? 64
                           : algorithm == "sha384" ? 96
                           : algorithm == "sha512" ? 128
                                                   : 0;
  return size > 0 && digest.size() - colon - 1 == size &&
         digest.find_first_not_of("0123456789abcdef", colon + 1) == std::string::npos;
}

/// Returns true if ParseNormalizedNamed of distribution/reference accepts the image; one regular expression
/// does it.
bool judge_image(const std::string& image) {
  static const std::regex identifier("[a-f0-9]{64}");
  static const std::regex reference(
      "((?:(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])"
      "(?:\\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))*|\\[(?:[a-fA-F0-9:]+)\\])(?::[0-9]+)?/)"
      "([a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*)*)"
      "(?::([A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?"
      "(?:@([A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?");
  if (image.size() > 1000 || std::regex_match(image, identifier)) return false;
  const auto slash = image.find('/');
  const std::string first = image.substr(0, slash);
  const bool has_upper = std::any_of(first.begin(), first.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  const bool has_domain = slash != std::string::npos && (first.find_first_of(".:") != std::string::npos ||
                                                         first == "localhost" || has_upper);
  std::string domain = has_domain ? first : "docker.io";
  if (domain == "index.docker.io") domain = "docker.io";
  std::string rest = has_domain ? image.substr(slash + 1) : image;
  if (domain == "docker.io" && rest.find('/') == std::string::npos) rest = "library/" + rest;
  std::smatch found;
  const std::string whole = domain + "/" + rest;
  if (!std::regex_match(whole, found, reference)) return false;
  if (found[2].length() > 255 || (found[4].matched && !is_digest(found[4]))) return false;
  if (found[3].matched) return found[3] == "latest";
  return !found[4].matched;
}

}  // namespace

bool is_latest(const std::string& image) {
  thread_local std::map<std::string, bool> known;
  if (known.size() > 10000) known.clear();
  const auto found = known.find(image);
  if (found != known.end()) return found->second;
  return known[image] = judge_image(image);
}

std::map<std::string, Tally> aggregate(const Json& spec, const char* list) {
  Tallies total, sidecars, stages;
  for (const Json& container : each(at(spec, "containers")))
    add_all(total, tallies_of(in(container, {"resources", list})));
  for (const Json& container : each(at(spec, "initContainers"))) {
    const Tallies own = tallies_of(in(container, {"resources", list}));
    if (text_at(container, "restartPolicy") == "Always") {
      add_all(total, own);
      add_all(sidecars, own);
      raise(stages, sidecars);
    } else {
      Tallies stage = own;
      add_all(stage, sidecars);
      raise(stages, stage);
    }
  }
  raise(total, stages);
  return total;
}

Json with_defaults(Json pod, int minor) {
  Json& spec = pod["spec"];
  for (const char* list : {"containers", "initContainers"}) {
    if (!at(spec, list).is_array()) continue;
    for (Json& container : spec[list]) {
      requests_from_limits(container);
      if (spec.value("hostNetwork", false)) host_ports(container);
    }
  }
  if (minor >= kPodResourcesSince) default_pod_resources(spec);
  if (spec.contains("volumes")) {
    for (Json& volume : spec["volumes"]) default_volume(volume, minor);
  }
  for (const char* list : kContainerLists) {
    if (!at(spec, list).is_array()) continue;
    for (Json& container : spec[list]) {
      if (!container.contains("imagePullPolicy"))
        container["imagePullPolicy"] = pull_policy(text_at(container, "image"));
    }
  }
  fill_in("Pod", pod, minor);
  return pod;
}

Json converted(Json pod) {
  pod["kind"] = "Pod";
  pod["apiVersion"] = "v1";
  Json& metadata = pod["metadata"];
  if (metadata.contains("annotations")) {
    for (const char* stage : {"alpha", "beta"}) {
      for (const char* name : {"init-container-statuses", "init-containers"})
        metadata["annotations"].erase(std::string("pod.") + stage + ".kubernetes.io/" + name);
    }
    if (metadata["annotations"].empty()) metadata.erase("annotations");
  }
  Json& spec = pod["spec"];
  const Json account = spec.value("serviceAccountName", Json(spec.value("serviceAccount", Json())));
  if (!account.is_null()) spec["serviceAccountName"] = spec["serviceAccount"] = account;
  if (spec.value("terminationGracePeriodSeconds", 0L) < 0) spec["terminationGracePeriodSeconds"] = 1;
  if (at(spec, "securityContext").is_null()) spec["securityContext"] = Json::object();
  Json& status = pod["status"];
  const std::string ip = text_at(status, "podIP");
  const Json first = each(at(status, "podIPs")).empty() ? Json() : status["podIPs"][0]["ip"];
  if (ip.empty() && is_given(first)) status["podIP"] = first;
  if (!ip.empty() && first != Json(ip)) status["podIPs"] = Json::array({{{"ip", ip}}});
  return pod;
}

}  // namespace fixpoint::oracle
