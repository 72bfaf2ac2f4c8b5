#include "generators/fresh_values.h"

#include "generators/put_trigger.h"

namespace fixpoint::generators {

void FreshValues::take(const runner::Vocabulary& vocabulary) {
  for (const runner::Trigger& trigger : vocabulary.triggers) {
    if (trigger.where != Where::label && trigger.where != Where::annotation) continue;
    for (const std::string& value : trigger.values)
      if (known_.emplace(trigger.where, trigger.key, value).second)
        next_.push_back(runner::trigger_of(trigger.where, trigger.key, {value}));
  }
}

void FreshValues::put_next(cases::Case& value) {
  if (next_.empty()) return;
  put_trigger(value, next_.front(), 1);
  next_.pop_front();
}

}  // namespace fixpoint::generators
