#include "harness/runner/learning/trigger.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "harness/apiserver/text/formats.h"
#include "harness/apiserver/types/walk.h"
#include "harness/cases/request_user.h"
#include "harness/document/json.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::runner {

namespace {

using Where = Trigger::Where;
using KeyedValues = Vocabulary::KeyedValues;

constexpr std::array kPlaces{Where::label,           Where::annotation,
                             Where::namespace_label, Where::namespace_annotation,
                             Where::field,           Where::user};

auto is_of(Where where, std::string_view key) {
  return [where, key](const Trigger& one) { return one.where == where && one.key == key; };
}

std::vector<KeyedValues> keyed(const std::vector<Trigger>& triggers, Where where, bool is_rare) {
  std::vector<KeyedValues> found;
  for (const Trigger& one : triggers)
    if (one.where == where && one.is_rare == is_rare) found.emplace_back(one.key, one.values);
  return found;
}

/// Adds a trigger of which there is no other with its key yet, or its values to that one.
void add(std::vector<Trigger>& triggers, const Trigger& trigger) {
  if (trigger.values.empty()) return;
  const auto there = std::find_if(triggers.begin(), triggers.end(), is_of(trigger.where, trigger.key));
  if (there == triggers.end()) {
    triggers.push_back(trigger);
    return;
  }
  for (const std::string& value : trigger.values) {
    if (std::find(there->values.begin(), there->values.end(), value) == there->values.end())
      there->values.push_back(value);
  }
}

/// Members that accept only certain words, and lists whose elements need more than a name.
struct SampleRow {
  std::string_view member;
  std::string_view json;
};
constexpr auto kSamples = std::to_array<SampleRow>({
    {"restartPolicy", R"("Never")"},
    {"dnsPolicy", R"("Default")"},
    {"preemptionPolicy", R"("Never")"},
    {"imagePullPolicy", R"("Always")"},
    {"initContainers", R"([{"name":"init","image":"x:1"}])"},
    {"tolerations", R"([{"operator":"Exists"}])"},
    {"hostAliases", R"([{"ip":"10.0.0.1"}])"},
    {"ports", R"([{"containerPort":8080}])"},
    {"image", R"("registry.example/app:2")"},
});

/// Returns legal values for the field at the path.
std::vector<std::string> samples_of(const std::string& key) {
  using apiserver::Shape;
  const auto path = parse_field_path(key);
  if (!path || key == kNamespaceField) return {};
  for (const SampleRow& row : kSamples) {
    if (path->back().member == row.member) return {std::string(row.json)};
  }
  std::string pattern = key;
  for (auto at = pattern.find("[*]"); at != std::string::npos; at = pattern.find("[*]"))
    pattern.erase(at + 1, 1);
  const apiserver::Field* field = apiserver::field_at(pattern);
  if (field == nullptr) return {R"("web")"};
  if (field->many == apiserver::Many::map) return {R"({"disk":"ssd"})"};
  const bool is_list = field->many == apiserver::Many::list;
  if (field->shape == Shape::object) return {is_list ? R"([{"name":"web"}])" : "{}"};
  if (is_list) return {R"(["web"])"};
  if (field->shape == Shape::boolean) return {"true", "false"};
  return {field->shape == Shape::int32 || field->shape == Shape::int64 ? "1" : R"("web")"};
}

std::vector<std::string> samples_of(Where where, const std::string& key) {
  if (where == Where::field) return samples_of(key);
  if (where != Where::user) return {"true", "false"};
  return {key == kUserGroups ? "system:masters" : "system:admin"};
}

/// Returns the option of the first known value, each compared in the form of `text_of`.
template <class TextOf>
std::size_t option_among(const Trigger& trigger, const std::vector<Value>& present, const TextOf& text_of) {
  if (present.empty()) return 0;
  for (const Value& value : present) {
    const auto found = std::find(trigger.values.begin(), trigger.values.end(), text_of(value));
    if (found != trigger.values.end()) return static_cast<std::size_t>(found - trigger.values.begin()) + 1;
  }
  return trigger.values.size() + 1;
}

std::size_t option_in(const Trigger& trigger, const Value& map) {
  const Value* found = map.find(trigger.key);
  if (found == nullptr) return 0;
  return option_among(trigger, {*found}, [](const Value& value) { return value.text(); });
}

/// Returns the option of an annotation, whose value may have names of the object's own in it.
std::size_t option_of_annotation(const Trigger& trigger, const Value& object) {
  const std::size_t option = option_in(trigger, object["metadata"]["annotations"]);
  if (option != trigger.values.size() + 1) return option;
  const std::string_view present = object["metadata"]["annotations"][trigger.key].text();
  const auto is_it = [&](const std::string& value) {
    return has_own_names(value) && present == value_in(object, value);
  };
  const auto found = std::find_if(trigger.values.begin(), trigger.values.end(), is_it);
  return found == trigger.values.end() ? option
                                       : static_cast<std::size_t>(found - trigger.values.begin()) + 1;
}

/// Returns the member of a workload's spec that describes what it makes; nullptr if it makes nothing.
const char* template_member(const Value& object) {
  for (const char* member : {"template", "jobTemplate"})
    if (object["spec"][member].is_object()) return member;
  return nullptr;
}

/// The name of a container, and what it mounts first.
struct OwnNames {
  std::string container = {}, volume = "data", path = "/data/app.log";
  bool has_mount = false;
};

/// Where the token of a container is mounted, which is no volume that a user names.
constexpr std::string_view kSecrets = "/var/run/secrets";

/// Returns the names of each container, first of one that mounts a volume. A Pod without a mount has none
/// that a program could find.
std::vector<OwnNames> own_names(const Value& containers) {
  std::vector<OwnNames> all;
  for (const Value& container : containers.elements()) {
    if (!container["name"].is_string()) continue;
    OwnNames& one = all.emplace_back();
    one.container = container["name"].text();
    for (const Value& mount : container["volumeMounts"].elements()) {
      if (!mount["name"].is_string() || mount["mountPath"].text().starts_with(kSecrets)) continue;
      one.has_mount = true;
      one.volume = mount["name"].text();
      one.path = std::string(mount["mountPath"].text()).append("/app.log");
      break;
    }
  }
  const auto first = std::ranges::find_if(all, &OwnNames::has_mount);
  if (first != all.end()) std::rotate(all.begin(), first, all.end());
  if (all.empty()) all.emplace_back();
  return all;
}

std::string names_of(const Value& containers) {
  std::string names;
  for (const Value& container : containers.elements())
    if (container["name"].is_string())
      names.append(names.empty() ? "" : ",").append(container["name"].text());
  return names;
}

/// Puts names of `whole` into the annotations of a part of it, and of the templates below.
void put_names(Value& part, const Value& whole) {
  std::vector<std::pair<std::string, std::string>> changed;
  for (const auto& [key, value] : part["metadata"]["annotations"].members())
    if (has_own_names(value.text())) changed.emplace_back(key.text(), value_in(whole, value.text()));
  for (const auto& [key, text] : changed) part.edit("metadata").edit("annotations").set(key, text);
  if (const char* member = template_member(part)) put_names(part.edit("spec").edit(member), whole);
}

std::size_t option_of_field(const Trigger& trigger, const cases::Case& value) {
  const auto text_of = [](const Value& one) { return document::write_json(one); };
  if (trigger.key == kNamespaceField)
    return option_among(trigger, {Value(value.request.namespace_name)}, text_of);
  if (trigger.path.empty()) return 0;
  const Value &object = value.request.object, &of_pods = object["spec"]["template"];
  const auto own = values_at(object, trigger.path);  // a workload has what a Pod has in its template
  return option_among(trigger, own.empty() ? values_at(of_pods, trigger.path) : own, text_of);
}

std::size_t option_of_user(const Trigger& trigger, const cases::Case& value) {
  const cases::UserInfo user = value.request.user_info.value_or(cases::UserInfo{});
  std::vector<Value> present;
  const auto is_of_the_case = [&](const std::string& group) {
    return group != cases::kAuthenticated ||
           std::find(trigger.values.begin(), trigger.values.end(), group) != trigger.values.end();
  };
  if (trigger.key == kUserGroups)
    std::copy_if(user.groups.begin(), user.groups.end(), std::back_inserter(present), is_of_the_case);
  else if (!user.username.empty())
    present.push_back(user.username);
  return option_among(trigger, present, [](const Value& one) { return one.text(); });
}

const Value& metadata_of_namespace(const cases::Case& value) {
  const Value* found = value.cluster.find("Namespace", "", value.request.namespace_name);
  static const Value none;
  return found == nullptr ? none : (*found)["metadata"];
}

}  // namespace

