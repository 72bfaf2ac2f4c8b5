#include <gtest/gtest.h>

#include <array>

#include "harness/document/base64.h"
#include "injectors/kserve/go_json.h"
#include "injectors/kserve/sha256.h"

namespace fixpoint::injectors::kserve {
namespace {

constexpr GoField kInner[] = {{"path"}, {"parameters", GoKind::texts}};
constexpr GoField kFields[] = {{"image"},
                               {"enabled", GoKind::boolean},
                               {"uid", GoKind::integer, 1200},
                               {"storage", GoKind::object, 0, kInner}};

TEST(GoJson, FillsAStruct) {
  const auto read =
      unmarshal(R"({"Image":"x","ENABLED":true,"other":[1],"uid":7,"storage":null})", kFields, 1200);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ((*read)["image"].text(), "x");
  EXPECT_TRUE((*read)["enabled"].is_true());
  EXPECT_EQ((*read)["uid"].text(), "7");
  EXPECT_TRUE((*read)["storage"].is_null());
  EXPECT_EQ(
      (*unmarshal(R"({"storage":{"parameters":{"a":null,"b":"c"}}})", kFields, 0))["storage"]["parameters"],
      (Value{{"a", ""}, {"b", "c"}}));
  EXPECT_TRUE(unmarshal("null", kFields, 0)->is_null());
}

TEST(GoJson, RefusesOtherTypes) {
  for (const char* text :
       {"", "[]", "1", "{", R"({"image":1})", R"({"enabled":"true"})", R"({"uid":1.5})", R"({"uid":1e3})",
        R"({"uid":"1"})", R"({"storage":[]})", R"({"storage":{"parameters":{"a":1}}})"}) {
    EXPECT_FALSE(unmarshal(text, kFields, 1200).has_value()) << text;
  }
  EXPECT_TRUE(unmarshal(R"({"uid":"1"})", kFields, 1102).has_value());  // the member is not declared yet
}

TEST(GoJson, DecodesBase64) {
  EXPECT_EQ(document::decode_base64("aWQ="), "id");
  EXPECT_EQ(document::decode_base64(""), "");
  EXPECT_EQ(document::decode_base64("a2V5"), "key");
  for (const char* bad : {"a", "aW", "aW=", "a*==", "=aWQ", "aWQ=aWQ="})
    EXPECT_FALSE(document::decode_base64(bad)) << bad;
}

TEST(GoJson, ParsesIntegers) {
  EXPECT_EQ(parse_integer("-5"), -5);
  EXPECT_EQ(parse_integer("+5"), 5);
  for (const char* bad : {"", "+", "+-5", "1.0", " 1", "0x1", "9223372036854775808"})
    EXPECT_FALSE(parse_integer(bad)) << bad;
}

/// Test vectors of FIPS 180-4, and lengths around the border of a block.
TEST(Sha256, KnownSums) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000, 'a')),
            "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3");
}

}  // namespace
}  // namespace fixpoint::injectors::kserve
