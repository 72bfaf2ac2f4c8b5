#include <algorithm>
#include <string_view>

#include "harness/oracle/oracle_formats.h"
#include "harness/oracle/oracle_quantity.h"
#include "harness/oracle/oracle_rules.h"

namespace fixpoint::oracle {

namespace {

using NameSet = std::set<std::string>;

bool has_dots(const std::string& path) {
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (path.substr(begin, end - begin) == "..") return true;
    begin = end + 1;
  }
  return false;
}

bool is_local_path(const std::string& path) {
  return !path.empty() && path[0] != '/' && !has_dots(path) && !path.starts_with("..");
}

bool is_mode(const Json& holder, const char* member) {
  return !holder.contains(member) || (holder[member] >= 0 && holder[member] <= 0777);
}

bool are_items(const Json& items) {
  const auto& all = each(items);
  return std::all_of(all.begin(), all.end(), [](const Json& item) {
    return !text_at(item, "key").empty() && is_local_path(text_at(item, "path")) && is_mode(item, "mode");
  });
}

bool is_resource_ref(const Json& ref) {
  const std::string resource = text_at(ref, "resource");
  if (text_at(ref, "containerName").empty()) return false;
  const auto dot = resource.find('.');
  if (resource.substr(0, dot) != "limits" && resource.substr(0, dot) != "requests") return false;
  const std::string name = dot == std::string::npos ? "" : resource.substr(dot + 1);
  const std::string divisor = text_at(ref, "divisor");
  if (name == "cpu") return NameSet{"0", "1m", "1"}.contains(divisor);
  if (name != "memory" && name != "ephemeral-storage" && !name.starts_with("hugepages-")) return false;
  return NameSet{"0", "1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"}
      .contains(divisor);
}

bool is_field_ref(const Json& ref) {
  if (text_at(ref, "apiVersion") != "v1") return false;
  std::string field = text_at(ref, "fieldPath");
  const auto bracket = field.find("['");
  if (!field.ends_with("']") || bracket == std::string::npos || bracket + 4 > field.size()) {
    return NameSet{"metadata.name", "metadata.namespace", "metadata.labels", "metadata.annotations",
                   "metadata.uid"}
        .contains(field);
  }
  std::string subscript = field.substr(bracket + 2, field.size() - bracket - 4);
  field.resize(bracket);
  if (field == "metadata.annotations") {
    std::transform(subscript.begin(), subscript.end(), subscript.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  }
  return (field == "metadata.labels" || field == "metadata.annotations") && is_qualified_name(subscript);
}

bool is_file(const Json& file) {
  const bool has_field = file.contains("fieldRef"), has_resource = file.contains("resourceFieldRef");
  return is_local_path(text_at(file, "path")) && has_field != has_resource && is_mode(file, "mode") &&
         (has_field ? is_field_ref(file["fieldRef"]) : is_resource_ref(file["resourceFieldRef"]));
}

/// Returns true if one source of a projected volume is valid; `paths` are the paths of the sources before it.
bool is_projection(const Json& source, NameSet& paths) {
  bool is_good = source.size() <= 1;
  for (const char* map : {"secret", "configMap"}) {
    if (!source.contains(map)) continue;
    is_good = is_good && !text_at(source[map], "name").empty() && are_items(at(source[map], "items"));
    for (const Json& item : each(at(source[map], "items"))) {
      const std::string path = text_at(item, "path");
      is_good = is_good && (path.empty() || paths.insert(path).second);
    }
  }
  for (const Json& file : each(at(at(source, "downwardAPI"), "items"))) {
    const std::string path = text_at(file, "path");
    is_good = is_good && is_file(file) && (path.empty() || paths.insert(path).second);
  }
  if (source.contains("serviceAccountToken")) {
    const Json& token = source["serviceAccountToken"];
    const auto seconds = token.value("expirationSeconds", 3600L);
    is_good = is_good && seconds >= 600 && seconds <= 1L << 32 && is_local_path(text_at(token, "path"));
  }
  return is_good;
}

bool is_source(const std::string& kind, const Json& source, bool& knows) {
  static const NameSet types{"",       "DirectoryOrCreate", "Directory",  "FileOrCreate", "File",
                             "Socket", "CharDevice",        "BlockDevice"};
  if (kind == "emptyDir")
    return !source.contains("sizeLimit") || !parse_amount(text_at(source, "sizeLimit"))->negative;
  if (kind == "hostPath") {
    const std::string path = text_at(source, "path");
    return !path.empty() && !has_dots(path) && types.contains(text_at(source, "type"));
  }
  if (kind == "secret" || kind == "configMap") {
    const std::string name = text_at(source, kind == "secret" ? "secretName" : "name");
    return !name.empty() && is_mode(source, "defaultMode") && are_items(at(source, "items"));
  }
  if (kind == "persistentVolumeClaim") return !text_at(source, "claimName").empty();
  if (kind != "projected") return knows = false;
  bool is_good = is_mode(source, "defaultMode");
  NameSet paths;
  for (const Json& projection : each(at(source, "sources"))) {
    if (projection.contains("clusterTrustBundle") || projection.contains("podCertificate"))
      return knows = false;
    is_good = is_projection(projection, paths) && is_good;
  }
  return is_good;
}

}  // namespace

std::set<std::string> judge_volumes(const Json& volumes, const Blame& blame, bool& knows) {
  NameSet names;
  std::size_t index = 0;
  for (const Json& volume : each(volumes)) {
    const std::string here = nth("spec.volumes", index++) + ".name", name = text_at(volume, "name");
    bool is_good = volume.size() == 2;
    for (const auto& [kind, source] : volume.items()) {
      if (kind != "name") is_good = is_source(kind, source, knows) && is_good;
    }
    if (name.empty()) blame("R", here);
    if (!name.empty() && !is_dns_label(name)) blame("I", here);
    if (names.contains(name)) blame("D", here);
    if (is_good && is_dns_label(name)) names.insert(name);
  }
  return names;
}

}  // namespace fixpoint::oracle
