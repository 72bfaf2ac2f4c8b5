#include <gtest/gtest.h>

#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/validation/validate.h"
#include "harness/document/json.h"

namespace fixpoint::apiserver {
namespace {

using document::Value;

/// A stored Pod with two plain init containers that request the given amounts.
Value with_init_requests(const char* cpu) {
  const auto init = [&](const char* name) {
    return Value{{"name", name}, {"image", "i:1"}, {"resources", {{"requests", {{"cpu", cpu}}}}}};
  };
  const Value pod{
      {"metadata", {{"name", "p"}, {"namespace", "default"}, {"uid", "1"}, {"resourceVersion", "1"}}},
      {"spec",
       {{"initContainers", Value::list({init("one"), init("two")})},
        {"containers",
         Value::list(
             {Value{{"name", "main"}, {"image", "x:1"}, {"resources", {{"requests", {{"cpu", "1"}}}}}}})}}}};
  return default_pod(pod);
}

/// Before 1.35 the size of a plain init container is immutable, and each change is an error of its own
/// (ValidatePodResize).
TEST(Resize, RefusesEachPlainInitContainer) {
  const Value old = with_init_requests("1"), now = with_init_requests("2");
  const auto errors = validate_resize(now, old, 35);
  ASSERT_EQ(errors.size(), 2u);
  for (const auto& error : errors) {
    EXPECT_EQ(error.field, "spec");
    EXPECT_EQ(error.type, "FieldValueForbidden");
  }
  EXPECT_TRUE(validate_resize(old, old, 35).empty());
}

}  // namespace
}  // namespace fixpoint::apiserver
