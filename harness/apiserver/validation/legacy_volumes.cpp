#include <algorithm>
#include <string>

#include "harness/apiserver/validation/checks.h"

namespace fixpoint::apiserver::validation {

namespace {

/// Members that must not be empty.
struct RequiredMembers {
  std::string_view source;
  std::initializer_list<const char*> members;
};
constexpr RequiredMembers kRequiredMembers[] = {
    {"gitRepo", {"repository"}},
    {"gcePersistentDisk", {"pdName"}},
    {"awsElasticBlockStore", {"volumeID"}},
    {"iscsi", {"targetPortal", "iqn"}},
    {"glusterfs", {"endpoints", "path"}},
    {"rbd", {"monitors", "image"}},
    {"cinder", {"volumeID"}},
    {"cephfs", {"monitors"}},
    {"quobyte", {"volume"}},
    {"flexVolume", {"driver"}},
    {"azureFile", {"secretName", "shareName"}},
    {"azureDisk", {"diskName", "diskURI"}},
    {"vsphereVolume", {"volumePath"}},
    {"photonPersistentDisk", {"pdID"}},
    {"portworxVolume", {"volumeID"}},
    {"storageos", {"volumeName"}},
    {"scaleIO", {"gateway", "system", "volumeName"}},
};

bool is_decimal(char c) { return c >= '0' && c <= '9'; }
bool is_latin_or_digit(char c) { return is_decimal(c) || (lower(c) >= 'a' && lower(c) <= 'z'); }

/// A prefix, any one character, and so many letters and digits.
bool is_hex_name(std::string_view name, std::size_t count) {
  return name.size() == 4 + count && name[3] != '\n' &&
         std::all_of(name.begin() + 4, name.end(), is_latin_or_digit);
}

/// Contains `iqn.yyyy-mm.name:rest`, which extends to the end.
bool has_iqn(std::string_view name) {
  constexpr std::string_view kForbidden = ",;*&$| \t\n\f\r";
  for (auto at = name.find("iqn."); at != std::string_view::npos; at = name.find("iqn.", at + 1)) {
    const std::string_view rest = name.substr(at + 4);
    if (rest.size() < 8 || rest[4] != '-' || rest[7] != '.') continue;
    if (!std::all_of(rest.begin(), rest.begin() + 4, is_decimal) || !is_decimal(rest[5]) ||
        !is_decimal(rest[6]))
      continue;
    const std::string_view host_and_tail = rest.substr(8);
    const auto colon = host_and_tail.find(':');
    if (colon == std::string_view::npos || colon == 0 || colon + 1 == host_and_tail.size()) continue;
    const auto is_host = [](char c) { return is_latin_or_digit(c) || c == '-' || c == '.'; };
    const bool is_named = std::all_of(host_and_tail.begin(),
                                      host_and_tail.begin() + static_cast<std::ptrdiff_t>(colon), is_host);
    if (is_named && host_and_tail.substr(colon + 1).find_first_of(kForbidden) == std::string_view::npos)
      return true;
  }
  return false;
}

bool is_initiator(std::string_view name) {
  if (name.starts_with("iqn")) return has_iqn(name);
  if (name.starts_with("eui")) return is_hex_name(name, 16);
  return name.starts_with("naa") && is_hex_name(name, 32);
}

Text initiator_text(std::string_view name) {
  const bool has_kind = name.starts_with("iqn") || name.starts_with("eui") || name.starts_with("naa");
  return has_kind ? Text("must be valid format")
                  : Text("must be valid format starting with iqn, eui, or naa");
}

void check_range(const Value& number, bool is_lun, const Path& path, Errors& errors) {
  const std::int64_t value = number.integer().value_or(0);
  if (value >= 0 && value <= 255) return;
  // The partition of a disk may be 0, but the text says something else.
  errors.invalid(
      path, number,
      is_lun ? Text("must be between 0 and 255, inclusive") : Text("must be between 1 and 255, inclusive"));
}

void check_iscsi(const Value& source, const Path& path, Errors& errors) {
  const std::string_view iqn = source["iqn"].text();
  if (!iqn.empty() && !is_initiator(iqn)) errors.invalid(path.child("iqn"), iqn, initiator_text(iqn));
  check_range(source["lun"], true, path.child("lun"), errors);
  const bool has_chap = source["chapAuthDiscovery"].is_true() || source["chapAuthSession"].is_true();
  if (has_chap && source["secretRef"].is_null()) errors.required(path.child("secretRef"));
  const Value& initiator = source["initiatorName"];
  if (!initiator.is_null() && !is_initiator(initiator.text())) {
    errors.invalid(path.child("initiatorname"), initiator.text(), initiator_text(initiator.text()));
  }
}

void check_fc(const Value& source, const Path& path, Errors& errors) {
  const bool has_names = !source["targetWWNs"].empty(), has_ids = !source["wwids"].empty();
  if (has_names == has_ids) {
    if (has_names) {
      errors.invalid(path.child("targetWWNs"), source["targetWWNs"],
                     Text("targetWWNs and wwids can not be specified simultaneously"));
    } else {
      errors.required(path.child("targetWWNs"),
                      Text("must specify either targetWWNs or wwids, but not both"));
    }
  }
  if (!has_names) return;
  if (source["lun"].is_null()) {
    errors.required(path.child("lun"), Text("lun is required if targetWWNs is specified"));
  } else {
    check_range(source["lun"], true, path.child("lun"), errors);
  }
}

void check_flocker(const Value& source, const Path& path, Errors& errors) {
  const std::string_view name = source["datasetName"].text();
  const bool has_name = !name.empty(), has_uuid = !source["datasetUUID"].text().empty();
  if (!has_name && !has_uuid) errors.required(path, Text("one of datasetName and datasetUUID is required"));
  if (has_name && has_uuid)
    errors.invalid(path, "resource", Text("datasetName and datasetUUID can not be specified simultaneously"));
  if (name.find('/') != std::string_view::npos)
    errors.invalid(path.child("datasetName"), name, Text("must not contain '/'"));
}

/// Splits host:port as Go does: brackets are required around a host with colons.
bool is_host_port(std::string_view text) {
  const auto last = text.rfind(':');
  if (last == std::string_view::npos) return false;
  const std::string_view host = text.substr(0, last), port = text.substr(last + 1);
  std::string_view name = host;
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    if (end == std::string_view::npos || end + 1 != last) return false;
    name = text.substr(1, end - 1);
    if (name.find('[') != std::string_view::npos) return false;
  } else if (host.find(':') != std::string_view::npos) {
    return false;
  }
  const bool is_bare = !text.starts_with('[');
  return port.find_first_of("[]") == std::string_view::npos &&
         (!is_bare || name.find_first_of("[]") == std::string_view::npos);
}

constexpr Text kRegistry("must be a host:port pair or multiple pairs separated by commas");

void check_quobyte(const Value& source, const Path& path, Errors& errors) {
  std::string_view rest = source["registry"].text();
  if (rest.empty()) return errors.required(path.child("registry"), kRegistry);
  if (source["tenant"].text().size() >= 65)
    return errors.required(path.child("tenant"),
                           Text("must be a UUID and may not exceed a length of 64 characters"));
  while (true) {
    const auto comma = rest.find(',');
    if (!is_host_port(rest.substr(0, comma))) {
      errors.invalid(path.child("registry"), source["registry"].text(), kRegistry);
    }
    if (comma == std::string_view::npos) return;
    rest.remove_prefix(comma + 1);
  }
}

void check_flex(const Value& source, const Path& path, Errors& errors) {
  const Path options_path = path.child("options");
  for (const Member& member : source["options"].members()) {
    const std::string_view key = member.key.text();
    std::string domain = ".";
    for (char c : key.substr(0, key.find('/'))) domain += lower(c);
    if (domain.ends_with(".kubernetes.io") || domain.ends_with(".k8s.io")) {
      errors.invalid(options_path.key(key), key, Text("kubernetes.io and k8s.io namespaces are reserved"));
    }
  }
}

void check_azure_disk(const Value& source, const Path& path, Errors& errors) {
  constexpr std::string_view kCaching[] = {"None", "ReadOnly", "ReadWrite"},
                             kKinds[] = {"Dedicated", "Managed", "Shared"};
  const Value& caching = source["cachingMode"];
  const Value& kind = source["kind"];
  const std::string_view uri = source["diskURI"].text();
  if (!caching.is_null() && !is_one_of(caching.text(), kCaching)) {
    errors.not_supported(path.child("cachingMode"), caching.text(), kCaching);
  }
  if (kind.is_null()) return;
  if (!is_one_of(kind.text(), kKinds)) errors.not_supported(path.child("kind"), kind.text(), kKinds);
  const bool is_managed = kind.text() == "Managed";
  if (uri.starts_with(is_managed ? "/subscriptions/" : "https://")) return;
  errors.not_supported_text(
      path.child("diskURI"), uri,
      {is_managed
           ? "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"
           : "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"});
}

void check_storageos(const Value& source, const Path& path, Errors& errors) {
  static constexpr Name kNames[] = {"volumeName", "volumeNamespace"};
  for (const Name& name : kNames) {
    const std::string_view text = source[name].text();
    if (!text.empty()) errors.invalid(path.child(name.text), text, check_dns_label(text));
  }
}

void check_secret_name(const Value& source, const Path& path, Errors& errors) {
  const Value& secret = source["secretRef"];
  if (!secret.is_null() && secret["name"].text().empty()) errors.required(path.child("secretRef.name"));
}

bool is_missing(const Value& value) { return value.is_array() ? value.empty() : value.text().empty(); }

struct Rule {
  std::string_view source;
  void (*check)(const Value& source, const Path& path, Errors& errors);
};
constexpr Rule kRules[] = {
    {"gitRepo",
     [](const Value& source, const Path& path, Errors& errors) {
       const std::string_view directory = source["directory"].text();
       errors.invalid(path.child("directory"), directory, check_descending_path(directory));
     }},
    {"gcePersistentDisk",
     [](const Value& source, const Path& path, Errors& errors) {
       check_range(source["partition"], false, path.child("partition"), errors);
     }},
    {"awsElasticBlockStore",
     [](const Value& source, const Path& path, Errors& errors) {
       check_range(source["partition"], false, path.child("partition"), errors);
     }},
    {"iscsi", check_iscsi},
    {"fc", check_fc},
    {"flocker", check_flocker},
    {"quobyte", check_quobyte},
    {"flexVolume", check_flex},
    {"azureDisk", check_azure_disk},
    {"storageos", check_storageos},
    {"storageos", check_secret_name},
    {"cinder", check_secret_name},
};

}  // namespace

void check_legacy_volume_source(std::string_view source, const Value& value, const Path& path,
                                Errors& errors) {
  for (const RequiredMembers& row : kRequiredMembers) {
    if (row.source != source) continue;
    for (const char* member : row.members) {
      if (is_missing(value[member])) errors.required(path.child(member));
    }
  }
  for (const Rule& rule : kRules) {
    if (rule.source == source) rule.check(value, path, errors);
  }
}

}  // namespace fixpoint::apiserver::validation
