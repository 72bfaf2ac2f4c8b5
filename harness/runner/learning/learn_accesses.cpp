#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "harness/document/json.h"
#include "harness/document/lower_case.h"
#include "harness/document/split.h"
#include "harness/properties/spellings.h"
#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/learn_fields.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::runner {

namespace {

using cases::ApiAccess;

constexpr std::size_t kDataKeysMax = 24;
/// A name for an object that a key of a Pod names.
constexpr std::string_view kPlainName = "example";

/// Kinds that say nothing about a Pod's treatment: locks, records, the API itself.
constexpr std::array<std::string_view, 8> kOfTheApi{"Lease",
                                                    "Event",
                                                    "CustomResourceDefinition",
                                                    "MutatingWebhookConfiguration",
                                                    "ValidatingWebhookConfiguration",
                                                    "APIService",
                                                    "SelfSubjectAccessReview",
                                                    "TokenReview"};

template <class List>
bool has_text(const List& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}
void add_read_name(std::vector<std::string>& list, std::string_view text) {
  if (!text.empty() && list.size() < kReadNamesMax && !has_text(list, text)) list.emplace_back(text);
}

/// Calls `take` with the path of each text in a Pod. Elements of lists are not distinguished.
void each_text(const Value& value, const FieldPath& path,
               const std::function<void(const FieldPath&, std::string_view)>& take) {
  if (value.is_string()) return take(path, value.text());
  for (const auto& member : value.members()) {
    FieldPath below = path;
    below.push_back({.member = std::string(member.key.text())});
    each_text(member.value, below, take);
  }
  for (const Value& element : value.elements()) {
    FieldPath below = path;
    below.push_back({.is_element = true});
    each_text(element, below, take);
  }
}

/// The more likely a field holds the name of an object, the lower.
int name_rank(std::string_view path) {
  if (path.starts_with("metadata.annotations")) return 0;
  if (path == "spec.serviceAccountName" || path.find("secret") != std::string_view::npos ||
      path.find("configMap") != std::string_view::npos || path.find("ClassName") != std::string_view::npos)
    return 1;
  if (path.starts_with("metadata.labels")) return 2;
  return path.ends_with(".image") || path == "metadata.name" ? 4 : 3;
}

/// Returns the field of the Pod that most likely holds the name; nothing if none does.
std::optional<FieldPath> source_of(const Value& pod, std::string_view name) {
  std::optional<FieldPath> best;
  each_text(pod, {}, [&](const FieldPath& path, std::string_view text) {
    if (text != name) return;
    if (!best || name_rank(write_field_path(path)) < name_rank(write_field_path(*best))) best = path;
  });
  return best;
}

/// Makes the annotation or label whose value is the name of an object that the webhook reads a common
/// trigger, with that name and a plain one as its values.
void learn_naming_key(Vocabulary& words, const FieldPath& path, std::string_view name) {
  constexpr std::size_t kDepthOfKeys = 3;
  if (path.size() != kDepthOfKeys || path[0].member != "metadata") return;
  for (const auto& [map, where] :
       {std::pair("annotations", Trigger::Where::annotation), std::pair("labels", Trigger::Where::label)}) {
    if (path[1].member != map) continue;
    learn_trigger(words, where, path[2].member, kPlainName);
    learn_trigger(words, where, path[2].member, name);
  }
}

/// Returns the words of a kind in lower case: sidecar and profile of SidecarProfile. Short ones are left out.
std::vector<std::string> words_of_kind(std::string_view kind) {
  constexpr std::size_t kShortest = 4;
  std::vector<std::string> words;
  for (const char c : kind) {
    const bool is_capital = c >= 'A' && c <= 'Z';
    if (is_capital || words.empty()) words.emplace_back();
    words.back() += is_capital ? static_cast<char>(c - 'A' + 'a') : c;
  }
  std::erase_if(words, [](const std::string& word) { return word.size() < kShortest; });
  return words;
}

/// A client with a cache does not tell which objects it looks for. Annotations and labels whose name contains
/// a word of the kind are taken to name one; others of unknown meaning may, too.
void learn_keys_of_kind(Vocabulary& words, Vocabulary::Read& read) {
  const std::vector<std::string> of_kind = words_of_kind(read.kind);
  for (const Trigger& trigger : triggers_of(words)) {
    const bool is_annotation = trigger.where == Trigger::Where::annotation;
    if (!is_annotation && trigger.where != Trigger::Where::label) continue;
    const std::string name = document::lower_case(properties::name_of_key(trigger.key));
    const bool is_named = std::any_of(of_kind.begin(), of_kind.end(), [&](const std::string& word) {
      return name.find(word) != std::string::npos;
    });
    learn_trigger(words, trigger.where, trigger.key, kPlainName, !is_named);
    const char* map = is_annotation ? "annotations" : "labels";
    if (is_named)
      add_read_name(read.sources,
                    write_field_path({{.member = "metadata"}, {.member = map}, {.member = trigger.key}}));
  }
}

/// Returns the words of a message without the signs around them, and those of NAMESPACE/NAME one by one.
std::vector<std::string> names_in(std::string_view message) {
  std::vector<std::string> names(1);
  for (const char c : message) {
    const bool is_inner =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' || c == '_';
    if (is_inner)
      names.back() += c;
    else if (!names.back().empty())
      names.emplace_back();
  }
  for (std::string& name : names)
    while (!name.empty() && (name.back() == '.' || name.back() == '-')) name.pop_back();
  std::erase_if(names, [](const std::string& name) { return name.empty(); });
  return names;
}

/// Learns the labels of a selector that name one value each: `a=b,c==d`.
void learn_selector(Vocabulary::Read& read, std::string_view selector) {
  for (const std::string_view one : document::split(selector, ",")) {
    const auto equals = one.find('=');
    if (equals == std::string_view::npos || equals == 0 || one[equals - 1] == '!') continue;
    if (read.labels.size() >= kReadNamesMax) return;
    const auto value = std::min(one.find_first_not_of('=', equals), one.size());
    read.labels.emplace(one.substr(0, equals), one.substr(value));
  }
}

std::string api_version_of(const ApiAccess& access) {
  return access.group.empty() ? access.version : access.group + "/" + access.version;
}

/// The server runs a Pod without a service account as this one.
constexpr std::string_view kDefaultAccount = "default";

void learn_name(Vocabulary& words, Vocabulary::Read& read, const cases::Case& value,
                const ApiAccess& access) {
  const cases::Request& request = value.request;
  const bool is_of_request = access.namespace_name.empty() || access.namespace_name == request.namespace_name;
  if (read.kind == "Namespace" && access.name == request.namespace_name) return;
  if (read.kind == "ServiceAccount" && is_of_request) {
    add_read_name(read.sources, "spec.serviceAccountName");
    if (access.name != kDefaultAccount) return;
  }
  if (is_of_request) {
    if (const auto source = source_of(request.object, access.name)) {
      learn_naming_key(words, *source, access.name);
      return add_read_name(read.sources, write_field_path(*source));
    }
  } else {
    add_read_name(read.namespaces, access.namespace_name);
  }
  add_read_name(read.names, access.name);
  if (read.kind != "ServiceAccount") return;
  learn_trigger(words, Trigger::Where::field, "spec.serviceAccountName",
                document::write_json(Value(access.name)), true);
}

}  // namespace

