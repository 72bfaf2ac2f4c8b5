#include "harness/document/pick.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace fixpoint::document {
namespace {

/// Whatever an object holds, and how often: what is picked is what a lookup finds.
RC_GTEST_PROP(Pick, IsALookupOfEachName, ()) {
  const auto names = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "name", "image", "ports", "terminationMessagePolicy", "terminationMessagePath", "other", ""));
  Value object = Value::empty_object();
  for (std::size_t i = 0; i < names.size(); ++i)
    object.edit_members().push_back({names[i], static_cast<int>(i)});
  const auto [name, image, ports, policy] =
      pick<"name", "image", "ports", "terminationMessagePolicy">(object);
  RC_ASSERT(name.same(object["name"]));
  RC_ASSERT(image.same(object["image"]));
  RC_ASSERT(ports.same(object["ports"]));
  RC_ASSERT(policy.same(object["terminationMessagePolicy"]));
}

TEST(Pick, OfWhatIsNoObjectIsNothing) {
  for (const Value& value : {Value(), Value("name"), Value::list({"name"})}) {
    const auto [name] = pick<"name">(value);
    EXPECT_TRUE(name.is_null());
  }
}

}  // namespace
}  // namespace fixpoint::document
