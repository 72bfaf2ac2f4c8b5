#include <gtest/gtest.h>

#include <algorithm>

#include "generators/draw.h"
#include "harness/apiserver/decoding/decode.h"
#include "harness/document/json.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::apiserver {
namespace {

using document::Value;

Value read_again(const Value& value) {
  return *document::read_json(document::write_json(value), {}, document::Strictness::foreign);
}

Value reversed(const Value& value) {
  Value out = value;
  if (value.is_array()) {
    for (Value& element : out.edit_elements()) element = reversed(element);
  } else if (value.is_object()) {
    auto& members = out.edit_members();
    std::reverse(members.begin(), members.end());
    for (document::Member& member : members) member.value = reversed(member.value);
  }
  return out;
}

/// Members in the order of the type are decoded by another path of the code than members in any other order.
TEST(Decode, DoesNotMindTheOrderOfMembers) {
  const generators::DrawContext draw_context({.subjects = injectors::newest(injectors::Role::subject)});
  for (std::uint64_t index = 0; index < 300; ++index) {
    runner::Choices choices(36, index);
    const Value sent = generators::draw(choices, draw_context).request.object;
    for (const int minor : {kOldestMinor, kNewestMinor}) {
      const auto in_order = decode_pod(read_again(sent), minor);
      const auto tangled = decode_pod(reversed(read_again(sent)), minor);
      ASSERT_EQ(in_order.ok(), tangled.ok()) << document::write_json(sent);
      if (in_order) {
        EXPECT_EQ(document::write_json(*in_order), document::write_json(*tangled));
      }
    }
  }
}

}  // namespace
}  // namespace fixpoint::apiserver
