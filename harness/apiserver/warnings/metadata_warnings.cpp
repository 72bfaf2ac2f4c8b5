#include "harness/apiserver/preparation/prepare.h"
#include "harness/apiserver/text/formats.h"
#include "harness/apiserver/validation/annotation_names.h"
#include "harness/apiserver/validation/gates.h"
#include "harness/apiserver/warnings/warning_parts.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::warnings {

namespace {

struct Replaced {
  std::string_view annotation, text;
};
constexpr Replaced kReplaced[] = {
    {"scheduler.alpha.kubernetes.io/critical-pod",
     "non-functional in v1.16+; use the \"priorityClassName\" field instead"},
    {"security.alpha.kubernetes.io/sysctls", "non-functional in v1.11+; use the \"sysctls\" field instead"},
    {"security.alpha.kubernetes.io/unsafe-sysctls",
     "non-functional in v1.11+; use the \"sysctls\" field instead"},
};
constexpr std::string_view kSeccompText =
    "non-functional in v1.27+; use the \"seccompProfile\" field instead";
/// The server's text about a name that is no DNS label: one phrase for its length, one for its form.
std::string name_problems(std::string_view name) {
  std::string text;
  if (name.size() > 63) text = "must be no more than 63 characters";
  const bool is_label = name.size() > 63 ? validation::check_dns_label(name).size() == 1
                                         : validation::check_dns_label(name).empty();
  if (is_label) return text;
  if (!text.empty()) text += ' ';
  const bool has_dots_only =
      validation::check_dns_subdomain(name.substr(0, 253)).empty() || name.size() > 253;
  if (has_dots_only) return text + "must not contain dots";
  return text +
         "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must "
         "start and "
         "end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
         "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
}

void warn_of_seccomp(Warner& warner) {
  const Value& annotations = warner.metadata()["annotations"];
  const Path path = warner.metadata_path().child("annotations");
  const bool has_profile = !warner.spec()["securityContext"]["seccompProfile"].is_null();
  if (!has_profile && annotations.find(kSeccompPodAnnotation) != nullptr) {
    warner.add(path.key(kSeccompPodAnnotation), kSeccompText);
  }
  validation::for_each_container(warner.spec(), warner.spec_path(), [&](const Value& container, const Path&) {
    if (!container["securityContext"]["seccompProfile"].is_null()) return;
    const std::string key = std::string(kSeccompPrefix).append(container["name"].text());
    if (annotations.find(Name(key)) != nullptr) warner.add(path.key(key), kSeccompText);
  });
}

/// Of a Pod, the preparation warns (applyAppArmorVersionSkew in pkg/registry/core/pod/strategy.go).
void warn_of_apparmor(Warner& warner) {
  const Value& annotations = warner.metadata()["annotations"];
  const Path path = warner.metadata_path().child("annotations");
  const Value& of_pod = warner.spec()["securityContext"]["appArmorProfile"];
  if (!of_pod.is_null() && warner.minor() < kAppArmorOfPodComparedSince) return;
  validation::for_each_container(warner.spec(), warner.spec_path(), [&](const Value& container, const Path&) {
    if (!container["securityContext"]["appArmorProfile"].is_null()) return;
    const std::string key = std::string(kAppArmorPrefix).append(container["name"].text());
    const Value* annotation = annotations.find(Name(key));
    if (annotation == nullptr) return;
    if (!of_pod.is_null() && of_pod == apparmor_profile_of(annotation->text())) return;
    warner.add(path.key(key), "deprecated since v1.30; use the \"appArmorProfile\" field instead");
  });
}

}  // namespace

std::string quoted(std::string_view text) { return document::go_quoted(text); }

void warn_of_name(Warner& warner, std::string_view use) {
  const std::string_view name = warner.metadata()["name"].text();
  if (validation::check_dns_label(name).empty()) return;
  warner.add(warner.metadata_path().child("name"),
             std::string("this is used in ")
                     .append(use)
                     .append(", which can result in surprising behavior; a DNS label is recommended: [") +
                 name_problems(name) + "]");
}

void warn_of_annotations(Warner& warner) {
  const Path path = warner.metadata_path().child("annotations");
  const Value& annotations = warner.metadata()["annotations"];
  if (annotations.empty()) return;
  for (const Replaced& row : kReplaced) {
    if (annotations.find(row.annotation) != nullptr) warner.add(path.key(row.annotation), row.text);
  }
  warn_of_seccomp(warner);
  if (warner.is_template() && warner.minor() >= gate::kAppArmorFields) warn_of_apparmor(warner);
}

}  // namespace fixpoint::apiserver::warnings
