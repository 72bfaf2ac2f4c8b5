#include "generators/offered_keys.h"

#include <gtest/gtest.h>

namespace fixpoint::generators {
namespace {

using KeyList = std::vector<std::string>;
using document::Value;

TEST(OfferedKeys, LeaveOneInEachMap) {
  OfferedKeys offered;
  runner::Choices choices(1, 1);
  Value pod{{"metadata", {{"labels", {{"a", "1"}, {"b", "1"}, {"c", "1"}}}}},
            {"spec", Value::empty_object()}};
  EXPECT_EQ(offered.keep_one(pod, choices), "") << "none is offered";
  offered.all() = {"a", "b"};
  const std::string kept = offered.keep_one(pod, choices);
  EXPECT_TRUE(offered.all().contains(kept));
  EXPECT_EQ(pod["metadata"]["labels"].members().size(), 2u);
  EXPECT_EQ(pod["metadata"]["labels"]["c"].text(), "1");
  Value deployment{{"metadata", {{"labels", {{"a", "1"}}}}},
                   {"spec", {{"template", {{"metadata", {{"annotations", {{"b", "1"}}}}}}}}}};
  EXPECT_EQ(offered.keep_one(deployment, choices), "") << "two maps have one each";
  EXPECT_EQ(deployment["spec"]["template"]["metadata"]["annotations"]["b"].text(), "1");
}

TEST(OfferedKeys, AreRefusedIfEachDenialSpeaksOfThatKeyAlone) {
  OfferedKeys offered;
  offered.all() = {"set.a", "set.0.id", "set.0.use", "set.1.id"};
  offered.take("set.a", {.denial = "label set.a has no right format"});
  offered.take("set.a", {});  // not called
  offered.take("set.0.id", {.has_changed = true});
  offered.take("set.0.id", {.denial = "set.0.id: no name"});
  offered.take("set.0.use", {.denial = "set.0.use without set.0.id"});
  EXPECT_EQ(offered.refused(), (KeyList{"set.a"}));
}

}  // namespace
}  // namespace fixpoint::generators
