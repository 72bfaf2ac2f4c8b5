#include "generators/pod/pod.h"

#include <array>

#include "generators/draw.h"
#include "generators/pod/feature.h"

namespace fixpoint::generators {

namespace {

/// How many of four keys that a webhook looks for are there.
constexpr std::array<std::uint64_t, 4> kDensities{3, 3, 2, 1};

void draw_tellings(Draft& draft, const std::vector<Words::Telling>& tellings, const char* map,
                   std::uint64_t quarters) {
  for (const auto& [key, values] : tellings) {
    if (draft.c.below(4) >= quarters || values.empty()) continue;
    draft.metadata.edit(map).set(key, draft.c.one_in(4) ? draft.c.pick(values) : values.front());
  }
}

/// One in so many of the rare words; 0: none of them. Most of them lead into a corner, many of those to a
/// refusal: a Pod with several hides what lies behind the others.
constexpr std::array<std::uint64_t, 8> kRarities{0, 0, 0, 0, 16, 4, 4, 4};

void draw_rare_tellings(Draft& draft, const std::vector<Words::Telling>& tellings, const char* map,
                        std::uint64_t rarity) {
  for (const auto& [key, values] : tellings) {
    if (draft.c.one_in(rarity) && !values.empty()) draft.metadata.edit(map).set(key, draft.c.pick(values));
  }
}

void draw_metadata(Draft& draft) {
  draft.metadata.set("name", "web");
  for (const Words* words : draft.vocabularies) {
    draw_tellings(draft, words->labels, "labels", draft.c.one_in(8) ? 0 : 4);
    draw_tellings(draft, words->annotations, "annotations", draft.c.pick(kDensities));
    if (words->rare_labels.empty() && words->rare_annotations.empty()) continue;
    const std::uint64_t rarity = draft.c.pick(kRarities);
    if (rarity == 0) continue;
    draw_rare_tellings(draft, words->rare_labels, "labels", rarity);
    draw_rare_tellings(draft, words->rare_annotations, "annotations", rarity);
  }
}

/// What most Pods of a webhook's users begin with; nullptr for the others.
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
  put_some(draft, Tier::common, draft.c.below(5));
  put_some(draft, Tier::exotic, draft.c.below(4));
  if (draft.c.one_in(12)) put_some(draft, Tier::defect, 1);
  for (const Words* words : draft.vocabularies) {
    if (!words->elements.empty() && draft.c.one_in(4)) put_alike(draft, *words);
    if (words->members.empty() || draft.c.coin()) continue;
    // What the webhook writes, users write too.
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
