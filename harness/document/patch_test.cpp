#include "harness/document/patch.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <fstream>

#include "harness/document/json.h"
#include "harness/document/patch_model.h"
#include "harness/document/random_document_model.h"

namespace fixpoint::document {
namespace {

Value json(std::string_view text) {
  auto read = read_json(text, {}, Strictness::foreign);
  EXPECT_TRUE(read.ok()) << text;
  return read ? *read : Value();
}

/// The patched document as text, or the kind of the problem.
std::string patched(std::string_view document, std::string_view patch, const Limits& limits = {}) {
  const auto outcome = apply_patch(json(document), json(patch), limits);
  return outcome.ok() ? write_json(outcome.document) : std::string(name_of(outcome.problem->kind));
}

TEST(Patch, AgreesWithEveryRecordedVector) {
  std::ifstream file(FIXPOINT_SOURCE "/corpus/conformance/kubernetes/patch.ndjson");
  std::size_t lines = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    const Value vector = json(line);
    const auto outcome = apply_patch(vector["doc"], vector["patch"]);
    const auto plain = apply_patch_plainly(vector["doc"], vector["patch"]);
    EXPECT_TRUE(same_outcome(outcome, plain)) << line;
    if (const Value* wanted = vector.find("out")) {
      EXPECT_TRUE(outcome.ok()) << line;
      EXPECT_EQ(write_go_json(sorted(outcome.document)), write_go_json(sorted(*wanted))) << line;
    } else {
      ASSERT_FALSE(outcome.ok()) << line;
      const bool is_syntax = outcome.problem->kind == PatchProblem::Kind::syntax;
      EXPECT_EQ(is_syntax ? "syntax" : "apply", vector["error"].text()) << line;
    }
  }
  EXPECT_EQ(lines, 800u);
}

TEST(Patch, IsLenientWhereTheLibraryIs) {
  EXPECT_EQ(patched(R"({"a":1})", R"([{"op":"replace","path":"/b","value":2}])"), R"({"a":1,"b":2})");
  EXPECT_EQ(patched(R"({"a":1})", R"([{"op":"copy","from":"/x","path":"/b"}])"), R"({"a":1,"b":null})");
  EXPECT_EQ(patched(R"({"a":1})", R"([{"op":"remove","path":"x/a"}])"), "{}");
  EXPECT_EQ(patched(R"([1,2])", R"([{"op":"add","path":"/-1","value":3}])"), "[1,2,3]");
}

TEST(Patch, TellsNullsApartAsTheLibraryDoes) {
  const std::string added = R"({"op":"add","path":"/a","value":null},)";
  const std::string copy = R"({"op":"copy","from":"/a","path":"/b"},)";
  EXPECT_EQ(patched(R"({"a":null})", R"([{"op":"test","path":"/a"}])"), R"({"a":null})");
  EXPECT_EQ(patched("{}", "[" + added + R"({"op":"test","path":"/a","value":null}])"), R"({"a":null})");
  EXPECT_EQ(patched("{}", "[" + added + R"({"op":"test","path":"/a"}])"), "apply");
  EXPECT_EQ(patched("{}", "[" + added + copy + R"({"op":"test","path":"/b","value":{}}])"),
            R"({"a":null,"b":null})");
  EXPECT_EQ(patched("{}", "[" + added + copy + R"({"op":"add","path":"/b/c","value":1}])"), "panic");
}

TEST(Patch, CrashesAreReported) {
  EXPECT_EQ(patched(R"({"a":[null]})", R"([{"op":"test","path":"/a","value":[null]}])"), "panic");
  EXPECT_EQ(patched(R"({"a":[1]})", R"([{"op":"test","path":"/a","value":[null]}])"), "panic");
  EXPECT_EQ(patched("{}", R"([{"op":"replace","path":""}])"), "panic");
  EXPECT_EQ(patched("{}", R"([{"op":"test","path":""}])"), "panic");
  EXPECT_EQ(patched("null", R"([{"op":"add","path":"/a","value":1}])"), "panic");
}

TEST(Patch, StepsIntoLoseDuplicates) {
  const std::string document = R"({"a":{"x":1,"x":2},"b":{"x":1,"x":2}})";
  EXPECT_EQ(patched(document, R"([{"op":"test","path":"/a/x","value":2}])"),
            R"({"a":{"x":2},"b":{"x":1,"x":2}})");
  EXPECT_EQ(patched(document, R"([{"op":"test","path":"/b","value":{"x":2}}])"),
            R"({"a":{"x":1,"x":2},"b":{"x":2}})");
}

TEST(Patch, ComparesStringsAsSpelled) {
  EXPECT_EQ(patched(R"({"a":"\u003c"})", R"([{"op":"test","path":"/a","value":"<"}])"), "apply");
  EXPECT_EQ(patched(R"({"a":"\u003c"})", R"([{"op":"test","path":"/a","value":"\u003c"}])"), R"({"a":"<"})");
  EXPECT_EQ(patched(R"({"a":"x"})", R"([{"op":"test","path":"/a","value":"\u0078"}])"), "apply");
}

TEST(Patch, NoPatchIsNoChange) {
  for (const char* none : {"[]", "null"}) {
    EXPECT_TRUE(is_empty_patch(json(none)));
    EXPECT_EQ(patched("3", none), "3");
  }
  for (const char* broken : {"{}", "1", R"("x")", "[1]", "[[]]"}) EXPECT_EQ(patched("{}", broken), "syntax");
  EXPECT_EQ(patched("{}", "[null]"), "apply");
}

TEST(Patch, LimitsAreNamed) {
  const Value document = json(R"({"a":"xxxxxxxx","b":[]})");
  const Value copy =
      json(R"([{"op":"copy","from":"/a","path":"/b/-"},{"op":"copy","from":"/a","path":"/b/-"}])");
  EXPECT_TRUE(apply_patch(document, copy, {.copy_bytes_max = 20}).ok());
  const auto copied = apply_patch(document, copy, {.copy_bytes_max = 19});
  EXPECT_EQ(
      copied.problem->message,
      "Unable to complete the copy, the accumulated size increase of copy is 20, exceeding the limit 19");
  EXPECT_EQ(copied.problem->kind, PatchProblem::Kind::apply);
  EXPECT_EQ(apply_patch(document, copy, {.operations_max = 1}).problem->kind, PatchProblem::Kind::limit);
  const auto slow = apply_patch(document, copy, {.patch_steps_max = 10});
  EXPECT_EQ(slow.problem->message, "the patch takes more steps than patch_steps_max = 10");
  EXPECT_EQ(slow.problem->kind, PatchProblem::Kind::limit);
  const Value deep = json(R"([{"op":"add","path":"/b/-","value":[[]]}])");
  EXPECT_TRUE(apply_patch(document, deep, {.patched_depth_max = 4}).ok());
  const auto refused = apply_patch(document, deep, {.patched_depth_max = 3});
  EXPECT_NE(refused.problem->message.find("patched_depth_max = 3"), std::string::npos);
}

TEST(Patch, GrowingByMovesAndCopiesEndsAtTheDepth) {
  Value patch = Value::empty_list();
  std::string path = "/a";
  for (int i = 0; i < 20; ++i) {
    patch.push_back({{"op", "copy"}, {"from", "/a"}, {"path", "/t"}});
    patch.push_back({{"op", "move"}, {"from", "/t"}, {"path", path + "/a"}});
    path = path + path;
  }
  const auto outcome = apply_patch(json(R"({"a":{}})"), patch);
  ASSERT_FALSE(outcome.ok());
  EXPECT_NE(outcome.problem->message.find("patched_depth_max = 10000"), std::string::npos)
      << outcome.problem->message;
}

TEST(Patch, SharesWhatItDoesNotTouch) {
  const Value document =
      json(R"({"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"x"},{"name":"y"}]}})");
  const auto outcome = apply_patch(document, json(R"([
    {"op":"test","path":"/metadata/labels/a","value":"b"},
    {"op":"add","path":"/spec/containers/1/image","value":"i"}])"));
  ASSERT_TRUE(outcome.ok());
  EXPECT_TRUE(outcome.document["metadata"].same(document["metadata"]));
  EXPECT_TRUE(outcome.document["spec"]["containers"].at(0).same(document["spec"]["containers"].at(0)));
  EXPECT_FALSE(outcome.document["spec"]["containers"].same(document["spec"]["containers"]));
  EXPECT_EQ(document["spec"]["containers"].at(1).find("image"), nullptr);
}

TEST(Patch, AProblemNamesItsOperation) {
  const auto outcome =
      apply_patch(json("{}"), json(R"([{"op":"add","path":"/a","value":1},{"op":"remove","path":"/b"}])"));
  EXPECT_EQ(outcome.problem->operation, 1u);
  EXPECT_EQ(outcome.problem->message,
            "error in remove for path: '/b': Unable to remove nonexistent key: b: missing value");
}

RC_GTEST_PROP(Patch, AgreesWithTheReferenceModel, ()) {
  const Choose choose = [](std::uint32_t bound) { return *rc::gen::inRange<std::uint32_t>(0, bound); };
  const Value document = random_document(choose, 3, true);
  const std::string before = write_json(document);
  const Limits limits{.copy_bytes_max = choose(2) == 0 ? 30u : 3u << 20};
  for (int i = 0; i < 20; ++i) {
    const Value patch = random_patch(choose, document, true);
    const auto outcome = apply_patch(document, patch, limits);
    RC_ASSERT(same_outcome(outcome, apply_patch_plainly(document, patch, limits)));
    RC_ASSERT(write_json(document) == before);
  }
}

}  // namespace
}  // namespace fixpoint::document