Trigger trigger_of(Where where, std::string key, std::vector<std::string> values, bool is_rare) {
  Trigger trigger{.where = where, .key = std::move(key), .values = std::move(values), .is_rare = is_rare};
  if (where != Where::field) return trigger;
  if (auto path = parse_field_path(trigger.key)) trigger.path = *std::move(path);
  return trigger;
}

std::vector<KeyedValues> Vocabulary::common(Where where) const { return keyed(triggers, where, false); }
std::vector<KeyedValues> Vocabulary::rare(Where where) const { return keyed(triggers, where, true); }
void Vocabulary::add_common(Where where, const std::vector<KeyedValues>& keys) {
  for (const auto& [key, values] : keys) triggers.push_back(trigger_of(where, key, values));
}
void Vocabulary::add_rare(Where where, const std::vector<KeyedValues>& keys) {
  for (const auto& [key, values] : keys) triggers.push_back(trigger_of(where, key, values, true));
}

void learn_trigger(Vocabulary& vocabulary, Where where, std::string_view key,
                   std::optional<std::string_view> value, bool is_rare) {
  if (key.empty()) return;
  std::vector<Trigger>& all = vocabulary.triggers;
  const auto is_like = [&](const Trigger& one) { return one.where == where && one.is_rare == is_rare; };
  auto found = std::find_if(all.begin(), all.end(),
                            [&](const Trigger& one) { return is_like(one) && one.key == key; });
  if (found == all.end()) {
    if (std::count_if(all.begin(), all.end(), is_like) >= static_cast<std::ptrdiff_t>(kTriggersMax)) return;
    found = all.insert(all.end(), trigger_of(where, std::string(key), {}, is_rare));
  }
  auto& values = found->values;
  const bool is_of_label = where == Where::label || where == Where::namespace_label;
  if (value && is_of_label && !apiserver::validation::check_label_value(*value).empty()) return;
  if (value && values.size() < kTriggerValuesMax &&
      std::find(values.begin(), values.end(), *value) == values.end())
    values.emplace_back(*value);
}

