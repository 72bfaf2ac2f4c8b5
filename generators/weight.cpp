#include "generators/weight.h"

#include "generators/simple_neighbours.h"

namespace fixpoint::generators {

namespace {

using document::Value;

void add_text(Weight& weight, std::string_view text) {
  weight.letters += text.size();
  for (char c : text) weight.height += static_cast<unsigned char>(c);
}

void add_part(Weight& weight, std::string_view text = {}) {
  ++weight.parts;
  add_text(weight, text);
}

void add(Weight& weight, const Value& value) {
  add_part(weight, value.is_true() ? "t" : value.text());
  for (const Value& element : value.elements()) add(weight, element);
  for (const auto& member : value.members()) {
    add_text(weight, member.key.text());
    add(weight, member.value);
  }
}

void add_request(Weight& weight, const cases::Request& request) {
  if (request.is_update()) add_part(weight), add(weight, request.old_object);
  if (request.namespace_name != "default") add_part(weight, request.namespace_name);
  if (!request.sub_resource.empty()) add_part(weight, request.sub_resource);
  if (request.dry_run) add_part(weight);
  if (!request.managed_fields) add_part(weight);
  if (request.user_info) add_part(weight), add(weight, cases::write_user(*request.user_info));
  add(weight, request.object);
}

/// Plain neighbours weigh less than all other webhooks, and each weighs less than the next one, whatever its
/// configuration contains.
constexpr std::uint64_t kPartsOfRank = 8, kPartsOfOthers = 128;

void add_backend(Weight& weight, const cases::Backend& backend) {
  const auto* script = std::get_if<cases::Script>(&backend);
  const auto rank = script == nullptr ? std::nullopt : simplicity_rank(*script);
  weight.parts += rank ? *rank * kPartsOfRank : kPartsOfOthers;
  if (script != nullptr && !rank) add(weight, script->source);
  if (const auto* injector = std::get_if<cases::InjectorName>(&backend)) add_text(weight, injector->name);
}

}  // namespace

Weight weight_of(const Value& value) {
  Weight weight;
  add(weight, value);
  return weight;
}

namespace {

Weight weight_without_objects(const cases::Case& value) {
  Weight weight;
  if (!value.name.empty()) add_part(weight, value.name);
  if (!value.note.empty()) add_part(weight, value.note);
  add_request(weight, value.request);
  if (value.cluster.version != cases::kNewestVersion) add_part(weight);
  weight.parts += value.cluster.admission_plugins.size() + value.cluster.plugin_settings.size();
  for (const auto& [key, backend] : value.webhooks) {
    add_part(weight, key);
    add_backend(weight, backend);
  }
  for (const cases::Fault& fault : value.faults) {
    add_part(weight, fault.fault);
    if (fault.call) add_part(weight);
  }
  return weight;
}

}  // namespace

Weight& Weight::operator+=(const Weight& other) {
  parts += other.parts;
  letters += other.letters;
  height += other.height;
  return *this;
}

Weight weight_of(const cases::Case& value) {
  Weight weight = weight_without_objects(value);
  for (const Value& object : value.cluster.objects) add(weight, object);
  return weight;
}

CaseWeight case_weight_of(const cases::Case& value) { return case_weight_of(value, {}, {}); }

CaseWeight case_weight_of(const cases::Case& variant, const cases::Case& known, const CaseWeight& weight) {
  CaseWeight result{.whole = weight_without_objects(variant)};
  const auto& objects = known.cluster.objects;
  std::size_t next = 0;  // most objects follow each other as before
  for (const Value& object : variant.cluster.objects) {
    std::size_t at = next;
    while (at < objects.size() && !objects[at].same(object)) ++at;
    const bool is_known = at < objects.size();
    result.objects.push_back(is_known ? weight.objects[at] : weight_of(object));
    result.whole += result.objects.back();
    if (is_known) next = at + 1;
  }
  return result;
}

}  // namespace fixpoint::generators
