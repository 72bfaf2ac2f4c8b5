#include "harness/cases/api_access.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/document/utf8.h"

namespace fixpoint::cases {

namespace {

struct VerbText {
  std::string_view verb, text;
};
constexpr auto kVerbs = std::to_array<VerbText>({{"get", "read"},
                                                 {"list", "list"},
                                                 {"watch", "watch"},
                                                 {"create", "create"},
                                                 {"update", "update"},
                                                 {"patch", "patch"},
                                                 {"delete", "delete"},
                                                 {"deletecollection", "delete all of"}});

std::string_view verb_text(const ApiAccess& access) {
  const auto row = std::find_if(kVerbs.begin(), kVerbs.end(),
                                [&](const VerbText& one) { return one.verb == access.verb; });
  return row == kVerbs.end() ? std::string_view(access.verb) : row->text;
}

struct Reason {
  int status;
  std::string_view text;
};
constexpr auto kReasons = std::to_array<Reason>({{403, "forbidden"},
                                                 {404, "not found"},
                                                 {405, "not allowed"},
                                                 {406, "accepts no JSON"},
                                                 {409, "conflict"},
                                                 {410, "too old a version"},
                                                 {415, "a body that is not JSON"},
                                                 {429, "too many requests"},
                                                 {500, "internal error"},
                                                 {504, "timeout"}});

std::string outcome_text(const ApiAccess& access) {
  if (access.status < 400) return access.is_dry_run ? "dry run" : "";
  for (const Reason& row : kReasons) {
    if (row.status == access.status) return std::string(row.text);
  }
  return "status " + std::to_string(access.status);
}

/// Returns true for reads, and for a method that no resource has.
bool changes_nothing(std::string_view verb) {
  return verb.empty() || verb == "get" || verb == "list" || verb == "watch";
}

/// Returns true for what a well-behaved client may write at any time.
bool is_harmless(const ApiAccess& access) {
  if (access.group == "authentication.k8s.io" || access.group == "authorization.k8s.io") return true;
  if (access.group.empty() && access.resource == "serviceaccounts" && access.subresource == "token")
    return true;
  if (access.resource == "events") return access.group.empty() || access.group == "events.k8s.io";
  return access.group == "coordination.k8s.io" && access.resource == "leases";
}

}  // namespace

bool ApiAccess::is_write() const { return !changes_nothing(verb) && !is_dry_run && !is_harmless(*this); }

std::string describe(const ApiAccess& access) {
  std::string text(verb_text(access));
  text.append(" ").append(access.name.empty() && access.verb != "create" ? access.resource : access.kind);
  if (!access.subresource.empty()) text.append("/" + access.subresource);
  std::string place = access.namespace_name;
  if (!access.name.empty()) place += (place.empty() ? "" : "/") + access.name;
  const bool is_of_namespace = access.name.empty() && !access.namespace_name.empty();
  if (!place.empty()) text.append(is_of_namespace ? " of namespace " : " ").append(place);
  if (!access.label_selector.empty()) text.append(" with labels " + access.label_selector);
  if (!access.field_selector.empty()) text.append(" with fields " + access.field_selector);
  if (const std::string outcome = outcome_text(access); !outcome.empty()) text.append(": " + outcome);
  return document::one_line(text);
}

}  // namespace fixpoint::cases
