#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/types/scheduling_types.h"
#include "harness/apiserver/validation/annotation_names.h"
#include "harness/apiserver/validation/checks.h"
#include "harness/apiserver/validation/gates.h"
#include "harness/document/json.h"

namespace fixpoint::apiserver::validation {

namespace {

bool has_container(const Value& spec, std::string_view name) {
  bool found = false;
  for_each_container(spec, Path("spec"), [&](const Value& container, const Path&) {
    found = found || container["name"].text() == name;
  });
  return found;
}

void check_seccomp_annotation(std::string_view value, const Path& path, Errors& errors) {
  if (is_one_of(value, {"runtime/default", "docker/default", "unconfined"})) return;
  if (!value.starts_with(kLocalhostPrefix))
    return errors.invalid(path, value, Text("must be a valid seccomp profile"));
  value.remove_prefix(kLocalhostPrefix.size());
  errors.invalid(path, value, check_descending_path(value));
}

void check_apparmor_annotation(std::string_view key, std::string_view value, const Path& path,
                               Context& context) {
  key.remove_prefix(kAppArmorPrefix.size());
  if (!has_container(context.spec, key)) context.errors.invalid(path, key, Text("container not found"));
  const bool is_fine =
      is_one_of(value, {"", "runtime/default", "unconfined"}) || value.starts_with(kLocalhostPrefix);
  if (!is_fine) {
    context.errors.invalid(path, value,
                           Text("invalid AppArmor profile name: {}").with({document::go_quoted(value)}));
  }
}

/// A toleration as Go reads it into a struct without tags: member names match in any case.
document::Result<Value> read_toleration(const Value& sent) {
  constexpr const char* kMembers[] = {"key", "operator", "value", "effect", "tolerationSeconds"};
  const auto is_same = [](char a, char b) { return lower(a) == lower(b); };
  if (!sent.is_object()) return decode_as(kToleration, sent, kNewestMinor);
  std::vector<Member> members;
  for (const Member& member : sent.members()) {
    const std::string_view name = member.key.text();
    for (std::string_view known : kMembers) {
      if (!std::equal(name.begin(), name.end(), known.begin(), known.end(), is_same)) continue;
      members.push_back({document::Key(known), member.value});
    }
  }
  return decode_as(kToleration, Value(std::move(members)), kNewestMinor);
}

/// The tolerations of the former annotation, a list as JSON.
void check_toleration_annotation(std::string_view text, const Path& path, Context& context) {
  auto read = document::read_json(text, {}, document::Strictness::foreign);
  const auto fail = [&] {
    // The server prints what Go's JSON decoder says, which is not repeated here.
    context.errors.invalid(path, kTolerationsAnnotation, std::string("must be a list of tolerations"));
  };
  if (!read) return fail();
  if (read->is_null()) return;
  if (!read->is_array()) return fail();
  std::vector<Value> tolerations;
  for (const Value& sent : read->elements()) {
    auto toleration = read_toleration(sent);
    if (!toleration) return fail();
    tolerations.push_back(*std::move(toleration));
  }
  check_tolerations(Value(std::move(tolerations)), path.child(kTolerationsAnnotation), context.errors,
                    context.options);
}

/// The member in which a profile differs from the annotation; nullptr if the two agree.
const char* differing_part(std::string_view annotation, const Value& profile, bool is_seccomp) {
  const std::string_view type = profile["type"].text();
  if (type == "Unconfined") return annotation == "unconfined" ? nullptr : "type";
  if (type == "RuntimeDefault") {
    const bool is_equal = annotation == "runtime/default" || (is_seccomp && annotation == "docker/default");
    return is_equal ? nullptr : "type";
  }
  if (type != "Localhost") return nullptr;
  if (!annotation.starts_with(kLocalhostPrefix)) return "type";
  const Value& local = profile["localhostProfile"];
  const bool is_equal = !local.is_null() && annotation.substr(kLocalhostPrefix.size()) == local.text();
  return is_equal ? nullptr : "localhostProfile";
}

Text disagreement(bool is_seccomp, bool is_type) {
  if (is_type) {
    return is_seccomp ? Text("seccomp type in annotation and field must match")
                      : Text("apparmor type in annotation and field must match");
  }
  return is_seccomp ? Text("seccomp profile in annotation and field must match")
                    : Text("apparmor profile in annotation and field must match");
}

void check_profile(const Value* annotation, const Value& profile, bool is_seccomp, const Path& path,
                   Errors& errors) {
  if (annotation == nullptr || profile.is_null()) return;
  const char* part = differing_part(annotation->text(), profile, is_seccomp);
  if (part != nullptr)
    errors.forbidden(path.child(part), disagreement(is_seccomp, std::string_view(part) == "type"));
}

const Value* find_annotation(const Value& annotations, std::string_view prefix, std::string_view name) {
  return annotations.find(Name(std::string(prefix).append(name)));
}

/// Returns true if an annotation names a seccomp or AppArmor profile, which fields can name too.
bool names_profiles(const Value& annotations) {
  const auto members = annotations.members();
  return std::any_of(members.begin(), members.end(), [](const Member& member) {
    const std::string_view key = member.key.text();
    return key == kSeccompPodAnnotation || key.starts_with(kSeccompPrefix) ||
           key.starts_with(kAppArmorPrefix);
  });
}

}  // namespace

void check_pod_annotations(Context& context, const Path& path) {
  const Value& annotations = context.metadata["annotations"];
  if (annotations.empty()) return;
  if (const Value* mirror = annotations.find(kMirrorAnnotation);
      mirror != nullptr && context.spec["nodeName"].text().empty()) {
    context.errors.invalid(path.key(kMirrorAnnotation), mirror->text(),
                           Text("must set spec.nodeName if mirror pod annotation is set"));
  }
  if (const auto text = annotations[kTolerationsAnnotation].text(); !text.empty()) {
    check_toleration_annotation(text, path, context);
  }
  if (!context.options.allows_any_deletion_cost && !is_valid_deletion_cost(annotations)) {
    context.errors.invalid(path.key(kDeletionCostAnnotation), annotations[kDeletionCostAnnotation].text(),
                           Text("must be a 32bit integer"));
  }
  for (const Member& member : annotations.members()) {
    const std::string_view key = member.key.text();
    if (key == kSeccompPodAnnotation || key.starts_with(kSeccompPrefix)) {
      check_seccomp_annotation(member.value.text(), path.child(key), context.errors);
    } else if (key.starts_with(kAppArmorPrefix)) {
      check_apparmor_annotation(key, member.value.text(), path.key(key), context);
    }
  }
}

void check_annotations_against_fields(Context& context, const Path& spec_path) {
  const Value& annotations = context.metadata["annotations"];
  if (!names_profiles(annotations)) return;
  const Value& security = context.spec["securityContext"];
  check_profile(annotations.find(kSeccompPodAnnotation), security["seccompProfile"], true,
                spec_path.child("securityContext.seccompProfile"), context.errors);
  const bool has_apparmor = context.os != "windows" && context.options.minor >= gate::kAppArmorFields;
  for_each_container(context.spec, spec_path, [&](const Value& container, const Path& path) {
    const std::string_view name = container["name"].text();
    const Value& own = container["securityContext"];
    check_profile(find_annotation(annotations, kSeccompPrefix, name), own["seccompProfile"], true,
                  path.child("securityContext.seccompProfile"), context.errors);
    if (!has_apparmor) return;
    const Value& profile =
        own["appArmorProfile"].is_null() ? security["appArmorProfile"] : own["appArmorProfile"];
    check_profile(find_annotation(annotations, kAppArmorPrefix, name), profile, false,
                  path.child("securityContext.appArmorProfile"), context.errors);
  });
}

void check_annotation_updates(Context& context, const Value& old, const Path& path) {
  const Value& annotations = context.metadata["annotations"];
  const auto is_fixed = [](std::string_view key) {
    return key.starts_with(kAppArmorPrefix) || key == kMirrorAnnotation;
  };
  for (const Member& member : old["metadata"]["annotations"].members()) {
    const Value* now = annotations.find(member.key.name());
    if (now != nullptr && *now == member.value) continue;
    if (!is_fixed(member.key.text())) continue;
    context.errors.forbidden(path.key(member.key.text()),
                             member.key.is(kMirrorAnnotation)
                                 ? Text("may not remove or update mirror pod annotation")
                                 : Text("may not remove or update AppArmor annotations"));
  }
  for (const Member& member : annotations.members()) {
    if (old["metadata"]["annotations"].find(member.key.name()) != nullptr) continue;
    if (!is_fixed(member.key.text())) continue;
    context.errors.forbidden(path.key(member.key.text()), member.key.is(kMirrorAnnotation)
                                                              ? Text("may not add mirror pod annotation")
                                                              : Text("may not add AppArmor annotations"));
  }
  check_pod_annotations(context, path);
}

}  // namespace fixpoint::apiserver::validation
