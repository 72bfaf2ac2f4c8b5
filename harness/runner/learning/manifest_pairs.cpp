#include "harness/runner/learning/manifest_pairs.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "harness/runner/learning/text_forms.h"

namespace fixpoint::runner {

namespace {

constexpr std::string_view kQuotationMarks = "\"'`";

bool is_inside_key(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' || c == '_';
}
bool is_quotation(char c) { return kQuotationMarks.find(c) != std::string_view::npos; }

/// Returns true for a key that says nothing about a webhook.
bool is_everywhere(std::string_view key) {
  constexpr std::array<std::string_view, 8> kPrefixes{
      "app.kubernetes.io/",     "helm.sh/",         "meta.helm.sh/",  "controller-gen.kubebuilder.io/",
      "kubectl.kubernetes.io/", "cert-manager.io/", "kubernetes.io/", "argocd.argoproj.io/"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return key.starts_with(prefix); });
}

MapKind map_named(std::string_view text) {
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  if (has("nnotations")) return MapKind::annotation;
  if (has("abels") || has("elector")) return MapKind::label;
  return has("limits") || has("requests") ? MapKind::resource : MapKind::unknown;
}

/// Returns the value behind a key: after `: `, `":` or `=`. Nothing else of the line is one.
std::string_view value_behind(std::string_view rest) {
  const bool is_quoted = !rest.empty() && is_quotation(rest.front());
  if (is_quoted) rest.remove_prefix(1);
  if (rest.empty() || (rest[0] != ':' && rest[0] != '=')) return {};
  if (rest[0] == ':' && !is_quoted && rest.size() > 1 && rest[1] != ' ') return {};
  rest.remove_prefix(1);
  while (!rest.empty() && (rest.front() == ' ' || is_quotation(rest.front()))) rest.remove_prefix(1);
  return rest.substr(0, std::min(rest.find_first_of("\"'`,}# \t\r"), rest.size()));
}

/// The pairs of one line. A `/` between two names may be that of a key.
void pairs_of_line(std::string_view line, ManifestPair pair,
                   const std::function<void(const ManifestPair&)>& take) {
  for (auto slash = line.find('/'); slash != std::string_view::npos; slash = line.find('/', slash + 1)) {
    std::size_t begin = slash, end = slash + 1;
    while (begin > 0 && is_inside_key(line[begin - 1])) --begin;
    while (end < line.size() && is_inside_key(line[end])) ++end;
    pair.key = line.substr(begin, end - begin);
    const char before = begin > 0 ? line[begin - 1] : ' ', after = end < line.size() ? line[end] : ' ';
    if (before == '/' || before == ':' || before == '@' || after == '/' || after == '@') continue;
    if (!is_prefixed_key(pair.key) || is_everywhere(pair.key)) continue;
    pair.value = value_behind(line.substr(end));
    const bool is_quoted = is_quotation(before) && is_quotation(after);
    if (!pair.value.empty() || is_quoted || line.substr(end) == ":") take(pair);
  }
}

}  // namespace

bool is_manifest_text(std::string_view path) {
  constexpr std::array<std::string_view, 5> kEnds{".yaml", ".yml", ".json", ".md", ".tpl"};
  return std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view end) { return path.ends_with(end); });
}

void each_pair(const ProgramText& file, const std::function<void(const ManifestPair&)>& take) {
  std::string_view rest = file.text;
  MapKind around = MapKind::unknown;
  std::size_t indentation = 0;  // of the member `around`
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const auto first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos) continue;
    if (first <= indentation) around = MapKind::unknown, indentation = 0;
    const bool opens = line.ends_with(':') || line.ends_with('{');
    if (opens && map_named(line) != MapKind::unknown) around = map_named(line), indentation = first;
    const MapKind own = opens ? MapKind::unknown : map_named(line.substr(0, line.find('{')));
    pairs_of_line(line, {.map = own != MapKind::unknown ? own : around, .line = number}, take);
  }
}

}  // namespace fixpoint::runner
