#include "harness/runner/trace.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"

namespace fixpoint::runner {
namespace {

using Texts = std::vector<std::string>;

Texts told(const char* before, const char* after) {
  return changes(document::read_json(before).value(), document::read_json(after).value());
}

TEST(Story, TellsWhatCameAndWent) {
  EXPECT_EQ(told(R"({"metadata":{"labels":{"a":"1"}},"spec":{"volumes":[{"name":"v"}]}})",
                 R"({"metadata":{"labels":{"b":"1"}},"spec":{"containers":[{"name":"c"}]}})"),
            (Texts{"+ label b", "- label a", "- volume v", "+ container c"}));
  EXPECT_EQ(told(R"({"spec":{}})",
                 R"({"spec":{"tolerations":[{"key":"spot"},{"operator":"Exists"}],
                             "hostAliases":[{"ip":"10.0.0.1"}]}})"),
            (Texts{"+ host alias 10.0.0.1", "+ toleration spot", "+ toleration"}));
  EXPECT_EQ(told(R"({"metadata":{"finalizers":["a/b"]}})", R"({"metadata":{"finalizers":["a/b","a/b"]}})"),
            (Texts{"+ finalizer a/b"}));
}

TEST(Story, TellsWhatIsAnotherUnderItsName) {
  EXPECT_EQ(told(R"({"spec":{"containers":[{"name":"c","env":[{"name":"A","value":"1"}]}],
                             "volumes":[{"name":"v","emptyDir":{}}]}})",
                 R"({"spec":{"containers":[{"name":"c","env":[{"name":"A","value":"2"}]}],
                             "volumes":[{"name":"v","hostPath":{"path":"/"}}]}})"),
            (Texts{"~ volume v", "~ env A of container c"}));
  EXPECT_EQ(told(R"({"metadata":{"name":"a"}})", R"({"metadata":{"name":"b"}})"),
            (Texts{"~ name of metadata"}));
}

/// A webhook that only moves elements has an effect, too.
TEST(Story, TellsAnotherOrder) {
  EXPECT_EQ(told(R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
                 R"({"spec":{"containers":[{"name":"b"},{"name":"a"}]}})"),
            (Texts{"~ order of containers"}));
  EXPECT_EQ(told(R"({"spec":{"containers":[{"name":"c","env":[{"name":"A"},{"name":"B"}]}]}})",
                 R"({"spec":{"containers":[{"name":"c","env":[{"name":"N"},{"name":"B"},{"name":"A"}]}]}})"),
            (Texts{"+ env N of container c", "~ order of env of container c"}));
  EXPECT_EQ(told(R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
                 R"({"spec":{"containers":[{"name":"n"},{"name":"a"},{"name":"b"}]}})"),
            (Texts{"+ container n"}))
      << "what moved for a newcomer stands in the same order";
}

}  // namespace
}  // namespace fixpoint::runner
