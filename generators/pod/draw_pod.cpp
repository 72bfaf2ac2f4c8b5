#include "generators/pod/draw_pod.h"

#include <algorithm>
#include <array>
#include <utility>

#include "generators/draw.h"
#include "generators/pod/draw_triggers.h"
#include "generators/pod/feature.h"
#include "harness/runner/named_objects.h"

namespace fixpoint::generators {

namespace {

void draw_metadata(Draft& draft) {
  // Controllers make most Pods, and leave the name to the server.
  if (draft.c.coin())
    draft.metadata.set("name", "web");
  else
    draft.metadata.set("generateName", "web-");
  for (const Words* words : draft.vocabularies) {
    const auto into = [&](const char* map) {
      return [&draft, map](const Words::Telling& key, const Value& value) {
        draft.metadata.edit(map).set(key.key, value);
      };
    };
    draw_common(draft.c, words->labels, quarters_of_labels(draft.c), into("labels"));
    draw_common(draft.c, words->annotations, quarters_of_annotations(draft.c), into("annotations"));
    if (words->rare_labels.empty() && words->rare_annotations.empty()) continue;
    const std::uint64_t rarity = draw_rarity(draft.c);
    if (rarity == 0) continue;
    draw_rare(draft.c, words->rare_labels, rarity, into("labels"));
    draw_rare(draft.c, words->rare_annotations, rarity, into("annotations"));
  }
}

/// After the containers, of which a field may be part of one; what features add later leaves it alone.
void draw_fields(Draft& draft) {
  const auto put_in = [&](const Words::Field& field, const Value& value) {
    Value& part = field.is_of_spec ? draft.spec : draft.metadata;
    const auto there = runner::values_at(part, field.path);
    if (std::find(there.begin(), there.end(), value) == there.end())
      runner::set_field(part, field.path, value);
  };
  for (const Words* words : draft.vocabularies) {
    if (!words->fields.empty()) draw_common(draft.c, words->fields, quarters_of_labels(draft.c), put_in);
    if (!words->rare_fields.empty()) draw_rare(draft.c, words->rare_fields, draw_rarity(draft.c), put_in);
  }
  for (Value& object : runner::objects_named_by(draft.spec, draft.namespace_name))
    draft.objects.push_back(std::move(object));
}

/// Draws the first container in most Pods of a webhook's users; nullptr for the others.
const Value* main_container(Draft& draft) {
  for (const Words* words : draft.vocabularies) {
    if (!words->main_containers.empty() && !draft.c.one_in(4)) return &draft.c.pick(words->main_containers);
  }
  return nullptr;
}

void draw_containers(Draft& draft) {
  static constexpr std::array<const char*, 3> kImages{"x:1", "app:2", "registry.example/app:2"};
  const int count = draft.c.coin() ? draft.c.between(2, 3) : 1;
  for (int i = 0; i < count; ++i) {
    const Value* main = i == 0 ? main_container(draft) : nullptr;
    const Value name = main != nullptr ? *main : draft.fresh_container_name(&Words::containers);
    draft.spec.edit("containers").push_back({{"name", name}, {"image", draft.c.pick(kImages)}});
  }
}

void put_some(Draft& draft, Tier tier, std::uint64_t count) {
  for (; count > 0; --count) put(*draft.c.pick(features_of(tier)), draft);
}

}  // namespace

void draw_into(Draft& draft) {
  draw_metadata(draft);
  draw_containers(draft);
  draw_fields(draft);
  draw_features(draft);
}

void draw_features(Draft& draft) {
  put_longer_list(draft);
  put_some(draft, Tier::common, draft.c.below(5));
  put_some(draft, Tier::exotic, draft.c.below(4));
  if (draft.c.one_in(12)) put_some(draft, Tier::defect, 1);
  for (const Words* words : draft.vocabularies) {
    if (!words->elements.empty() && draft.c.one_in(4)) put_alike(draft, *words);
    if (words->members.empty() || draft.c.coin()) continue;
    // Users also write the members that the webhook writes.
    const auto about = features_about(draft.c.pick(words->members));
    if (!about.empty()) put(*draft.c.pick(about), draft);
  }
}

Value pod_of(const Draft& draft) {
  return {{"apiVersion", "v1"}, {"kind", "Pod"}, {"metadata", draft.metadata}, {"spec", draft.spec}};
}

Value draw_pod(Choices& choices, const std::vector<const runner::Vocabulary*>& vocabularies) {
  std::vector<Words> words;
  std::vector<const Words*> known;
  for (const runner::Vocabulary* vocabulary : vocabularies) words.push_back(words_of(*vocabulary));
  for (const Words& one : words) known.push_back(&one);
  Draft draft{.c = choices, .vocabularies = known};
  draw_into(draft);
  return pod_of(draft);
}

}  // namespace fixpoint::generators
