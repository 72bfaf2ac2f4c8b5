#include <algorithm>
#include <string>

#include "harness/apiserver/validation/checks.h"

namespace fixpoint::apiserver::validation {

namespace {

constexpr std::int64_t kTokenSecondsMin = 600, kTokenSecondsMax = std::int64_t{1} << 32;
constexpr std::int64_t kDay = 24 * 60 * 60;

/// The paths used by the sources of one volume; each must be unique.
struct Targets {
  Names paths;
  const Path& volume;
  Errors& errors;
  void take(std::string_view path, std::string_view shown) {
    if (!paths.insert(path)) errors.invalid(volume, shown, Text("conflicting duplicate paths"));
  }
};

void check_key_source(const Value& source, const Path& path, Targets& targets) {
  const std::string_view name = source["name"].text();
  if (name.empty()) targets.errors.required(path.child("name"));
  const Path items_path = path.child("items");
  const Value& items = source["items"];
  for (std::size_t i = 0; i < items.size(); ++i) {
    check_key_to_path(items.at(i), items_path.at(i), targets.errors);
    const std::string_view target = items.at(i)["path"].text();
    if (!target.empty()) targets.take(target, name);
  }
}

void check_downward_source(const Value& source, const Path& path, Targets& targets) {
  for (const Value& file : source["items"].elements()) {
    check_downward_file(file, path, targets.errors);
    const std::string_view target = file["path"].text();
    if (!target.empty()) targets.take(target, target);
  }
}

void check_token(const Value& source, const Path& path, const Options& options, Targets& targets) {
  const Value& seconds = source["expirationSeconds"];
  const std::int64_t count = seconds.integer().value_or(0);
  if (count < kTokenSecondsMin) {
    targets.errors.invalid(path.child("expirationSeconds"), seconds,
                           Text("may not specify a duration less than 10 minutes"));
  }
  if (count > kTokenSecondsMax) {
    targets.errors.invalid(path.child("expirationSeconds"), seconds,
                           Text("may not specify a duration larger than 2^32 seconds"));
  }
  const std::string_view target = source["path"].text();
  if (target.empty()) {
    targets.errors.required(targets.volume.child("path"));
  } else if (!options.allows_any_token_path) {
    targets.errors.invalid(targets.volume.child("path"), target, check_non_reserved_path(target));
  }
}

/// A name with a colon begins with its signer's, in which colons stand for slashes.
void check_bundle_name(std::string_view name, const Path& path, Errors& errors) {
  const auto colon = name.rfind(':');
  const bool has_signer = colon != std::string_view::npos;
  if (colon == 0) {
    return errors.invalid(path, name,
                          Text("not a valid clustertrustbundlename: ClusterTrustBundle without signer name "
                               "must not have \":\" in its name"));
  }
  if (has_signer && name.substr(0, colon).find('/') != std::string_view::npos) {
    std::string signer(name.substr(0, colon)), prefix = signer + ":";
    std::replace(signer.begin(), signer.end(), ':', '/');
    std::replace(prefix.begin(), prefix.end(), '/', ':');
    return errors.invalid(path, name,
                          Text("not a valid clustertrustbundlename: ClusterTrustBundle for signerName {} "
                               "must be named with prefix {}")
                              .with({signer, prefix}));
  }
  for (const Text& problem : check_dns_subdomain(has_signer ? name.substr(colon + 1) : name)) {
    errors.invalid(path, name, Text("not a valid clustertrustbundlename: {}").with({problem.words()}));
  }
}

constexpr document::GoMember kTrustBundle[] = {{"Name", "name"},
                                               {"SignerName", "signerName"},
                                               {"LabelSelector", "labelSelector"},
                                               {"Optional", "optional"},
                                               {"Path", "path", "\"\""}};
constexpr document::GoMember kLabelSelector[] = {{"matchLabels", "matchLabels", ""},
                                                 {"matchExpressions", "matchExpressions", ""}};

void check_trust_bundle(const Value& source, const Path& path, Targets& targets) {
  Errors& errors = targets.errors;
  const Value& name = source["name"];
  const Value& signer = source["signerName"];
  if (!name.is_null() && !signer.is_null()) {
    errors.invalid(path, source, kTrustBundle, Text("only one of name and signerName may be used"));
  } else if (!name.is_null()) {
    if (name.text().empty()) errors.required(path.child("name"), Text("must be a valid object name"));
    check_bundle_name(name.text(), path.child("name"), errors);
    if (!source["labelSelector"].is_null()) {
      errors.invalid(path.child("labelSelector"), source["labelSelector"], kLabelSelector,
                     Text("labelSelector must be unset if name is specified"));
    }
  } else if (!signer.is_null()) {
    if (signer.text().empty()) errors.required(path.child("signerName"), Text("must be a valid signer name"));
    check_signer_name(signer, path.child("signerName"), errors);
    check_label_selector(source["labelSelector"], false, path.child("labelSelector"), errors);
  } else {
    errors.required(path, Text("either name or signerName must be specified"));
  }
  const std::string_view target = source["path"].text();
  if (target.empty()) errors.required(path.child("path"));
  errors.invalid(path.child("path"), target, check_non_reserved_path(target));
  targets.take(target, target);
}

void check_expiration(const Value& seconds, std::string_view signer, const Path& path, Errors& errors) {
  if (seconds.is_null()) return;
  const std::int64_t count = seconds.integer().value_or(0);
  const std::string_view host = signer.substr(0, signer.find('/'));
  const bool is_own = host == "kubernetes.io" || host.ends_with(".kubernetes.io");
  if (count < 3600) errors.invalid(path, seconds, Text("if provided, maxExpirationSeconds must be >= 3600"));
  const std::int64_t most = is_own ? kDay : 91 * kDay;
  if (count > most) {
    errors.invalid(path, seconds,
                   Text("if provided, maxExpirationSeconds must be <= {}").with({std::to_string(most)}));
  }
}

void check_user_annotations(const Value& annotations, const Path& path, Errors& errors) {
  std::size_t bytes = 0;
  for (const Member& member : annotations.members()) {
    const std::string_view key = member.key.text();
    bytes += key.size() + member.value.text().size();
    if (key.empty()) {
      errors.required(path);
      continue;
    }
    const Problems problems = check_qualified_name_lowered(key);
    errors.invalid(path, key, problems);
    if (problems.empty() && key.find('/') == std::string_view::npos)
      errors.invalid(path, key, Text("must be a domain-prefixed key (such as \"acme.io/foo\")"));
  }
  if (bytes > 256 * 1024) errors.too_long(path, 256 * 1024);
}

void check_certificate(const Value& source, const Path& path, Targets& targets) {
  Errors& errors = targets.errors;
  constexpr std::string_view kKeyTypes[] = {"RSA3072",   "RSA4096",   "ECDSAP256",
                                            "ECDSAP384", "ECDSAP521", "ED25519"};
  check_signer_name(source["signerName"], path.child("signerName"), errors);
  check_user_annotations(source["userAnnotations"], path.child("userAnnotations"), errors);
  if (!is_one_of(source["keyType"].text(), kKeyTypes)) {
    errors.not_supported_text(path.child("keyType"), source["keyType"].text(), kKeyTypes);
  }
  check_expiration(source["maxExpirationSeconds"], source["signerName"].text(),
                   path.child("maxExpirationSeconds"), errors);
  bool has_target = false;
  static constexpr Name kNames[] = {"credentialBundlePath", "keyPath", "certificateChainPath"};
  for (const Name& name : kNames) {
    const std::string_view target = source[name].text();
    if (target.empty()) continue;
    has_target = true;
    errors.invalid(path.child(name.text), target, check_non_reserved_path(target));
    targets.take(target, target);
  }
  if (!has_target)
    errors.required(path,
                    Text("specify at least one of credentialBundlePath, keyPath, and certificateChainPath"));
}

}  // namespace

void check_signer_name(const Value& name, const Path& path, Errors& errors) {
  const std::string_view text = name.text();
  if (text.empty()) return errors.required(path);
  const auto slash = text.find('/');
  if (slash == std::string_view::npos || text.find('/', slash + 1) != std::string_view::npos) {
    return errors.invalid(
        path, text, Text("must be a fully qualified domain and path of the form 'example.com/signer-name'"));
  }
  const std::string_view domain = text.substr(0, slash);
  if (domain.size() > 253) errors.too_long(path, 253);
  const auto check_parts = [&](std::string_view whole, Problems (*check)(std::string_view)) {
    for (std::string_view rest = whole;;) {
      const auto dot = rest.find('.');
      const Problems problems = check(rest.substr(0, dot));
      for (const Text& problem : problems) {
        errors.invalid(path, whole,
                       Text("validating label {}: {}")
                           .with({document::go_quoted(rest.substr(0, dot)), problem.words()}));
      }
      if (!problems.empty()) return;
      if (dot == std::string_view::npos) return;
      rest.remove_prefix(dot + 1);
    }
  };
  check_parts(domain, check_dns_label);
  if (domain.find('.') == std::string_view::npos)
    errors.invalid(path, domain, Text("should be a domain with at least two segments separated by dots"));
  check_parts(text.substr(slash + 1), check_dns_subdomain);
  if (text.size() > 571) errors.too_long(path, 571);
}

void check_projected(const Value& projected, const Path& path, Context& context) {
  check_file_mode(projected["defaultMode"], path.child("defaultMode"), context.errors);
  Targets targets{{}, path, context.errors};
  const Path sources_path = path.child("sources");
  const Value& sources = projected["sources"];
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Path item = sources_path.at(i);
    const Value& source = sources.at(i);
    static constexpr Name kNames[] = {"secret", "configMap"};
    for (const Name& name : kNames) {
      if (!source[name].is_null()) check_key_source(source[name], item.child(name.text), targets);
    }
    const auto with = [&](const char* name, auto check) {
      if (!source[name].is_null()) check(source[name], item.child(name));
    };
    with("downwardAPI", [&](const Value& v, const Path& p) { check_downward_source(v, p, targets); });
    with("serviceAccountToken",
         [&](const Value& v, const Path& p) { check_token(v, p, context.options, targets); });
    with("clusterTrustBundle", [&](const Value& v, const Path& p) { check_trust_bundle(v, p, targets); });
    with("podCertificate", [&](const Value& v, const Path& p) { check_certificate(v, p, targets); });
    if (source.size() > 1)
      context.errors.forbidden(item, Text("may not specify more than 1 volume type per source"));
  }
}

}  // namespace fixpoint::apiserver::validation
