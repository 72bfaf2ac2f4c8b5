#include "harness/apiserver/warnings/warning_parts.h"

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
  const Value& resources = volume["ephemeral"]["volumeClaimTemplate"]["spec"]["resources"];
  const Path resources_path = path.child("ephemeral.volumeClaimTemplate.spec.resources");
  static constexpr Name kNames[] = {"requests", "limits"};
  for (const Name& list : kNames) {
    const Value& storage = resources[list]["storage"];
    if (!is_fractional(storage)) continue;
    const Path list_path = resources_path.child(list.text);
    warner.add(list_path.key("storage"),
               "fractional byte value " + quoted(storage.text()) + " is invalid, must be an integer");
  }
}

}  // namespace

void warn_of_volumes(Warner& warner) {
  const Value& volumes = warner.spec()["volumes"];
  const Path spec_path("spec"), path = spec_path.child("volumes");
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
