#include <algorithm>

#include "harness/apiserver/validation/checks.h"
#include "harness/document/utf8.h"

namespace fixpoint::apiserver::validation {

namespace {

constexpr std::size_t kSpecBytesMax = 64 * 1024, kDomainBytesMax = 255, kUserBytesMax = 104;

bool has_any(std::string_view text, std::string_view characters) {
  return text.find_first_of(characters) != std::string_view::npos;
}

/// 1 to 15 characters, none of \ / : * ? " < > |, no dot in front.
bool is_netbios_domain(std::string_view domain) {
  return !domain.empty() && document::rune_count(domain) <= 15 && domain.front() != '.' &&
         !has_any(domain, "\\/:*?\"<>|");
}

bool is_dns_domain(std::string_view domain) {
  const auto is_alnum = [](char c) { return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z'); };
  while (true) {
    const auto dot = domain.find('.');
    const std::string_view label = domain.substr(0, dot);
    if (label.empty() || label.size() > 63 || !is_alnum(label.front()) || !is_alnum(label.back()))
      return false;
    if (!std::all_of(label.begin(), label.end(), [&](char c) { return is_alnum(c) || c == '-'; }))
      return false;
    if (dot == std::string_view::npos) return true;
    domain.remove_prefix(dot + 1);
  }
}

bool is_control(char c) { return (c >= 0 && c < ' ') || c == '\x7F'; }

void check_user_name(std::string_view name, const Path& path, Errors& errors) {
  if (name.empty()) return errors.invalid_typed(path, name, Text("runAsUserName cannot be an empty string"));
  if (std::any_of(name.begin(), name.end(), is_control))
    return errors.invalid_typed(path, name, Text("runAsUserName cannot contain control characters"));
  if (std::count(name.begin(), name.end(), '\\') > 1)
    return errors.invalid_typed(path, name, Text("runAsUserName cannot contain more than one backslash"));
  const auto slash = name.find('\\');
  const bool has_domain = slash != std::string_view::npos;
  const std::string_view domain = has_domain ? name.substr(0, slash) : std::string_view();
  const std::string_view user = has_domain ? name.substr(slash + 1) : name;
  if (domain.size() > kDomainBytesMax)
    errors.invalid_typed(path, name, Text("runAsUserName's Domain length must be under 256 characters"));
  if (has_domain && !is_netbios_domain(domain) && !is_dns_domain(domain)) {
    errors.invalid_typed(path, name,
                         Text("runAsUserName's Domain doesn't match the NetBios nor the DNS format"));
  }
  if (user.empty()) {
    errors.invalid_typed(path, name, Text("runAsUserName's User cannot be empty"));
  } else if (user.size() > kUserBytesMax) {
    errors.invalid_typed(path, name,
                         Text("runAsUserName's User length must not be longer than 104 characters"));
  }
  if (!user.empty() && user.find_first_not_of(". ") == std::string_view::npos) {
    errors.invalid_typed(path, name, Text("runAsUserName's User cannot contain only periods or spaces"));
  }
  if (has_any(user, "\"/\\:;|=,+*?<>@[]"))
    errors.invalid_typed(
        path, name, Text("runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]"));
}

}  // namespace

void check_windows_options(const Value& windows, const Path& path, Errors& errors) {
  if (windows.empty()) return;
  if (const Value& name = windows["gmsaCredentialSpecName"]; !name.is_null()) {
    for (const Text& problem : check_dns_subdomain(name.text()))
      errors.invalid_typed(path.child("gmsaCredentialSpecName"), name.text(), problem);
  }
  if (const Value& spec = windows["gmsaCredentialSpec"]; !spec.is_null()) {
    if (spec.text().empty())
      errors.invalid_typed(path.child("gmsaCredentialSpec"), spec.text(),
                           Text("gmsaCredentialSpec cannot be an empty string"));
    if (spec.text().size() > kSpecBytesMax)
      errors.invalid_typed(path.child("gmsaCredentialSpec"), spec.text(),
                           Text("gmsaCredentialSpec size must be under 64 KiB"));
  }
  if (const Value& name = windows["runAsUserName"]; !name.is_null()) {
    check_user_name(name.text(), path.child("runAsUserName"), errors);
  }
}

void check_host_process(Context& context, const Path& spec_path) {
  const Value& pod = context.spec["securityContext"]["windowsOptions"]["hostProcess"];
  std::size_t containers = 0, host_processes = 0;
  for_each_container(context.spec, spec_path, [&](const Value& container, const Path& path) {
    const Value& own = container["securityContext"]["windowsOptions"]["hostProcess"];
    ++containers;
    if (!pod.is_null() && !own.is_null() && !(pod == own)) {
      context.errors.invalid(path.child("securityContext.windowsOptions.hostProcess"), own,
                             Text("pod hostProcess value must be identical if both are specified, was {}")
                                 .with({pod.is_true() ? "true" : "false"}));
    }
    if (own.is_null() ? pod.is_true() : own.is_true()) ++host_processes;
  });
  if (host_processes == 0) return;
  if (host_processes != containers) {
    context.errors.invalid(
        spec_path, "",
        Text(
            "If pod contains any hostProcess containers then all containers must be HostProcess containers"));
  }
  if (!context.host_network) {
    context.errors.invalid(spec_path.child("hostNetwork"), Value(false),
                           Text("hostNetwork must be true if pod contains any hostProcess containers"));
  }
}

}  // namespace fixpoint::apiserver::validation
