#include "harness/apiserver/decoding/strict_fields.h"

#include <gtest/gtest.h>

#include "harness/apiserver/types/pod_types.h"
#include "harness/document/json.h"

namespace fixpoint::apiserver {
namespace {

std::vector<std::string> problems_in(const char* pod) {
  return strict_problems(kPod, *document::read_json(pod), kNewestMinor);
}

TEST(StrictFields, NamesUnknownOnesInOrder) {
  EXPECT_EQ(problems_in(R"({"spec":{"containers":[{"name":"a"},{"nam":"b","image":"c"}],"node":"d"},"x":1})"),
            (std::vector<std::string>{"unknown field \"spec.containers[1].nam\"",
                                      "unknown field \"spec.node\"", "unknown field \"x\""}));
}

TEST(StrictFields, NamesDuplicatesOfMembersAndKeys) {
  EXPECT_EQ(problems_in(R"({"metadata":{"name":"a","name":"b","labels":{"a":"b","a":"c"}}})"),
            (std::vector<std::string>{"duplicate field \"metadata.name\"",
                                      "duplicate field \"metadata.labels.a\""}));
}

TEST(StrictFields, AcceptsWhatTheTypeKnows) {
  EXPECT_TRUE(problems_in(R"({"apiVersion":"v1","kind":"Pod","metadata":{"labels":{"any":"b"}},
      "spec":{"nodeSelector":{"x":"y"},"containers":[null,3]}})")
                  .empty());
}

}  // namespace
}  // namespace fixpoint::apiserver
