#include "harness/apiserver/warnings/warning_parts.h"
#include "harness/apiserver/warnings/warnings.h"

namespace fixpoint::apiserver::warnings {

namespace {

struct Gone {
  Name source;
  const char* path;  ///< one source has another spelling in warnings
  std::string_view text;
};
constexpr Gone kGone[] = {
    {"photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"},
    {"scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"},
    {"flocker", "flocker", "deprecated in v1.22, non-functional in v1.25+"},
    {"storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"},
    {"quobyte", "quobyte", "deprecated in v1.22, non-functional in v1.25+"},
    {"glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"},
    {"cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"},
    {"rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"},
};

void warn_of_claim(Warner& warner, const Value& volume, const Path& path) {
  const Value& claim = volume["ephemeral"]["volumeClaimTemplate"]["spec"];
  for (std::string& text : claim_warnings(claim, path.child("ephemeral.volumeClaimTemplate.spec")))
    warner.add(std::move(text));
}

}  // namespace

void warn_of_volumes(Warner& warner) {
  const Value& volumes = warner.spec()["volumes"];
  const Path& spec_path = warner.spec_path();
  const Path path = spec_path.child("volumes");
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const Path item = path.at(i);
    const Value& volume = volumes.at(i);
    for (const Gone& row : kGone) {
      if (!volume[row.source].is_null()) warner.add(item.child(row.path), row.text);
    }
    if (!volume["gitRepo"].is_null()) {
      const bool is_off = warner.minor() >= kGitRepoOffSince;
      warner.add(item.child("gitRepo"),
                 is_off ? "deprecated in v1.11, and disabled by default in v1.33+" : "deprecated in v1.11");
    }
    warn_of_claim(warner, volume, item);
  }
}

}  // namespace fixpoint::apiserver::warnings

namespace fixpoint::apiserver {

std::vector<std::string> claim_warnings(const document::Value& claim_spec, const validation::Path& path) {
  std::vector<std::string> texts;
  const validation::Path resources_path = path.child("resources");
  static constexpr document::Name kNames[] = {"requests", "limits"};
  for (const document::Name& list : kNames) {
    const document::Value& storage = claim_spec["resources"][list]["storage"];
    if (!warnings::is_fractional(storage)) continue;
    const validation::Path list_path = resources_path.child(list.text);
    texts.push_back(list_path.key("storage").text() + ": fractional byte value " +
                    warnings::quoted(storage.text()) + " is invalid, must be an integer");
  }
  return texts;
}

}  // namespace fixpoint::apiserver
