#include "generators/read_objects.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/changed_settings.h"
#include "generators/read_contents.h"
#include "harness/apiserver/text/formats.h"
#include "harness/apiserver/types/container_types.h"
#include "harness/cases/minors.h"
#include "harness/cases/plain_namespace.h"
#include "harness/runner/learning/field_path.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::generators {

namespace {

using Read = runner::Vocabulary::Read;

/// The values of one trigger that become names of watched objects.
constexpr std::size_t kNamesOfATrigger = 3;
void add_name(std::vector<std::string>& names, std::string_view name) {
  if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
}

/// Returns the values of the subject's trigger at a field of the Pod.
std::vector<std::string> values_of_source(const PreparedSubject& subject, const std::string& source) {
  std::vector<std::string> values;
  const auto path = runner::parse_field_path(source);
  if (!path) return values;
  for (const runner::Trigger& trigger : subject.triggers) {
    Value object;
    const bool is_field = trigger.where == runner::Trigger::Where::field;
    const char* map = trigger.where == runner::Trigger::Where::annotation ? "annotations"
                      : trigger.where == runner::Trigger::Where::label    ? "labels"
                                                                          : nullptr;
    if (map != nullptr)
      object.edit("metadata").edit(Name(map)).set(trigger.key, "x");
    else if (is_field)
      runner::set_field(object, trigger.path, "x");
    if (runner::values_at(object, *path).empty()) continue;
    for (std::size_t i = 0; i < std::min(kNamesOfATrigger, trigger.values.size()); ++i) {
      std::string_view text = trigger.values[i];
      if (is_field && text.size() > 2 && text.front() == '"') text = text.substr(1, text.size() - 2);
      add_name(values, text);
    }
  }
  return values;
}

/// Returns true for a text that the server takes for the name of an object of nearly any kind.
bool is_object_name(std::string_view text) {
  return apiserver::validation::check_dns_subdomain(text).empty();
}

/// Returns true for a kind that Pods use without naming the object.
bool is_unnamed(std::string_view kind) {
  return kind == "LimitRange" || kind == "ResourceQuota" || kind == "Pod" || kind == "Node" ||
         kind == "StorageClass";
}

/// Returns the names that hold whatever the Pod is: those of constants and of known values of its fields.
std::vector<std::string> shared_names(const PreparedSubject& subject, const Read& read) {
  std::vector<std::string> names = read.names;
  if (read.kind == "ServiceAccount") add_name(names, "default");
  for (const std::string& source : read.sources) {
    for (const std::string& value : values_of_source(subject, source)) add_name(names, value);
  }
  for (const runner::Trigger& trigger : subject.triggers) {
    constexpr std::size_t kNamesMax = 6;
    const bool is_of_pod =
        trigger.where == runner::Trigger::Where::label || trigger.where == runner::Trigger::Where::annotation;
    for (const std::string& text : trigger.values)
      if (is_of_pod && !is_unnamed(read.kind) && read.sources.empty() && read.names.empty() &&
          names.size() < kNamesMax && is_object_name(text))
        add_name(names, text);
  }
  if (names.empty()) names.assign(kListed.begin(), kListed.end());
  return names;
}

/// Adds the values that the Pod has of the subject's triggers: a client with a cache tells of no name, and
/// any of them may be the one that it looks for.
void add_values_of_triggers(std::vector<std::string>& names, const PreparedSubject& subject,
                            const Case& value) {
  constexpr std::size_t kNamesMax = 4;
  for (const runner::Trigger& trigger : subject.triggers) {
    if (names.size() >= kNamesMax) return;
    const bool is_label = trigger.where == runner::Trigger::Where::label;
    if (!is_label && trigger.where != runner::Trigger::Where::annotation) continue;
    const Value* found =
        value.request.object["metadata"][is_label ? "labels" : "annotations"].find(trigger.key);
    if (found != nullptr && is_object_name(found->text())) add_name(names, found->text());
  }
}

/// Returns the names that the webhook looks for with this Pod.
std::vector<std::string> names_for(const PreparedSubject& subject, const Case& value, const Read& read) {
  const Value& pod = value.request.object;
  std::vector<std::string> names;
  for (const std::string& source : read.sources) {
    const auto path = runner::parse_field_path(source);
    if (!path) continue;
    for (const Value& found : runner::values_at(pod, *path)) add_name(names, found.text());
  }
  if (read.kind == "ServiceAccount" && names.empty()) add_name(names, "default");
  if (read.kind == "PersistentVolume") {
    for (const Value& object : value.cluster.objects)
      if (object["kind"].text() == "PersistentVolumeClaim")
        add_name(names, object["spec"]["volumeName"].text());
    return names;
  }
  for (const std::string& name : read.names) add_name(names, name);
  if (read.kind == "Node") add_name(names, kNode);
  if (names.empty() && read.sources.empty() && !is_unnamed(read.kind))
    add_values_of_triggers(names, subject, value);
  if (names.empty() && read.sources.empty()) names.assign(kListed.begin(), kListed.end());
  return names;
}

/// Returns the names of the request's own namespace, containers and Pod.
std::vector<NamesOfKind> names_of_request(const Case& value) {
  const Value& object = value.request.object;
  NamesOfKind containers{"Container"}, pods{"Pod"};
  for (const Name& list : apiserver::kContainerLists)
    for (const Value& container : object["spec"][list].elements())
      add_name(containers.names, container["name"].text());
  if (!containers.names.empty()) add_name(pods.names, object["metadata"]["name"].text());
  return {{"Namespace", {value.request.namespace_name}}, std::move(containers), std::move(pods)};
}

/// Returns what a text of a drawn object may name in the Case.
LinkTargets targets_of(const PreparedSubject& subject, const Case& value) {
  LinkTargets targets{.request_object = &value.request.object, .kinds = names_of_request(value)};
  for (const Read& read : subject.subject.vocabulary.reads)
    targets.kinds.push_back({read.kind, names_for(subject, value, read)});
  return targets;
}

/// Returns the same of an object that several Cases share.
LinkTargets shared_targets_of(const PreparedSubject& subject) {
  LinkTargets targets;
  for (const Read& read : subject.subject.vocabulary.reads)
    targets.kinds.push_back({read.kind, shared_names(subject, read)});
  return targets;
}

/// Returns true if the request decides which objects of the kind the webhook asks for.
bool depends_on_request(const Read& read) { return !read.sources.empty() || !read.labels.empty(); }

/// Adds, in half of the Cases, the constants of the program that may be names: a client that watches a kind
/// asks for none of them. More custom resources would be more policies for one Pod.
void add_constants(std::vector<std::string>& names, const PreparedSubject& subject, const Read& read,
                   Choices& choices) {
  const bool is_asked_for = !read.names.empty() || !read.sources.empty();
  const bool is_custom = !read.schema.is_null();
  if (!read.is_watched || is_asked_for || is_custom || is_unnamed(read.kind) || choices.coin()) return;
  for (const std::string& name : subject.subject.vocabulary.constants) add_name(names, name);
}

/// Returns the drawn object of that kind and name, for writing; nullptr if there is none. Those that the
/// subject always brings along are not drawn.
Value* drawn_object(Case& value, const ReadSource& source, std::string_view space, std::string_view name) {
  const auto& fixed = source.subject.subject.objects;
  for (Value& object : value.cluster.objects) {
    if (object["kind"].text() != source.read.kind || object["metadata"]["name"].text() != name ||
        object["metadata"]["namespace"].text() != space)
      continue;
    Value in_default = object;  // the chart's own objects there are copied to the Case's namespace
    if (!space.empty()) in_default.edit("metadata").set("namespace", "default");
    const bool is_fixed =
        std::ranges::any_of(fixed, [&](const Value& own) { return own == object || own == in_default; });
    return is_fixed ? nullptr : &object;
  }
  return nullptr;
}

/// Adds the object, or puts its drawn contents in the place of what another part of the Case needed it for.
void add_object(Case& value, Choices& choices, const ReadSource& source, std::string_view space,
                std::string_view name, bool keeps_others) {
  Value metadata{{"name", name}};
  if (!space.empty()) metadata.set("namespace", space);
  put_metadata(choices, source, metadata);
  Value object{
      {"apiVersion", source.read.api_version}, {"kind", source.read.kind}, {"metadata", std::move(metadata)}};
  if (!put_contents(choices, source, object, cases::minor_of(value.cluster))) return;
  Value* other = drawn_object(value, source, space, name);
  if (other != nullptr && !keeps_others)
    *other = std::move(object);
  else if (source.read.kind != "LimitRange" || !has_limit_range(value))
    value.cluster.add_missing(std::move(object));
}

}  // namespace

