#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "generators/pod/prepared_vocabulary.h"

namespace fixpoint::generators {

// The frequency with which a Case has a webhook's triggers: keys of labels and annotations, and fields.

/// The share, in quarters, of the labels that a webhook looks for: mostly all. Sometimes one is missing, so
/// that the branch without it is reached, too.
inline std::uint64_t quarters_of_labels(Choices& choices) {
  constexpr std::array<std::uint64_t, 8> kDensities{4, 4, 4, 4, 4, 4, 3, 0};
  return choices.pick(kDensities);
}
/// The same of annotations, of which many are settings.
inline std::uint64_t quarters_of_annotations(Choices& choices) {
  constexpr std::array<std::uint64_t, 4> kDensities{3, 3, 2, 1};
  return choices.pick(kDensities);
}
/// One in so many of the rare words is drawn; 0: none of them. Most of them lead to a special case, and many
/// to a refusal: in a Pod with several, one hides the effects of the others.
inline std::uint64_t draw_rarity(Choices& choices) {
  constexpr std::array<std::uint64_t, 8> kRarities{0, 0, 0, 0, 16, 4, 4, 4};
  return choices.pick(kRarities);
}

/// Calls `put(word, value)` for so many quarters of the words, mostly with their first value.
template <class Word, class Put>
void draw_common(Choices& choices, const std::vector<Word>& prepared_vocabulary, std::uint64_t quarters,
                 const Put& put) {
  for (const Word& word : prepared_vocabulary) {
    if (choices.below(4) >= quarters || word.values.empty()) continue;
    put(word, choices.one_in(4) ? choices.pick(word.values) : word.values.front());
  }
}

/// The approximate limit on the rare words of a Pod: an executable contains dozens of them.
constexpr std::uint64_t kRareWordsAtOnce = 4;

/// Calls `put(word, value)` for one in `rarity` of the words, with any of their values; of many words for
/// fewer.
template <class Word, class Put>
void draw_rare(Choices& choices, const std::vector<Word>& prepared_vocabulary, std::uint64_t rarity,
               const Put& put) {
  if (rarity == 0) return;
  rarity = std::max(rarity, prepared_vocabulary.size() / kRareWordsAtOnce);
  for (const Word& word : prepared_vocabulary) {
    if (choices.one_in(rarity) && !word.values.empty()) put(word, choices.pick(word.values));
  }
}

}  // namespace fixpoint::generators
