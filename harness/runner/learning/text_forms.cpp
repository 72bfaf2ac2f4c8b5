#include "harness/runner/learning/text_forms.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "harness/apiserver/types/pod_types.h"

namespace fixpoint::runner {

namespace {

bool is_alnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool is_letters(std::string_view text) {
  return text.size() > 1 && std::ranges::all_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
}

template <class Test>
bool is_word(std::string_view text, std::size_t longest, const Test& is_inner) {
  return !text.empty() && text.size() <= longest && is_alnum(text.front()) && is_alnum(text.back()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return is_alnum(c) || is_inner(c); });
}

void collect_fields(const apiserver::Type& type, std::set<std::string_view>& names) {
  for (const apiserver::Field& field : type.fields) {
    names.insert(field.name.text);
    if (field.type != nullptr) collect_fields(*field.type, names);
  }
}

}  // namespace

bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

bool is_domain(std::string_view text) {
  const auto dot = text.rfind('.');
  return dot != std::string_view::npos && is_letters(text.substr(dot + 1)) &&
         is_word(text, 253, [](char c) { return c == '-' || c == '.'; }) &&
         std::none_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}
bool is_file_name(std::string_view text) {
  constexpr auto kEnds = std::to_array<std::string_view>(
      {".json", ".yaml", ".yml", ".toml", ".ini", ".conf", ".cfg", ".txt", ".crt",  ".pem",
       ".key",  ".py",   ".js",  ".ts",   ".go",  ".sh",   ".xml", ".tgz", ".tmpl", ".html"});
  return std::ranges::any_of(kEnds, [&](std::string_view end) { return text.ends_with(end); });
}
bool is_registry(std::string_view text) {
  constexpr auto kHosts = std::to_array<std::string_view>({"docker.io", "gcr.io", "ghcr.io", "quay.io"});
  return text.starts_with("registry.") ||
         std::ranges::any_of(kHosts, [&](std::string_view host) { return text.ends_with(host); });
}
bool is_prefix_of_keys(std::string_view text) {
  constexpr auto kBeginnings = std::to_array<std::string_view>({"metadata.", "spec.", "status."});
  return is_domain(text) && !is_registry(text) && !is_file_name(text) && !text.ends_with(".svc") &&
         !text.ends_with(".local") && std::ranges::none_of(kBeginnings, [&](std::string_view beginning) {
           return text.starts_with(beginning);
         });
}
bool is_name(std::string_view text) {
  return is_word(text, 63, [](char c) { return c == '-' || c == '_' || c == '.'; });
}
bool is_version(std::string_view text) {
  return text.size() > 1 && text[0] == 'v' && text[1] >= '0' && text[1] <= '9';
}
bool is_variable(std::string_view text) {
  return text.size() < 64 && text.find('_') != std::string_view::npos &&
         text.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 0 &&
         std::all_of(
             text.begin(), text.end(),
             [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}
bool is_path(std::string_view text) {
  for (const char* root : {"/spec", "/metadata", "/status"}) {
    if (text.starts_with(root)) return false;
  }
  return text.size() > 2 && text.size() < 200 && text[0] == '/' && is_lower_or_digit(text[1]) &&
         text.find("//") == std::string_view::npos &&
         std::all_of(
             text.begin(), text.end(),
             [](char c) { return is_alnum(c) || c == '/' || c == '.' || c == '-' || c == '_'; });
}
bool is_negative(std::string_view text) {
  constexpr std::string_view kWords[] = {"false", "no", "off", "disabled", "disable", "skip", "none", "0"};
  return std::find(std::begin(kWords), std::end(kWords), text) != std::end(kWords);
}

bool is_opt_out(std::string_view key) {
  constexpr std::string_view kWords[] = {"skip", "disable", "ignore", "exclude", "opt-out"};
  const std::string_view name = key.substr(std::min(key.find('/') + 1, key.size()));
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}
bool is_field_of_pod(std::string_view name) {
  static const std::set<std::string_view> kNames = [] {
    std::set<std::string_view> names;
    collect_fields(apiserver::kPod, names);
    return names;
  }();
  return kNames.contains(name);
}

bool is_name_of_object(std::string_view text) {
  constexpr std::size_t kNameOfObjectMax = 32;
  const bool is_plain = is_name(text) && text.size() <= kNameOfObjectMax && is_lower_or_digit(text.front()) &&
                        text.find('_') == std::string_view::npos && !is_version(text);
  return is_plain && !is_field_of_pod(text) && !is_negative(text);
}
bool is_constant_name(std::string_view text) {
  return text.find('-') != std::string_view::npos && is_name_of_object(text) &&
         std::ranges::all_of(text, [](char c) { return is_lower_or_digit(c) || c == '-'; });
}
bool is_prefixed_key(std::string_view text) {
  const auto slash = text.find('/');
  return slash != std::string_view::npos && is_domain(text.substr(0, slash)) &&
         !is_registry(text.substr(0, slash)) && is_name(text.substr(slash + 1)) &&
         !is_version(text.substr(slash + 1));
}

}  // namespace fixpoint::runner
