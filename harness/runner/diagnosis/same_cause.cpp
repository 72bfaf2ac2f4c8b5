#include "harness/runner/diagnosis/same_cause.h"

#include <cctype>
#include <string_view>

#include "harness/cases/webhook_configuration.h"
#include "harness/properties/message_shape.h"
#include "harness/runner/diagnosis/cause.h"
#include "harness/runner/diagnosis/title.h"
#include "harness/runner/own_key.h"

namespace fixpoint::runner {

namespace {

using cases::Cause;
using cases::Finding;

/// Returns the members of a place, all lists of containers as one, and a star for each key.
std::string without_keys(std::string_view place) {
  std::string text;
  for (const PlaceStep& step : steps_of(place))
    text += step.is_key ? "[*]" : "." + (is_list_of_containers(step.text) ? "containers" : step.text);
  return text;
}

/// Returns what the server says of the field that it refuses, without values and amounts; empty if it says
/// nothing.
std::string said_by_server(const Finding& finding) {
  constexpr std::string_view kRefused = " is refused after the call: ";
  const auto at = finding.evidence.reason.find(kRefused);
  if (at == std::string::npos) return {};
  std::string said = properties::without_quoted(finding.evidence.reason.substr(at + kRefused.size()));
  for (auto of = said.find(" of "); of != std::string::npos; of = said.find(" of ", of + 1))
    if (of + 4 < said.size() && std::isdigit(static_cast<unsigned char>(said[of + 4])) != 0) said.resize(of);
  return without_digits(said);
}

/// Returns what the schema of a definition says of a field, whatever the finding's own place: "x in body must
/// be of type string", without indices, for a Pod and for a template of one; empty if it says nothing.
std::string said_by_schema(const Finding& finding) {
  const std::string& reason = finding.evidence.reason;
  const auto at = reason.find(" in body ");
  if (at == std::string::npos) return {};
  std::string path = reason.substr(0, at);
  path.erase(0, path.rfind(' ') + 1);
  if (const auto spec = path.rfind(".spec."); spec != std::string::npos) path.erase(0, spec + 1);
  for (const std::string_view probe : {"livenessProbe", "readinessProbe", "startupProbe"})
    if (const auto part = path.find(probe); part != std::string::npos)
      path.replace(part, probe.size(), "*Probe");
  return without_digits(path + properties::without_quoted(reason.substr(at)));
}

/// Returns the place of a doubled mount by the first two folders of its path; empty for anything else.
std::string folder_of_mount(const Finding& finding, const Cause& cause) {
  const auto list = cause.place.find("volumeMounts[");
  const std::string path(finding.evidence.value.text());
  if (cause.symptom != "duplicate" || list == std::string::npos || !path.starts_with('/')) return {};
  const auto second = path.find('/', 1);
  if (second == std::string::npos) return {};
  return cause.place.substr(0, list) + path.substr(0, path.find('/', second + 1));
}

}  // namespace

std::string thing_of(const Finding& finding, const Cause& cause) {
  const std::string& path = finding.evidence.path;
  if (is_refused_update(finding)) return "update";
  const bool is_failing_call = path == "allowed" || path == "webhook";
  if (const std::string crash = crash_of(finding); !crash.empty()) return "crash:" + without_digits(crash);
  if (is_failing_call && finding.evidence.value.is_string())
    return "message:" + without_digits(finding.evidence.value.text());
  if (const std::string schema = cause.symptom == "invalid" ? said_by_schema(finding) : ""; !schema.empty())
    return "schema:" + schema;
  if (finding.property == "dry-run-equal") return "dry run";
  const std::string said = cause.symptom == "invalid" ? said_by_server(finding) : std::string();
  if (!said.empty()) return "server:" + without_keys(cause.place) + ":" + said;
  if (const auto has = finding.evidence.reason.find(" has ");
      cause.symptom == "kubelet-starts" && has != std::string::npos)
    return "kubelet:" + finding.evidence.reason.substr(has);
  if (const std::string folder = folder_of_mount(finding, cause); !folder.empty()) return "mounts:" + folder;
  for (const PlaceStep& step : steps_of(cause.place))
    if (step.is_key && step.text.ends_with('#')) return "element:" + step.text;
  return {};
}

std::string statement_of(const Finding& finding) {
  std::string text = finding.evidence.reason;
  for (auto at = text.find(finding.evidence.path); !finding.evidence.path.empty() && at != std::string::npos;
       at = text.find(finding.evidence.path))
    text.erase(at, finding.evidence.path.size());
  std::string path;
  for (const PlaceStep& step : steps_of(finding.evidence.path))
    if (!step.is_key) path += "." + (step.text.ends_with("ontainers") ? "containers" : step.text);
  return finding.property + " " + finding.blamed().name + " " + finding.verdict + " " + path + " " +
         without_digits(text);
}

std::string under_added_name(const std::string& place) {
  const auto open = place.find('['), close = place.find(']');
  if (open == std::string::npos || close == std::string::npos || close + 1 == place.size()) return place;
  const auto dot = place.rfind('.', open);
  const bool is_container = dot != std::string::npos && place.substr(open, 3) != "[*]" &&
                            is_list_of_containers(place.substr(dot + 1, open - dot - 1));
  return is_container ? place.substr(0, open) + "[added]" + place.substr(close + 1) : place;
}

}  // namespace fixpoint::runner
