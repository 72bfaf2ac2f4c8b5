#include "harness/cases/api_access.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace fixpoint::cases {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kWords{
    {{"get", "read"},
     {"list", "list"},
     {"watch", "watch"},
     {"create", "create"},
     {"update", "update"},
     {"patch", "patch"},
     {"delete", "delete"},
     {"deletecollection", "delete all"}}};
constexpr std::array<std::pair<int, std::string_view>, 9> kStatuses{{{0, "no answer"},
                                                                     {400, "bad request"},
                                                                     {401, "unauthorized"},
                                                                     {403, "forbidden"},
                                                                     {404, "not found"},
                                                                     {409, "conflict"},
                                                                     {410, "expired"},
                                                                     {500, "internal error"},
                                                                     {504, "timeout"}}};

template <class Table, class Key>
std::string_view word_of(const Table& table, const Key& key, std::string_view otherwise) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.first == key; });
  return found == table.end() ? otherwise : found->second;
}

/// Returns `Secret default/a`, `all Secrets of default` or `all Nodes`.
std::string target_of(const ApiAccess& access) {
  const std::string kind = access.kind.empty() ? access.resource : access.kind;
  const std::string what = access.subresource.empty() ? kind : kind + "/" + access.subresource;
  const bool is_of_all = access.name.empty() && access.verb != "create";
  if (is_of_all)
    return "all " + what + " objects" + (access.namespace_name.empty() ? "" : " of " + access.namespace_name);
  std::string name = access.namespace_name;
  if (!name.empty() && !access.name.empty()) name += "/";
  name += access.name;
  return name.empty() ? what : what + " " + name;
}

}  // namespace

bool ApiAccess::is_write() const {
  constexpr std::array<std::string_view, 3> kReads{"get", "list", "watch"};
  if (std::find(kReads.begin(), kReads.end(), verb) != kReads.end()) return false;
  if (group == "authorization.k8s.io" || group == "authentication.k8s.io" || group == "coordination.k8s.io")
    return false;
  return resource != "events" && subresource != "token";
}

std::string describe(const ApiAccess& access) {
  std::string text(word_of(kWords, access.verb, access.verb));
  text += " " + target_of(access);
  if (!access.label_selector.empty()) text += " with labels " + access.label_selector;
  if (!access.field_selector.empty()) text += " with " + access.field_selector;
  if (access.is_dry_run) text += " as a dry run";
  if (access.status >= 200 && access.status < 300) return text;
  const std::string number = std::to_string(access.status);
  return text.append(": ").append(word_of(kStatuses, access.status, number));
}

}  // namespace fixpoint::cases
