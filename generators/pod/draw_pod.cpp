#include "generators/pod/draw_pod.h"

#include <algorithm>
#include <array>
#include <utility>

#include "generators/pod/draw_triggers.h"
#include "generators/pod/feature.h"
#include "harness/runner/learning/named_objects.h"

namespace fixpoint::generators {

namespace {

void draw_metadata(PodBuilder& builder) {
  // Controllers create most Pods, and leave the name to the server.
  if (builder.c.coin())
    builder.metadata.set("name", "web");
  else
    builder.metadata.set("generateName", "web-");
  for (const PreparedVocabulary* vocabulary : builder.vocabularies) {
    const auto into = [&](const char* map) {
      return [&builder, map](const PreparedVocabulary::KeyedValues& key, const Value& value) {
        builder.metadata.edit(map).set(key.key, value);
      };
    };
    draw_common(builder.c, vocabulary->labels, quarters_of_labels(builder.c, vocabulary->labels.size()),
                into("labels"));
    draw_common(builder.c, vocabulary->annotations, quarters_of_annotations(builder.c), into("annotations"));
    if (vocabulary->rare_labels.empty() && vocabulary->rare_annotations.empty()) continue;
    const std::uint64_t rarity = draw_rarity(builder.c);
    if (rarity == 0) continue;
    draw_rare(builder.c, vocabulary->rare_labels, rarity, into("labels"));
    draw_rare(builder.c, vocabulary->rare_annotations, rarity, into("annotations"));
  }
}

/// Draws the fields of the vocabularies. Runs after the containers, which a field may belong to; features
/// that are added later do not overwrite the fields.
void draw_fields(PodBuilder& builder) {
  const auto put_in = [&](const PreparedVocabulary::Field& field, const Value& value) {
    Value& part = field.is_of_spec ? builder.spec : builder.metadata;
    const auto there = runner::values_at(part, field.path);
    if (std::find(there.begin(), there.end(), value) == there.end())
      runner::set_field(part, field.path, value);
  };
  for (const PreparedVocabulary* vocabulary : builder.vocabularies) {
    if (!vocabulary->fields.empty())
      draw_common(builder.c, vocabulary->fields, quarters_of_labels(builder.c), put_in);
    if (!vocabulary->rare_fields.empty())
      draw_rare(builder.c, vocabulary->rare_fields, draw_rarity(builder.c), put_in);
  }
  for (Value& object : runner::objects_named_by(builder.spec, builder.namespace_name))
    builder.objects.push_back(std::move(object));
}

/// Returns the first container that most Pods of a webhook's users have; in the other Cases nullptr.
const Value* main_container(PodBuilder& builder) {
  for (const PreparedVocabulary* vocabulary : builder.vocabularies) {
    const auto& names = vocabulary->names[NameKind::main_container];
    if (!names.empty() && !builder.c.one_in(4)) return &builder.c.pick(names);
  }
  return nullptr;
}

void draw_containers(PodBuilder& builder) {
  static constexpr std::array<const char*, 3> kImages{"x:1", "app:2", "registry.example/app:2"};
  const int count = builder.c.coin() ? builder.c.between(2, 3) : 1;
  for (int i = 0; i < count; ++i) {
    const Value* main = i == 0 ? main_container(builder) : nullptr;
    const Value name = main != nullptr ? *main : builder.fresh_container_name(NameKind::container);
    builder.spec.edit("containers").push_back({{"name", name}, {"image", builder.c.pick(kImages)}});
  }
}

void put_some(PodBuilder& builder, Tier tier, std::uint64_t count) {
  for (; count > 0; --count) put(*builder.c.pick(features_of(tier)), builder);
}

}  // namespace

void draw_into(PodBuilder& builder) {
  draw_metadata(builder);
  draw_containers(builder);
  draw_fields(builder);
  draw_features(builder);
}

void draw_features(PodBuilder& builder) {
  put_longer_list(builder);
  put_some(builder, Tier::common, builder.c.below(5));
  put_some(builder, Tier::exotic, builder.c.below(4));
  if (builder.c.one_in(12)) put_some(builder, Tier::defect, 1);
  for (const PreparedVocabulary* vocabulary : builder.vocabularies) {
    if (!vocabulary->elements.empty() && builder.c.one_in(4)) put_alike(builder, *vocabulary);
    if (vocabulary->members.empty() || builder.c.coin()) continue;
    // Users also write the members that the webhook writes.
    const auto about = features_about(builder.c.pick(vocabulary->members));
    if (!about.empty()) put(*builder.c.pick(about), builder);
  }
}

Value pod_of(const PodBuilder& builder) {
  return {{"apiVersion", "v1"}, {"kind", "Pod"}, {"metadata", builder.metadata}, {"spec", builder.spec}};
}

}  // namespace fixpoint::generators