void set_trigger_values(Vocabulary& vocabulary, Where where, std::string_view key,
                        const std::vector<std::string>& values) {
  for (Trigger& one : vocabulary.triggers)
    if (is_of(where, key)(one)) one.values = values;
}

void forget_trigger_value(Vocabulary& vocabulary, Where where, std::string_view key, std::string_view value) {
  const auto is_it = is_of(where, key);
  for (Trigger& one : vocabulary.triggers)
    if (is_it(one)) std::erase(one.values, value);
  std::erase_if(vocabulary.triggers, [&](const Trigger& one) { return is_it(one) && one.values.empty(); });
}

void complete(Vocabulary& vocabulary) {
  for (Trigger& one : vocabulary.triggers)
    if (one.values.empty()) one.values = samples_of(one.where, one.key);
}

std::vector<Trigger> triggers_of(const Vocabulary& vocabulary) {
  std::vector<Trigger> triggers;
  for (const Where where : kPlaces) {
    for (const bool is_rare : {false, true}) {
      for (const Trigger& one : vocabulary.triggers)
        if (one.where == where && one.is_rare == is_rare) add(triggers, one);
    }
  }
  return triggers;
}

bool has_own_names(std::string_view value) {
  return value.find("<name") != std::string_view::npos || value.find("<path") != std::string_view::npos;
}

std::string value_in(const Value& object, std::string_view value) {
  std::string text(value);
  if (!has_own_names(value)) return text;
  const Value* maker = &object;
  while (const char* member = template_member(*maker)) maker = &(*maker)["spec"][member];
  const Value& containers = (*maker)["spec"]["containers"];
  const std::vector<OwnNames> names = own_names(containers);
  std::size_t named = 0;  // containers
  const auto name_of = [&](std::string_view stands_for) -> std::string {
    if (stands_for == kContainerNames) return names_of(containers);
    if (stands_for == kContainerName) return names[named++ % names.size()].container;
    const OwnNames& last = names[(std::max<std::size_t>(named, 1) - 1) % names.size()];
    const OwnNames& one = last.has_mount ? last : names.front();
    return stands_for == kVolumeName ? one.volume : one.path;
  };
  for (auto at = text.find('<'); at != std::string::npos; at = text.find('<', at)) {
    const std::string_view rest = std::string_view(text).substr(at);
    const auto is_here = [&](std::string_view one) { return rest.starts_with(one); };
    constexpr std::array kAll{kContainerNames, kContainerName, kVolumeName, kPathInVolume};
    const auto stands_for = std::ranges::find_if(kAll, is_here);
    if (stands_for == kAll.end()) {
      ++at;
      continue;
    }
    const std::string name = name_of(*stands_for);
    text.replace(at, stands_for->size(), name);
    at += name.size();
  }
  return text;
}

void put_own_names(Value& object) {
  const Value whole = object;
  put_names(object, whole);
}

std::size_t option_of(const Trigger& trigger, const cases::Case& value) {
  switch (trigger.where) {
    case Where::label:
      return option_in(trigger, value.request.object["metadata"]["labels"]);
    case Where::annotation:
      return option_of_annotation(trigger, value.request.object);
    case Where::namespace_label:
      return option_in(trigger, metadata_of_namespace(value)["labels"]);
    case Where::namespace_annotation:
      return option_in(trigger, metadata_of_namespace(value)["annotations"]);
    case Where::user:
      return option_of_user(trigger, value);
    default:
      return option_of_field(trigger, value);
  }
}

}  // namespace fixpoint::runner
