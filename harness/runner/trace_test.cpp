#include "harness/runner/trace.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"

namespace fixpoint::runner {
namespace {

using Texts = std::vector<std::string>;

Texts reported(const char* before, const char* after) {
  return changes(document::read_json(before).value(), document::read_json(after).value());
}

TEST(Story, TellsWhatCameAndWent) {
  EXPECT_EQ(reported(R"({"metadata":{"labels":{"a":"1"}},"spec":{"volumes":[{"name":"v"}]}})",
                     R"({"metadata":{"labels":{"b":"1"}},"spec":{"containers":[{"name":"c"}]}})"),
            (Texts{"+ label b", "- label a", "- volume v", "+ container c"}));
  EXPECT_EQ(reported(R"({"spec":{}})",
                     R"({"spec":{"tolerations":[{"key":"spot"},{"operator":"Exists"}],
                             "hostAliases":[{"ip":"10.0.0.1"}]}})"),
            (Texts{"+ host alias 10.0.0.1", "+ toleration spot", "+ toleration"}));
  EXPECT_EQ(
      reported(R"({"metadata":{"finalizers":["a/b"]}})", R"({"metadata":{"finalizers":["a/b","a/b"]}})"),
      (Texts{"+ finalizer a/b"}));
}

TEST(Story, TellsWhatIsAnotherUnderItsName) {
  EXPECT_EQ(reported(R"({"spec":{"containers":[{"name":"c","env":[{"name":"A","value":"1"}]}],
                             "volumes":[{"name":"v","emptyDir":{}}]}})",
                     R"({"spec":{"containers":[{"name":"c","env":[{"name":"A","value":"2"}]}],
                             "volumes":[{"name":"v","hostPath":{"path":"/"}}]}})"),
            (Texts{"~ volume v", "~ env A of container c"}));
  EXPECT_EQ(reported(R"({"metadata":{"name":"a"}})", R"({"metadata":{"name":"b"}})"),
            (Texts{"~ name of metadata"}));
}

/// A webhook that only moves elements has an effect, too.
TEST(Story, TellsAnotherOrder) {
  EXPECT_EQ(reported(R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
                     R"({"spec":{"containers":[{"name":"b"},{"name":"a"}]}})"),
            (Texts{"~ order of containers"}));
  EXPECT_EQ(
      reported(R"({"spec":{"containers":[{"name":"c","env":[{"name":"A"},{"name":"B"}]}]}})",
               R"({"spec":{"containers":[{"name":"c","env":[{"name":"N"},{"name":"B"},{"name":"A"}]}]}})"),
      (Texts{"+ env N of container c", "~ order of env of container c"}));
  EXPECT_EQ(reported(R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
                     R"({"spec":{"containers":[{"name":"n"},{"name":"a"},{"name":"b"}]}})"),
            (Texts{"+ container n"}))
      << "what moved for a newcomer stands in the same order";
}

/// Returns the steps of an admission with one call, which made these requests to the API.
std::vector<cases::TraceStep> steps_of(std::vector<cases::ApiAccess> accesses, const Value& after) {
  apiserver::Admission admission;
  admission.webhooks.emplace_back().key = "c/a.b.c";
  apiserver::CallEvent event{.pass = 1, .index = 0, .before = {{"metadata", {{"name", "p"}}}}};
  event.result.after = after.is_null() ? event.before : after;
  event.result.answer.accesses = std::move(accesses);
  admission.calls.push_back(std::move(event));
  return trace_of(admission);
}
cases::ApiAccess read_of(const char* name, int status) {
  return {.verb = "get",
          .version = "v1",
          .resource = "secrets",
          .kind = "Secret",
          .namespace_name = "default",
          .name = name,
          .status = status};
}

TEST(Story, TellsWhatACallReadFromTheCluster) {
  const auto idle = steps_of({read_of("a", 404), read_of("a", 404)}, {});
  EXPECT_EQ(idle.at(0).effect, (Texts{"read Secret default/a: not found", "no change"}));
  const auto acting =
      steps_of({read_of("a", 200)}, {{"metadata", {{"name", "p"}, {"labels", {{"x", "y"}}}}}});
  EXPECT_EQ(acting.at(0).effect, (Texts{"read Secret default/a", "+ label x"}));
  cases::ApiAccess watch = read_of("", 200);
  watch.verb = "watch";
  EXPECT_TRUE(steps_of({watch}, {}).at(0).effect.empty()) << "an informer's watch belongs to no call";
  std::vector<cases::ApiAccess> many;
  const std::string names = "abcdefghijkl";
  for (const char& name : names) many.push_back(read_of(std::string(1, name).c_str(), 200));
  EXPECT_EQ(steps_of(many, {}).at(0).effect.size(), 10u);
  EXPECT_EQ(steps_of(many, {}).at(0).effect.at(8), "4 more requests to the API");
}

}  // namespace
}  // namespace fixpoint::runner
