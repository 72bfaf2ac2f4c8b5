#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "generators/pod/prepared_vocabulary.h"

namespace fixpoint::generators {

// The frequency with which a Case has a webhook's triggers: keys of labels and annotations, and fields.

/// Draws the share, in quarters, of the labels that a webhook looks for. It is mostly all of them; sometimes
/// some are missing, so that the branch without them is reached, too.
inline std::uint64_t quarters_of_labels(Choices& choices) {
  constexpr std::array<std::uint64_t, 8> kDensities{4, 4, 4, 4, 4, 4, 3, 0};
  return choices.pick(kDensities);
}
/// Draws the same share for so many labels: several are settings, as annotations are.
inline std::uint64_t quarters_of_labels(Choices& choices, std::size_t labels) {
  constexpr std::size_t kFew = 4;
  constexpr std::array<std::uint64_t, 8> kDensities{4, 4, 3, 3, 2, 1, 1, 0};
  return labels <= kFew ? quarters_of_labels(choices) : choices.pick(kDensities);
}
/// Draws the same share for annotations, many of which are settings.
inline std::uint64_t quarters_of_annotations(Choices& choices) {
  constexpr std::array<std::uint64_t, 4> kDensities{3, 3, 2, 1};
  return choices.pick(kDensities);
}
/// Draws n, so that one in n of the rare entries of a vocabulary is used; 0 for none. Most rare entries lead
/// to a special case, and many to a refusal: in a Pod with several, one hides the effects of the others.
inline std::uint64_t draw_rarity(Choices& choices) {
  constexpr std::array<std::uint64_t, 8> kRarities{0, 0, 0, 0, 16, 4, 4, 4};
  return choices.pick(kRarities);
}

/// Calls `put(word, value)` for `quarters` out of four entries, mostly with their first value.
template <class Word, class Put>
void draw_common(Choices& choices, const std::vector<Word>& prepared_vocabulary, std::uint64_t quarters,
                 const Put& put) {
  for (const Word& word : prepared_vocabulary) {
    if (choices.below(4) >= quarters || word.values.empty()) continue;
    put(word, choices.one_in(4) ? choices.pick(word.values) : word.values.front());
  }
}

/// The approximate limit on the rare entries in one Pod: an executable contains dozens of them.
constexpr std::uint64_t kRareWordsAtOnce = 4;

/// Calls `put(word, value)` for one in `rarity` of the entries, with any of their values; for a smaller share
/// if there are many entries.
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
