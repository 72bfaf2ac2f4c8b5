#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "harness/apiserver/plugins/plugin.h"
#include "harness/apiserver/text/formats.h"
#include "harness/document/result.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::plugins {

namespace {

using cases::Cluster;
using cases::Request;
using document::Member;
using document::Value;

constexpr std::string_view kAnnotation = "scheduler.alpha.kubernetes.io/node-selector";
constexpr const char* kConflict = "pod node label selector conflicts with its namespace node label selector";

using Selector = std::map<std::string, std::string, std::less<>>;

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// "a=b,c=d" (ConvertSelectorToLabelsMap in k8s.io/apimachinery/pkg/labels), or an error in the server's
/// words.
document::Result<Selector> parse_selector(std::string_view text) {
  Selector selector;
  if (text.empty()) return selector;
  for (bool more = true; more;) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || part.find('=', equals + 1) != std::string_view::npos) {
      std::string parts(part);
      std::replace(parts.begin(), parts.end(), '=', ' ');
      return document::Error{document::Text("invalid selector: [{}]").with({parts})};
    }
    const auto key = without_blanks(part.substr(0, equals)), value = without_blanks(part.substr(equals + 1));
    if (!validation::check_qualified_name(key).empty() || !validation::check_label_value(value).empty())
      return document::Error{"invalid selector"};
    selector.insert_or_assign(std::string(key), std::string(value));
  }
  return selector;
}

/// The selector that the namespace asks for, else the server's configuration.
document::Result<Selector> namespace_selector(const Request& request, const Cluster& cluster) {
  const Value* found = cluster.find("Namespace", "", request.namespace_name);
  const Value* annotation =
      found == nullptr ? nullptr : (*found)["metadata"]["annotations"].find(kAnnotation);
  if (annotation != nullptr) return parse_selector(annotation->text());
  return parse_selector(cluster.settings_of("PodNodeSelector")["clusterDefaultNodeSelector"].text());
}

bool contradicts(const Selector& selector, const Value& own) {
  for (const auto& [key, value] : selector) {
    const Value* other = own.find(key);
    if (other != nullptr && other->text() != value) return true;
  }
  return false;
}

bool allows(const Selector& whitelist, const Value& own) {
  if (whitelist.empty()) return true;
  for (const Member& member : own.members()) {
    const auto allowed = whitelist.find(member.key.text());
    if (allowed == whitelist.end() || allowed->second != member.value.text()) return false;
  }
  return true;
}

}  // namespace

/// plugin/pkg/admission/podnodeselector Validate.
Refusal judge_node_selector(const Request& request, const Cluster& cluster, const Value& pod) {
  if (request.is_update() || !request.sub_resource.empty()) return std::nullopt;
  const auto selector = namespace_selector(request, cluster);
  if (!selector) return fail(selector.error().message);
  const Value& own = pod["spec"]["nodeSelector"];
  if (contradicts(*selector, own)) return forbid(request, pod, kConflict);
  const auto whitelist =
      parse_selector(cluster.settings_of("PodNodeSelector")[request.namespace_name].text());
  if (!whitelist) return fail(whitelist.error().message);
  if (allows(*whitelist, own)) return std::nullopt;
  return forbid(request, pod, "pod node label selector labels conflict with its namespace whitelist");
}

/// plugin/pkg/admission/podnodeselector Admit: the namespace's selector joins that of the Pod.
Refusal pod_node_selector(const Request& request, const Cluster& cluster, Value& pod) {
  if (request.is_update() || !request.sub_resource.empty()) return std::nullopt;
  const auto selector = namespace_selector(request, cluster);
  if (!selector) return fail(selector.error().message);
  if (contradicts(*selector, pod["spec"]["nodeSelector"])) return forbid(request, pod, kConflict);
  for (const auto& [key, value] : *selector) {
    if (pod["spec"]["nodeSelector"].find(key) == nullptr)
      pod.edit("spec").edit("nodeSelector").set(key, Value(value));
  }
  return judge_node_selector(request, cluster, pod);
}

}  // namespace fixpoint::apiserver::plugins
