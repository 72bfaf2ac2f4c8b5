#include "generators/crashing_values.h"

#include "harness/runner/learning/message_words.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::generators {

void CrashingValues::take(runner::Vocabulary& vocabulary, const document::Value& object,
                          std::string_view words) {
  using Where = runner::Trigger::Where;
  for (const auto& [map, where] :
       {std::pair("labels", Where::label), std::pair("annotations", Where::annotation)}) {
    for (const auto& [key, value] : object["metadata"][map].members()) {
      const std::string name(key.text()), text(value.text());
      if (text.empty() || !runner::is_quoted_in(words, text)) continue;
      const auto [first, is_new] = first_.emplace(name, text);
      if (!is_new && first->second != text) runner::forget_trigger_value(vocabulary, where, name, text);
    }
  }
}

}  // namespace fixpoint::generators
