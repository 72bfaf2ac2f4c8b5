#include "generators/fresh_values.h"

#include <gtest/gtest.h>

namespace fixpoint::generators {
namespace {

using Where = runner::Trigger::Where;

cases::Case plain() {
  cases::Case value;
  value.request.object = {{"kind", "Pod"}, {"metadata", {{"name", "a"}}}};
  return value;
}

TEST(FreshValues, ArePutIntoOneObjectEach) {
  runner::Vocabulary words;
  runner::learn_trigger(words, Where::annotation, "files", "a:b");
  FreshValues fresh;
  fresh.take(words);
  runner::learn_trigger(words, Where::annotation, "files", "a:b,c");
  runner::learn_trigger(words, Where::namespace_label, "of", "another");
  fresh.take(words);
  for (const char* expected : {"a:b", "a:b,c", ""}) {
    cases::Case value = plain();
    fresh.put_next(value);
    EXPECT_EQ(value.request.object["metadata"]["annotations"]["files"].text(), expected);
  }
}

}  // namespace
}  // namespace fixpoint::generators
