#include "harness/oracle/oracle_lists.h"

#include <map>
#include <utility>
#include <vector>

namespace fixpoint::oracle {

namespace {

struct Keyed {
  const char* list;
  const char* key;
  const char* more;  ///< a second member of the key, or ""
  const char* word;
};

constexpr Keyed kOfSpec[] = {{"volumes", "name", "", "error"},
                             {"imagePullSecrets", "name", "", "warning"},
                             {"hostAliases", "ip", "", "warning"},
                             {"topologySpreadConstraints", "topologyKey", "whenUnsatisfiable", "error"},
                             {"schedulingGates", "name", "", "error"},
                             {"resourceClaims", "name", "", "error"}};
constexpr Keyed kOfContainers[] = {{"ports", "containerPort", "protocol", "warning"},
                                   {"ports", "name", "", "error"},
                                   {"env", "name", "", "warning"},
                                   {"resizePolicy", "resourceName", "", "error"},
                                   {"volumeMounts", "mountPath", "", "error"},
                                   {"volumeDevices", "devicePath", "", "error"},
                                   {"volumeDevices", "name", "", "error"}};
constexpr Keyed kClaims{"claims", "name", "request", "error"};
constexpr Keyed kSysctls{"sysctls", "name", "", "error"};
constexpr Keyed kNames{"", "name", "", "error"};

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : number_text(value);
}

class Search {
 public:
  /// Records the keys of a list's elements. Lists that share a `space` are one list.
  void look_at(const std::string& space, const std::string& path, const Json& list, const Keyed& keyed) {
    std::size_t index = 0;
    for (const Json& element : each(list)) {
      const std::string here = path + "[" + std::to_string(index++) + "]." + keyed.key;
      const std::string first = text_of(at(element, keyed.key)), second = text_of(at(element, keyed.more));
      std::string identity = first;
      if (*keyed.more != '\0' && !(first.empty() && second.empty()))
        identity += first.empty() ? second : "/" + second;
      if (first.empty()) continue;
      const char* word = element.contains("hostPort") ? "error" : keyed.word;
      found_[{space + ":" + keyed.key, identity}].push_back(here + " " + word);
    }
  }

  std::set<std::string> repeated() const {
    std::set<std::string> last;
    for (const auto& [key, places] : found_) {
      if (places.size() > 1) last.insert(places.back());
    }
    return last;
  }

 private:
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> found_;
};

}  // namespace

std::set<std::string> repeated_in(const Json& pod) {
  const Json& spec = at(pod, "spec");
  Search search;
  for (const Keyed& keyed : kOfSpec)
    search.look_at(keyed.list, std::string("spec.") + keyed.list, at(spec, keyed.list), keyed);
  const Json& sysctls = in(spec, {"securityContext", "sysctls"});
  search.look_at("sysctls", "spec.securityContext.sysctls", sysctls, kSysctls);
  search.look_at("resources", "spec.resources.claims", in(spec, {"resources", "claims"}), kClaims);
  const Json& status = at(pod, "status");
  search.look_at("status", "status.resources.claims", in(status, {"resources", "claims"}), kClaims);
  for (const char* list : {"initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"}) {
    std::size_t index = 0;
    for (const Json& container : each(at(status, list))) {
      const std::string path =
          std::string("status.") + list + "[" + std::to_string(index++) + "].resources.claims";
      search.look_at(path, path, in(container, {"resources", "claims"}), kClaims);
    }
  }
  for (const char* list : {"initContainers", "containers", "ephemeralContainers"}) {
    const std::string lists = std::string("spec.") + list;
    search.look_at("all containers", lists, at(spec, list), kNames);
    std::size_t index = 0;
    for (const Json& container : each(at(spec, list))) {
      const std::string path = lists + "[" + std::to_string(index++) + "].";
      for (const Keyed& keyed : kOfContainers)
        search.look_at(path + keyed.list, path + keyed.list, at(container, keyed.list), keyed);
      const Json& claims = in(container, {"resources", "claims"});
      search.look_at(path + "claims", path + "resources.claims", claims, kClaims);
    }
  }
  return search.repeated();
}

}  // namespace fixpoint::oracle
