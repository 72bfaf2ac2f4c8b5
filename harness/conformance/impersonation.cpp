#include "harness/conformance/impersonation.h"

#include <array>
#include <cstdio>

namespace fixpoint::conformance {

namespace {

using document::Value;

constexpr const char* kRole = "fixpoint-live";
constexpr const char* kRbac = "rbac.authorization.k8s.io";

/// Encodes the key of an extra value for the name of a header: per cent, apart from letters, digits and a few
/// others that names of headers may have. The server decodes it and makes it lower case.
std::string header_key(const std::string& key) {
  constexpr std::string_view kPlain = "-_.~";
  std::string encoded;
  for (const char c : key) {
    const bool is_alnum = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_alnum || kPlain.find(c) != std::string_view::npos) {
      encoded += c;
      continue;
    }
    std::array<char, 4> code{};
    std::snprintf(code.data(), code.size(), "%%%02X", static_cast<unsigned char>(c));
    encoded += code.data();
  }
  return encoded;
}

}  // namespace

std::vector<std::string> impersonation_of(const std::optional<cases::UserInfo>& user) {
  std::vector<std::string> headers;
  if (!user || user->username.empty()) return headers;
  headers.push_back("Impersonate-User: " + user->username);
  if (!user->uid.empty()) headers.push_back("Impersonate-Uid: " + user->uid);
  for (const std::string& group : user->groups) headers.push_back("Impersonate-Group: " + group);
  for (const auto& [key, values] : user->extra)
    for (const std::string& value : values)
      headers.push_back("Impersonate-Extra-" + header_key(key) + ": " + value);
  return headers;
}

Value role_for_pods() {
  return {{"apiVersion", std::string(kRbac) + "/v1"},
          {"kind", "Role"},
          {"metadata", {{"name", kRole}}},
          {"rules",
           Value::list({Value{{"apiGroups", Value::list({""})},
                              {"resources", Value::list({"pods", "pods/ephemeralcontainers", "pods/resize"})},
                              {"verbs", Value::list({"create", "update"})}}})}};
}

Value binding_of(const std::string& username) {
  return {{"apiVersion", std::string(kRbac) + "/v1"},
          {"kind", "RoleBinding"},
          {"metadata", {{"name", kRole}}},
          {"subjects", Value::list({Value{{"apiGroup", kRbac}, {"kind", "User"}, {"name", username}}})},
          {"roleRef", {{"apiGroup", kRbac}, {"kind", "Role"}, {"name", kRole}}}};
}

}  // namespace fixpoint::conformance
