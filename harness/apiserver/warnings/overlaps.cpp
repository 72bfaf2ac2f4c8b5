#include "harness/apiserver/warnings/warning_parts.h"

namespace fixpoint::apiserver::warnings {

namespace {

/// A file of a volume, and in a projected one the source it comes from.
struct File {
  std::string_view path;
  std::string source = {};
  std::string text() const { return source.empty() ? quoted(path) : quoted(path) + " (" + source + ")"; }
};

std::string_view without_slashes(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  return path;
}

bool is_within(std::string_view inner, std::string_view outer) {
  return inner.starts_with(outer) && (inner.size() == outer.size() || inner[outer.size()] == '/');
}

/// Adds the file, and warns of each earlier file that it overlaps.
void place(Warner& warner, File file, std::vector<File>& others, const std::string& head) {
  file.path = without_slashes(file.path);
  for (const File& other : others) {
    if (file.path.empty() || other.path.empty()) continue;
    if (!is_within(file.path, other.path) && !is_within(other.path, file.path)) continue;
    warner.add(head + file.text() + " with " + other.text());
  }
  others.push_back(std::move(file));
}

std::string head_of(const Value& volume, std::string_view kind) {
  return std::string("volume ")
      .append(quoted(volume["name"].text()))
      .append(" (")
      .append(kind)
      .append("): overlapping paths: ");
}

void warn_of_items(Warner& warner, const Value& volume, const char* source, std::string_view kind) {
  std::vector<File> files;
  for (const Value& item : volume[source]["items"].elements()) {
    place(warner, {item["path"].text()}, files, head_of(volume, kind));
  }
}

std::string named(std::string_view kind, std::string_view name) {
  return std::string(kind).append(" ").append(quoted(name));
}

/// The files of one source. Only its first kind counts, and empty lists do not.
std::vector<File> files_of(const Value& source) {
  std::vector<File> files;
  const auto take_items = [&](const char* kind, const std::string& name) {
    for (const Value& item : source[kind]["items"].elements()) files.push_back({item["path"].text(), name});
    return !source[kind]["items"].empty();
  };
  if (take_items("configMap", named("ConfigMap", source["configMap"]["name"].text()))) return files;
  if (take_items("secret", named("Secret", source["secret"]["name"].text()))) return files;
  if (take_items("downwardAPI", "DownwardAPI")) return files;
  if (const Value& token = source["serviceAccountToken"]; !token.is_null()) {
    files.push_back({token["path"].text(), "ServiceAccountToken"});
  } else if (const Value& bundle = source["clusterTrustBundle"]; !bundle.is_null()) {
    const Value& name = bundle["name"].is_null() ? bundle["signerName"] : bundle["name"];
    files.push_back({bundle["path"].text(), named("ClusterTrustBundle", name.text())});
  } else {
    const Value& certificate = source["podCertificate"];
    for (auto [member, kind] : {std::pair{"certificateChainPath", "PodCertificate chain"},
                                std::pair{"keyPath", "PodCertificate key"},
                                std::pair{"credentialBundlePath", "PodCertificate credential bundle"}}) {
      if (!certificate[member].text().empty()) files.push_back({certificate[member].text(), kind});
    }
  }
  return files;
}

void warn_of_projected(Warner& warner, const Value& volume) {
  std::vector<File> files;
  for (const Value& source : volume["projected"]["sources"].elements()) {
    if (source.empty()) {
      warner.add("volume " + quoted(volume["name"].text()) + " (Projected) has no sources provided");
      continue;
    }
    for (File& file : files_of(source)) place(warner, std::move(file), files, head_of(volume, "Projected"));
  }
}

}  // namespace

void warn_of_overlaps(Warner& warner) {
  for (const Value& volume : warner.spec()["volumes"].elements()) {
    warn_of_items(warner, volume, "configMap", named("ConfigMap", volume["configMap"]["name"].text()));
    warn_of_items(warner, volume, "secret", named("Secret", volume["secret"]["secretName"].text()));
    warn_of_items(warner, volume, "downwardAPI", "DownwardAPI");
    warn_of_projected(warner, volume);
  }
}

}  // namespace fixpoint::apiserver::warnings
