#include "harness/webhooks/sent_patch.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "harness/document/json.h"
#include "harness/document/patch.h"
#include "harness/document/random_document_model.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::webhooks {
namespace {

/// An answer made of the changed object is read like an answer made of its patch.
RC_GTEST_PROP(SentPatch, AChangeIsThePatchThatMakesIt, ()) {
  const document::Choose choose = [](std::uint32_t bound) {
    return *rc::gen::inRange<std::uint32_t>(0, bound);
  };
  const Value before{{"x", document::random_document(choose, 3, false)}};
  const Value after{{"x", document::random_document(choose, 3, false)}};
  const Answer made = allow_change(before, after), sent = allow(document::diff(before, after));
  RC_ASSERT(made.patch == sent.patch);
  RC_ASSERT(made.patch_type == sent.patch_type);
  RC_ASSERT(made.patch.is_made() == sent.patch.has_value());
  RC_ASSERT(!sent.patch.is_made());
  const Value other{{"x", document::random_document(choose, 2, false)}};
  RC_ASSERT((made.patch == allow_change(before, other).patch) ==
            (document::diff(before, after) == document::diff(before, other)));
  RC_ASSERT(allow_change(before, Value{{"x", after["x"]}}).patch == made.patch);
  if (!made.patch) return;
  RC_ASSERT(document::apply_patch(before, *made.patch).document == *made.patch.made_from(before));
  RC_ASSERT(sent.patch.made_from(before) == nullptr);
}

TEST(SentPatch, IsMadeFromOneObjectOnly) {
  const Value before{{"a", 1}}, equal = *document::read_json(R"({"a":1})");
  const SentPatch patch(before, Value{{"a", 2}}, document::diff);
  ASSERT_NE(patch.made_from(before), nullptr);
  EXPECT_EQ((*patch.made_from(before))["a"].text(), "2");
  EXPECT_EQ(patch.made_from(equal), nullptr) << "an equal object may have another order";
  EXPECT_EQ(document::write_json(*patch), R"([{"op":"replace","path":"/a","value":2}])");
}

TEST(SentPatch, IsNothingUntilSomethingIsSent) {
  SentPatch patch;
  EXPECT_FALSE(patch);
  EXPECT_EQ(patch.value_or(Value("none")).text(), "none");
  patch = Value::empty_list();
  EXPECT_TRUE(patch);
  patch.reset();
  EXPECT_FALSE(patch);
}

}  // namespace
}  // namespace fixpoint::webhooks