void draw_read_objects(Case& value, const PreparedSubject& prepared_subject, Choices& choices,
                       bool keeps_others) {
  const auto& reads = prepared_subject.subject.vocabulary.reads;
  if (reads.empty()) return;
  Choices shared = choices.shared_by(kCasesOfACluster), shared_by_few = choices.shared_by(kCasesOfSettings);
  const LinkTargets targets = targets_of(prepared_subject, value);
  const LinkTargets shared_targets = shared_targets_of(prepared_subject);
  const std::string& own = value.request.namespace_name;
  // What is not in its own namespace is equal for Cases that stand in one cluster.
  const bool is_beside_others = cases::is_plain_namespace(own);
  // Claims name volumes.
  std::vector<const Read*> ordered;
  for (const Read& read : reads) ordered.push_back(&read);
  std::stable_partition(ordered.begin(), ordered.end(),
                        [](const Read* read) { return read->kind != "PersistentVolume"; });
  for (const Read* next : ordered) {
    const Read& read = *next;
    if (read.kind == "Namespace" && read.names.empty() && cases::is_plain_namespace(own)) {
      if (!choices.one_in(4))
        put_metadata(choices, {prepared_subject, read, value, targets}, metadata_of_namespace(value));
      continue;
    }
    std::vector<std::string> spaces = read.namespaces;
    if (spaces.empty() || !read.sources.empty()) spaces.push_back(own);
    if (!read.is_namespaced) spaces.assign(1, "");
    for (const std::string& space : spaces) {
      const bool is_elsewhere = !cases::is_plain_namespace(space);
      const bool is_watched = is_elsewhere && read.is_watched;
      const bool is_shared = is_watched || (is_elsewhere && is_beside_others && !depends_on_request(read));
      Choices& drawn_by = !is_shared ? choices : is_watched ? shared : shared_by_few;
      auto names =
          is_shared ? shared_names(prepared_subject, read) : names_for(prepared_subject, value, read);
      add_constants(names, prepared_subject, read, drawn_by);
      const ReadSource source{.subject = prepared_subject,
                              .read = read,
                              .value = value,
                              .targets = is_watched ? shared_targets : targets,
                              .is_shared = is_shared,
                              .links = is_watched ? nullptr : &choices};
      for (const std::string& name : names)
        if (is_object_name(name) && !drawn_by.one_in(4))
          add_object(value, drawn_by, source, space, name, keeps_others);
    }
  }
  change_settings(value, prepared_subject, shared, is_beside_others ? shared_by_few : choices);
}

}  // namespace fixpoint::generators
