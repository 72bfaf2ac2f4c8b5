#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <string>

#include "harness/apiserver/types/quantity.h"
#include "harness/apiserver/validation/checks.h"
#include "harness/apiserver/validation/gates.h"

namespace fixpoint::apiserver::validation {

namespace {

using Check = void (*)(const Value& source, const Path& path, Context& context);

void check_empty_dir(const Value& source, const Path& path, Context& context) {
  if (source["sizeLimit"].text().starts_with('-')) {
    context.errors.forbidden(path.child("sizeLimit"),
                             Text("SizeLimit field must be a valid resource quantity"));
  }
}

void check_host_path(const Value& source, const Path& path, Context& context) {
  const std::string_view text = source["path"].text();
  if (text.empty()) return context.errors.required(path.child("path"));
  context.errors.invalid(path.child("path"), text, check_no_backsteps(text));
  constexpr std::string_view kTypes[] = {
      "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"};
  const Value& type = source["type"];
  if (!type.is_null() && !is_one_of(type.text(), kTypes)) {
    context.errors.not_supported(path.child("type"), type.text(), kTypes);
  }
}

void check_items(const Value& source, const Path& path, Errors& errors) {
  check_file_mode(source["defaultMode"], path.child("defaultMode"), errors);
  const Path items_path = path.child("items");
  const Value& items = source["items"];
  for (std::size_t i = 0; i < items.size(); ++i) check_key_to_path(items.at(i), items_path.at(i), errors);
}

void check_secret(const Value& source, const Path& path, Context& context) {
  if (source["secretName"].text().empty()) context.errors.required(path.child("secretName"));
  check_items(source, path, context.errors);
}

void check_config_map(const Value& source, const Path& path, Context& context) {
  if (source["name"].text().empty()) context.errors.required(path.child("name"));
  check_items(source, path, context.errors);
}

void check_downward_api(const Value& source, const Path& path, Context& context) {
  check_file_mode(source["defaultMode"], path.child("defaultMode"), context.errors);
  for (const Value& file : source["items"].elements()) check_downward_file(file, path, context.errors);
}

void check_claim(const Value& source, const Path& path, Context& context) {
  if (source["claimName"].text().empty()) context.errors.required(path.child("claimName"));
}

void check_nfs(const Value& source, const Path& path, Context& context) {
  const std::string_view text = source["path"].text();
  if (source["server"].text().empty()) context.errors.required(path.child("server"));
  if (text.empty()) context.errors.required(path.child("path"));
  if (!text.starts_with('/'))
    context.errors.invalid(path.child("path"), text, Text("must be an absolute path"));
}

void check_csi(const Value& source, const Path& path, Context& context) {
  std::string driver(source["driver"].text());
  const std::string sent = driver;
  const Path driver_path = path.child("driver");
  if (driver.empty()) context.errors.required(driver_path);
  if (!driver.empty() || context.options.minor < gate::kCsiDriverRequiredAlone) {
    if (driver.size() > 63) context.errors.too_long(driver_path, 63);
    for (char& c : driver) c = lower(c);
    context.errors.invalid(driver_path, sent, check_dns_subdomain(driver));
  }
  const Value& secret = source["nodePublishSecretRef"];
  if (secret.is_null()) return;
  const std::string_view name = secret["name"].text();
  if (name.empty()) {
    context.errors.required(path.child("nodePublishSecretRef.name"));
  } else {
    context.errors.invalid(path.child("name"), name, check_dns_subdomain(name));
  }
}

void check_ephemeral(const Value& source, const Path& path, Context& context) {
  const Path template_path = path.child("volumeClaimTemplate");
  const Value& claim_template = source["volumeClaimTemplate"];
  if (claim_template.is_null()) return context.errors.required(template_path);
  check_claim_template(claim_template, template_path, context.errors);
}

void check_image(const Value& source, const Path& path, Context& context) {
  if (!context.is_template && source["reference"].text().empty())
    context.errors.required(path.child("reference"));
  check_choice(source["pullPolicy"], kPullPolicies, path.child("pullPolicy"), context.errors);
}

void check_legacy(std::string_view name, const Value& source, const Path& path, Context& context) {
  check_legacy_volume_source(name, source, path, context.errors);
}

/// The sources in the server's order. The first one is checked, each further one is an error. Some have two
/// spellings of their path. legacy_volumes.cpp checks those that have no check here.
struct Source {
  Name name;
  const char* extra_name;  ///< the name in its path as a superfluous source
  const char* path_name;
  Check check = nullptr;
  int since = 0;  ///< the first minor that counts it as a source
};
constexpr Source kSources[] = {
    {"emptyDir", "emptyDir", "emptyDir", check_empty_dir},
    {"hostPath", "hostPath", "hostPath", check_host_path},
    {"gitRepo", "gitRepo", "gitRepo"},
    {"gcePersistentDisk", "gcePersistentDisk", "persistentDisk"},
    {"awsElasticBlockStore", "awsElasticBlockStore", "awsElasticBlockStore"},
    {"secret", "secret", "secret", check_secret},
    {"nfs", "nfs", "nfs", check_nfs},
    {"iscsi", "iscsi", "iscsi"},
    {"glusterfs", "glusterfs", "glusterfs"},
    {"flocker", "flocker", "flocker"},
    {"persistentVolumeClaim", "persistentVolumeClaim", "persistentVolumeClaim", check_claim},
    {"rbd", "rbd", "rbd"},
    {"cinder", "cinder", "cinder"},
    {"cephfs", "cephFS", "cephfs"},
    {"quobyte", "quobyte", "quobyte"},
    {"downwardAPI", "downwarAPI", "downwardAPI", check_downward_api},
    {"fc", "fc", "fc"},
    {"flexVolume", "flexVolume", "flexVolume"},
    {"configMap", "configMap", "configMap", check_config_map},
    {"azureFile", "azureFile", "azureFile"},
    {"vsphereVolume", "vsphereVolume", "vsphereVolume"},
    {"photonPersistentDisk", "photonPersistentDisk", "photonPersistentDisk"},
    {"portworxVolume", "portworxVolume", "portworxVolume"},
    {"azureDisk", "azureDisk", "azureDisk"},
    {"storageos", "storageos", "storageos"},
    {"projected", "projected", "projected", check_projected},
    {"scaleIO", "scaleIO", "scaleIO"},
    {"csi", "csi", "csi", check_csi},
    {"ephemeral", "ephemeral", "ephemeral", check_ephemeral},
    {"image", "image", "image", check_image, gate::kImageSource},
};

/// The sources of a volume (usually one), by their indices in kSources.
class Sources {
 public:
  explicit Sources(const Value& volume) {
    for (const Member& member : volume.members()) {
      const auto hash = std::find(kHashes.begin(), kHashes.end(), member.key.hash());
      const auto place = static_cast<std::size_t>(hash - kHashes.begin());
      if (hash == kHashes.end() || !member.key.is(kSources[place].name)) continue;
      present_ |= std::uint32_t{1} << place;
      values_[place] = &member.value;
    }
  }
  std::uint32_t present() const { return present_; }  ///< bit i: source i is present
  const Value& at(std::size_t place) const { return *values_[place]; }

