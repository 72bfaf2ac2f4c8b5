#include "harness/campaign/learned_lines.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "harness/document/printable.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::campaign {

namespace {

using runner::Trigger;

constexpr std::size_t kLinesMax = 3, kValuesMax = 4, kKeysMax = 12;

std::string_view word_of(Trigger::Where where) {
  switch (where) {
    case Trigger::Where::label:
      return "label";
    case Trigger::Where::annotation:
      return "annotation";
    case Trigger::Where::namespace_label:
      return "label of the namespace";
    case Trigger::Where::namespace_annotation:
      return "annotation of the namespace";
    default:
      return "field";
  }
}

/// Returns the triggers whose key a text spells, the surest first.
std::vector<Trigger> spelled_triggers(const runner::Subject& subject) {
  std::vector<Trigger> triggers = runner::triggers_of(subject.vocabulary);
  std::erase_if(triggers, [&](const Trigger& one) {
    return !subject.vocabulary.places.contains(one.key);
  });
  std::stable_sort(triggers.begin(), triggers.end(),
                   [](const Trigger& a, const Trigger& b) { return a.is_rare < b.is_rare; });
  return triggers;
}

std::string line_of(const Trigger& trigger, const std::string& place) {
  std::string values;
  for (std::size_t i = 0; i < std::min(trigger.values.size(), kValuesMax); ++i)
    values += (i > 0 ? " | " : "") + trigger.values[i];
  return document::printable("learned: " + std::string(word_of(trigger.where)) + " " + trigger.key + " = " +
                             values + ", from " + place) +
         "\n";
}

}  // namespace

std::string learned_lines(const runner::Subject& subject, bool all) {
  const std::vector<Trigger> triggers = spelled_triggers(subject);
  const bool is_cut = !all && triggers.size() > kLinesMax;
  const std::size_t shown = is_cut ? kLinesMax - 1 : triggers.size();
  std::string out;
  for (std::size_t i = 0; i < shown; ++i)
    out += line_of(triggers[i], subject.vocabulary.places.at(triggers[i].key));
  if (is_cut)
    out += "learned: " + std::to_string(triggers.size() - shown) + " keys more, which --all prints\n";
  return out;
}

std::string tried_lines(const runner::Subject& subject) {
  std::vector<std::string> keys;
  for (const Trigger& trigger : runner::triggers_of(subject.vocabulary))
    if (std::find(keys.begin(), keys.end(), trigger.key) == keys.end()) keys.push_back(trigger.key);
  std::string out = "tried:  ";
  for (std::size_t i = 0; i < std::min(keys.size(), kKeysMax); ++i) out += (i > 0 ? ", " : "") + keys[i];
  if (keys.empty()) out += "no key, since none is known";
  if (keys.size() > kKeysMax) out += " and " + std::to_string(keys.size() - kKeysMax) + " more";
  const bool takes_pods =
      subject.kinds.empty() || std::ranges::any_of(subject.kinds, &runner::DrawnKind::is_pod);
  return document::printable(out) + (takes_pods ? "\nhelp:   a Pod" : "\nhelp:   an object") +
         " that the webhook is meant for and the objects that it reads, such as a Secret or a "
         "custom resource\n        (--example FILE), or its sources (--code DIR)\n";
}

}  // namespace fixpoint::campaign
