#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "generators/pod/words.h"

namespace fixpoint::generators {

// How often a Case has what makes a webhook act: keys of labels and annotations, and fields.

/// How many of four labels that a webhook looks for are there: mostly all. Now and then some are not, so that
/// the branch without one of them is reached, too.
inline std::uint64_t quarters_of_labels(Choices& choices) {
  constexpr std::array<std::uint64_t, 8> kDensities{4, 4, 4, 4, 4, 4, 3, 0};
  return choices.pick(kDensities);
}
/// The same of annotations, of which many are settings.
inline std::uint64_t quarters_of_annotations(Choices& choices) {
  constexpr std::array<std::uint64_t, 4> kDensities{3, 3, 2, 1};
  return choices.pick(kDensities);
}
/// One in so many of the rare words; 0: none of them. Most of them lead into a corner, many of those to a
/// refusal: a Pod with several hides what lies behind the others.
inline std::uint64_t draw_rarity(Choices& choices) {
  constexpr std::array<std::uint64_t, 8> kRarities{0, 0, 0, 0, 16, 4, 4, 4};
  return choices.pick(kRarities);
}

/// Calls `put(word, value)` for so many quarters of the words, mostly with their first value.
template <class Word, class Put>
void draw_common(Choices& choices, const std::vector<Word>& words, std::uint64_t quarters, const Put& put) {
  for (const Word& word : words) {
    if (choices.below(4) >= quarters || word.values.empty()) continue;
    put(word, choices.one_in(4) ? choices.pick(word.values) : word.values.front());
  }
}

/// A Pod has about so many of the rare words at most: of the strings of an executable there are dozens.
constexpr std::uint64_t kRareWordsAtOnce = 4;

/// Calls `put(word, value)` for one in `rarity` of the words, with any of their values; of many words for
/// fewer.
template <class Word, class Put>
void draw_rare(Choices& choices, const std::vector<Word>& words, std::uint64_t rarity, const Put& put) {
  if (rarity == 0) return;
  rarity = std::max(rarity, words.size() / kRareWordsAtOnce);
  for (const Word& word : words) {
    if (choices.one_in(rarity) && !word.values.empty()) put(word, choices.pick(word.values));
  }
}

}  // namespace fixpoint::generators