 private:
  static constexpr std::size_t kCount = std::size(kSources);
  static_assert(kCount <= 32);
  static constexpr auto kHashes = [] {
    std::array<std::uint32_t, kCount> hashes{};
    std::transform(std::begin(kSources), std::end(kSources), hashes.begin(),
                   [](const Source& source) { return source.name.hash; });
    return hashes;
  }();
  std::uint32_t present_ = 0;
  std::array<const Value*, kCount> values_;  ///< the values of the sources that are present
};

void check_iscsi_name(const Value& volume, const Path& path, Errors& errors) {
  const Value& iscsi = volume["iscsi"];
  const std::string_view name = volume["name"].text();
  if (iscsi["initiatorName"].is_null() || name.size() + 1 + iscsi["targetPortal"].text().size() <= 64) return;
  errors.invalid(path.child("name"), name,
                 Text("Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if "
                      "iscsi.initiatorName is specified."));
}

/// The claim that an ephemeral volume makes must have a name.
void check_claim_name(const Value& volume, const Path& path, Context& context) {
  const std::string_view pod = context.pod_name, name = volume["name"].text();
  if (pod.empty() || name.empty()) return;
  const std::string claim = std::string(pod).append("-").append(name);
  for (const Text& problem : check_dns_subdomain(claim)) {
    context.errors.invalid(path.child("name"), name,
                           Text("PVC name {}: {}").with({document::go_quoted(claim), problem.words()}));
  }
}

bool makes_claim(const Context& context, std::string_view claim) {
  const std::string_view pod = context.pod_name;
  if (pod.empty()) return false;
  for (const Value& volume : context.spec["volumes"].elements()) {
    if (volume["ephemeral"].is_null()) continue;
    if (claim == std::string(pod).append("-").append(volume["name"].text())) return true;
  }
  return false;
}

}  // namespace

void check_volume_source(const Value& volume, const Path& path, Context& context) {
  const Sources all(volume);
  int sources = 0;
  for (std::uint32_t left = all.present(); left != 0; left &= left - 1) {
    const auto place = static_cast<std::size_t>(std::countr_zero(left));
    const Source& source = kSources[place];
    const Value& value = all.at(place);
    if (value.is_null() || context.options.minor < source.since) continue;
    if (sources > 0) {
      context.errors.forbidden(path.child(source.extra_name),
                               Text("may not specify more than 1 volume type"));
    } else {
      ++sources;
      const Path source_path = path.child(source.path_name);
      if (source.check != nullptr) {
        source.check(value, source_path, context);
      } else {
        check_legacy(source.name.text, value, source_path, context);
      }
      if (source.name.text == "ephemeral") check_claim_name(volume, path, context);
    }
    if (source.name.text == "iscsi") check_iscsi_name(volume, path, context.errors);
  }
  if (sources == 0) context.errors.required(path, Text("must specify a volume type"));
}

namespace {

void check_volume(const Value& volume, const Path& path, Context& context) {
  check_volume_source(volume, path, context);
  const std::string_view name = volume["name"].text();
  if (name.empty()) {
    context.errors.required(path.child("name"));
  } else {
    context.errors.invalid(path.child("name"), name, check_dns_label(name));
  }
}

}  // namespace

void check_volumes(Context& context, const Path& path) {
  const Value& volumes = context.spec["volumes"];
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const Path item = path.at(i);
    const Value& volume = volumes.at(i);
    const std::string_view name = volume["name"].text();
    const std::size_t before = context.errors.size();
    if (!context.passed.has_volume(i, volume)) check_volume(volume, item, context);
    if (context.volumes.find(name) != KnownVolumes::Found::no) {
      context.errors.duplicate(item.child("name"), name);
    }
    const Value& claim = volume["persistentVolumeClaim"];
    if (context.errors.size() == before) {
      context.volumes.insert(name, !claim.is_null() || !volume["ephemeral"].is_null());
    }
    if (!claim.is_null() && makes_claim(context, claim["claimName"].text())) {
      context.errors.invalid(item.child("persistentVolumeClaim.claimName"), claim["claimName"].text(),
                             Text("must not reference a PVC that gets created for an ephemeral volume"));
    }
  }
}

}  // namespace fixpoint::apiserver::validation
