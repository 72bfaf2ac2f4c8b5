#include "harness/runner/diagnosis/mend_change.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"

namespace fixpoint::runner {
namespace {

using document::Value;

Value pod(const std::string& spec) {
  return {{"metadata", {{"name", "p"}}}, {"spec", document::read_json(spec).value()}};
}
std::string text(const Value& value) { return document::write_json(value["spec"]); }

struct Mended {
  std::string spec;
  std::vector<std::string> places;
};
Mended mend(Mend how, const std::string& before, const std::string& after, const std::string& only = "") {
  Mended result;
  result.spec = text(mended(how, pod(before), pod(after), result.places, only));
  return result;
}

TEST(MendChange, NothingLeavesTheChangeAsItIs) {
  const std::string after = R"({"volumes":[{"name":"a"},{"name":"a"}]})";
  EXPECT_EQ(mend(Mend::nothing, "{}", after).spec, after);
}

/// Of two elements of one key the user's stays, wherever the webhook put its own.
TEST(MendChange, AddsOnlyWhatIsAbsent) {
  const std::string before = R"({"volumes":[{"name":"a","emptyDir":{}}]})";
  for (const char* after : {R"({"volumes":[{"name":"a","emptyDir":{}},{"name":"a"}]})",
                            R"({"volumes":[{"name":"a"},{"name":"a","emptyDir":{}}]})"}) {
    const Mended result = mend(Mend::add_if_absent, before, after);
    EXPECT_EQ(result.spec, before);
    EXPECT_EQ(result.places, std::vector<std::string>{"spec.volumes[a]"});
  }
  const std::string other = R"({"volumes":[{"name":"a","emptyDir":{}},{"name":"b"}]})";
  EXPECT_EQ(mend(Mend::add_if_absent, before, other).spec, other) << "what was absent is added";
}

/// Containers of all lists share their names; what a new container holds twice is there once.
TEST(MendChange, KnowsTheNamesOfOtherListsAndLooksIntoNewElements) {
  EXPECT_EQ(mend(Mend::add_if_absent, R"({"initContainers":[{"name":"x"}],"containers":[{"name":"m"}]})",
                 R"({"initContainers":[{"name":"x"}],"containers":[{"name":"m"},{"name":"x"}]})")
                .spec,
            R"({"initContainers":[{"name":"x"}],"containers":[{"name":"m"}]})");
  const Mended inner =
      mend(Mend::add_if_absent, R"({"containers":[{"name":"m"}]})",
           R"({"containers":[{"name":"m"},{"name":"x","env":[{"name":"A"},{"name":"A"}]}]})");
  EXPECT_EQ(inner.spec, R"({"containers":[{"name":"m"},{"name":"x","env":[{"name":"A"}]}]})");
  EXPECT_EQ(inner.places, std::vector<std::string>{"spec.containers[x].env[A]"});
}

TEST(MendChange, MendsTheOneOperationThatIsNamed) {
  const std::string before = R"({"volumes":[{"name":"a"},{"name":"b"}]})";
  const std::string after =
      R"({"volumes":[{"name":"a"},{"name":"b"},{"name":"a","x":1},{"name":"b","x":1}]})";
  EXPECT_EQ(mend(Mend::add_if_absent, before, after, "spec.volumes[b]").spec,
            R"({"volumes":[{"name":"a"},{"name":"b"},{"name":"a","x":1}]})");
}

TEST(MendChange, MergesLostElementsAndEntries) {
  EXPECT_EQ(mend(Mend::merge, R"({"volumes":[{"name":"a"}],"nodeSelector":{"k":"v"}})",
                 R"({"volumes":[{"name":"b"}],"nodeSelector":{"l":"w"}})")
                .spec,
            R"({"volumes":[{"name":"b"},{"name":"a"}],"nodeSelector":{"l":"w","k":"v"}})");
}

TEST(MendChange, KeepsFieldsOfWhatStays) {
  EXPECT_EQ(mend(Mend::keep_fields, R"({"containers":[{"name":"m","new":1}],"newer":true})",
                 R"({"containers":[{"name":"m","image":"i"}]})")
                .spec,
            R"({"containers":[{"name":"m","image":"i","new":1}],"newer":true})");
}

TEST(MendChange, KeepsTheOrderOfWhatWasThere) {
  const Mended result = mend(Mend::keep_order, R"({"containers":[{"name":"a"},{"name":"b"}]})",
                             R"({"containers":[{"name":"b"},{"name":"x"},{"name":"a"}]})");
  EXPECT_EQ(result.spec, R"({"containers":[{"name":"a"},{"name":"b"},{"name":"x"}]})");
  EXPECT_EQ(result.places, std::vector<std::string>{"spec.containers"});
}

}  // namespace
}  // namespace fixpoint::runner