Vocabulary::Read* learn_read(Vocabulary& words, std::string_view api_version, std::string_view kind,
                             bool is_namespaced) {
  if (kind.empty() || has_text(kOfTheApi, kind)) return nullptr;
  const auto known = std::find_if(words.reads.begin(), words.reads.end(), [&](const Vocabulary::Read& read) {
    return read.api_version == api_version && read.kind == kind;
  });
  if (known != words.reads.end()) return &*known;
  if (words.reads.size() >= kReadsMax) return nullptr;
  words.reads.push_back(
      {.api_version = std::string(api_version), .kind = std::string(kind), .is_namespaced = is_namespaced});
  if (kind == "PersistentVolumeClaim") {
    words.reads.back().sources.emplace_back("spec.volumes[*].persistentVolumeClaim.claimName");
    learn_trigger(words, Trigger::Where::field, "spec.volumes", kClaimedVolume);
  }
  return &words.reads.back();
}

void learn_data_key(Vocabulary& words, std::string_view key) {
  if (!key.empty() && key.size() <= 64 && words.data_keys.size() < kDataKeysMax &&
      !has_text(words.data_keys, key))
    words.data_keys.emplace_back(key);
}

void learn_from_accesses(Vocabulary& words, const cases::Case& value, std::span<const ApiAccess> accesses) {
  for (const ApiAccess& access : accesses) {
    if (access.is_write() || !access.subresource.empty() || access.kind.empty()) continue;
    const bool is_named = access.verb == "get";
    Vocabulary::Read* read = learn_read(words, api_version_of(access), access.kind, access.is_namespaced);
    if (read == nullptr) continue;
    if (is_named) learn_name(words, *read, value, access);
    const bool is_first_list =
        access.verb == "list" && read->sources.empty() && access.field_selector.empty();
    if ((access.verb == "watch" && !read->is_watched) || is_first_list) {
      read->is_watched = read->is_watched || access.verb == "watch";
      const bool is_named_otherwise = read->kind == "Namespace" || read->kind == "ServiceAccount";
      if (!is_named_otherwise && read->names.empty()) learn_keys_of_kind(words, *read);
    }
    learn_selector(*read, access.label_selector);
    constexpr std::string_view kNameField = "metadata.name=";
    if (access.field_selector.starts_with(kNameField))
      add_read_name(read->names, std::string_view(access.field_selector).substr(kNameField.size()));
    if (!access.namespace_name.empty() && access.namespace_name != value.request.namespace_name && !is_named)
      add_read_name(read->namespaces, access.namespace_name);
  }
}

void learn_from_missing(Vocabulary& words, const cases::Case& value, std::string_view message) {
  const std::string text = document::lower_case(message);
  if (text.find("not found") == std::string::npos && text.find("named") == std::string::npos) return;
  for (Vocabulary::Read& read : words.reads) {
    if (text.find(document::lower_case(read.kind)) == std::string::npos) continue;
    for (const std::string& name : names_in(message)) {
      if (name == value.request.namespace_name) continue;
      const auto source = source_of(value.request.object, name);
      if (!source || write_field_path(*source) == "metadata.name") continue;
      learn_naming_key(words, *source, name);
      add_read_name(read.sources, write_field_path(*source));
    }
  }
}

}  // namespace fixpoint::runner
