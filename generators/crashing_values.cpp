#include "generators/crashing_values.h"

#include "harness/runner/learning/trigger.h"

namespace fixpoint::generators {

namespace {

/// Returns true if the words have the value in quotation marks.
bool is_quoted(std::string_view words, std::string_view value) {
  for (auto at = words.find(value); at != std::string_view::npos; at = words.find(value, at + 1)) {
    const char before = at == 0 ? ' ' : words[at - 1];
    const auto end = at + value.size();
    if ((before == '\'' || before == '"' || before == '`') && end < words.size() && words[end] == before)
      return true;
  }
  return false;
}

}  // namespace

void CrashingValues::take(runner::Vocabulary& vocabulary, const document::Value& object,
                          std::string_view words) {
  using Where = runner::Trigger::Where;
  for (const auto& [map, where] :
       {std::pair("labels", Where::label), std::pair("annotations", Where::annotation)}) {
    for (const auto& [key, value] : object["metadata"][map].members()) {
      const std::string name(key.text()), text(value.text());
      if (text.empty() || !is_quoted(words, text)) continue;
      const auto [first, is_new] = first_.emplace(name, text);
      if (!is_new && first->second != text) runner::forget_trigger_value(vocabulary, where, name, text);
    }
  }
}

}  // namespace fixpoint::generators
