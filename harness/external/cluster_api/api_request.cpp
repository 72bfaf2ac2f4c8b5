#include "harness/external/cluster_api/api_request.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "harness/document/utf8.h"

namespace fixpoint::external {

namespace {

using Target = ApiPath::Target;

/// Cuts off the text up to the separator, which is dropped.
std::string_view next_part(std::string_view& rest, char separator) {
  const auto end = std::min(rest.find(separator), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    const char* begin = text.data() + i + 1;
    const bool is_code =
        text[i] == '%' && i + 2 < text.size() && std::from_chars(begin, begin + 2, byte, 16).ptr == begin + 2;
    if (is_code) i += 2;
    out.push_back(is_code ? static_cast<char>(byte) : text[i] == '+' ? ' ' : text[i]);
  }
  return out;
}

std::vector<std::string_view> segments_of(std::string_view path) {
  std::vector<std::string_view> segments;
  while (!path.empty()) {
    const std::string_view segment = next_part(path, '/');
    if (!segment.empty()) segments.push_back(segment);
  }
  return segments;
}

struct FixedPath {
  std::string_view path;
  Target target;
};
constexpr auto kFixedPaths = std::to_array<FixedPath>({{"", Target::root},
                                                       {"healthz", Target::health},
                                                       {"livez", Target::health},
                                                       {"readyz", Target::health},
                                                       {"version", Target::version},
                                                       {"api", Target::core_versions},
                                                       {"apis", Target::groups}});

/// Reads what follows the version of a group: [namespaces/NS/]PLURAL[/NAME[/SUBRESOURCE]].
void read_resource(const std::vector<std::string_view>& segments, std::size_t at, ApiPath& path) {
  const std::size_t left = segments.size() - at;
  const bool is_of_namespace = left >= 3 && segments[at] == "namespaces" && segments[at + 2] != "status" &&
                               segments[at + 2] != "finalize";
  if (is_of_namespace) {
    path.namespace_name = segments[at + 1];
    at += 2;
  }
  path.target = Target::resource;
  path.plural = segments[at];
  if (at + 1 < segments.size()) path.name = segments[at + 1];
  for (std::size_t i = at + 2; i < segments.size(); ++i)
    path.subresource.append(i == at + 2 ? "" : "/").append(segments[i]);
}

/// Reads openapi/v2, openapi/v3 and openapi/v3/apis/apps/v1.
void read_openapi(const std::vector<std::string_view>& segments, ApiPath& path) {
  if (segments.size() == 2 && segments[1] == "v2") path.target = Target::openapi_v2;
  if (segments.size() == 2 && segments[1] == "v3") path.target = Target::openapi_v3;
  const bool is_core = segments.size() == 4 && segments[2] == "api";
  const bool is_group = segments.size() == 5 && segments[2] == "apis";
  if (segments.size() < 4 || segments[1] != "v3" || !(is_core || is_group)) return;
  path.target = Target::openapi_v3_version;
  if (is_group) path.group = segments[3];
  path.version = segments.back();
}

}  // namespace

std::string well_formed(std::string_view text) {
  if (document::is_utf8(text)) return std::string(text);
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = document::utf8_length(text, i);
    if (length == 0) {
      document::append_utf8(out, document::kReplacement);
    } else {
      out.append(text, i, length);
    }
    i += std::max<std::size_t>(length, 1);
  }
  return out;
}

ApiQuery::ApiQuery(std::string_view text) {
  while (!text.empty()) {
    std::string_view value = next_part(text, '&');
    const std::string_view name = next_part(value, '=');
    all_.emplace_back(well_formed(decoded(name)), well_formed(decoded(value)));
  }
}

std::string_view ApiQuery::operator[](std::string_view name) const {
  for (const auto& [known, value] : all_) {
    if (known == name) return value;
  }
  return {};
}

bool ApiQuery::is_true(std::string_view name) const {
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const auto& one) { return one.first == name; });
  if (found == all_.end()) return false;
  const std::string& value = found->second;
  return value != "false" && value != "False" && value != "FALSE" && value != "0";
}

AnswerForm form_of(std::string_view accept) {
  if (trimmed(accept).empty()) return AnswerForm::plain;
  while (!accept.empty()) {
    std::string_view clause = next_part(accept, ',');
    const std::string_view type = trimmed(next_part(clause, ';'));
    if (type != "application/json" && type != "application/*" && type != "*/*") continue;
    std::string_view as, version;
    while (!clause.empty()) {
      std::string_view parameter = trimmed(next_part(clause, ';'));
      const std::string_view name = next_part(parameter, '=');
      if (name == "as") as = parameter;
      if (name == "v") version = parameter;
    }
    if (as.empty()) return AnswerForm::plain;
    if (as.starts_with("PartialObjectMetadata")) return AnswerForm::partial;
    if (as == "Table") return AnswerForm::table;
    // Servers of today have no v2beta1, for which clients before 1.30 ask first.
    if (as == "APIGroupDiscoveryList" && version == "v2") return AnswerForm::discovery;
  }
  return AnswerForm::none;
}

ApiPath read_path(std::string_view text) {
  ApiPath path;
  const auto segments = segments_of(text);
  const std::string_view first = segments.empty() ? std::string_view() : segments[0];
  const bool is_health = first == "healthz" || first == "livez" || first == "readyz";
  for (const FixedPath& row : kFixedPaths) {
    if (first == row.path && (segments.size() <= 1 || is_health)) path.target = row.target;
  }
  if (path.target != Target::unknown) return path;
  if (first == "openapi") {
    read_openapi(segments, path);
    return path;
  }
  const bool is_core = first == "api";
  if (!is_core && first != "apis") return path;
  std::size_t at = 1;
  if (!is_core) path.group = segments[at++];
  if (at == segments.size()) {
    path.target = Target::group;
    return path;
  }
  path.version = segments[at++];
  path.target = Target::resources;
  if (at < segments.size()) read_resource(segments, at, path);
  return path;
}

std::string_view ApiRequest::verb() const {
  const bool is_named = !path.name.empty();
  if (method == "GET" || method == "HEAD") {
    if (query.is_true("watch")) return "watch";
    return is_named ? "get" : "list";
  }
  if (method == "POST") return "create";
  if (method == "PUT") return is_named ? "update" : "";
  if (method == "PATCH") return is_named ? "patch" : "";
  if (method == "DELETE") return is_named ? "delete" : "deletecollection";
  return {};
}

}  // namespace fixpoint::external
