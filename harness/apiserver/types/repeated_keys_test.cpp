#include "harness/apiserver/types/repeated_keys.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/document/json.h"

namespace fixpoint::apiserver {
namespace {

/// Two containers with one name are a duplicate of their own; the lists inside each are still checked
/// separately.
TEST(RepeatedKeys, ContainersOfOneNameHaveListsOfTheirOwn) {
  const char* text = R"({"spec": {"containers": [
    {"name": "a", "env": [{"name": "X"}, {"name": "X"}]},
    {"name": "a", "env": [{"name": "X"}, {"name": "Y"}, {"name": "Y"}]}]}})";
  std::vector<std::string> paths;
  for (const Repeated& repeated : repeated_keys(*document::read_json(text))) paths.push_back(repeated.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"spec.containers[1].name", "spec.containers[0].env[1].name",
                                             "spec.containers[1].env[2].name"}));
}

}  // namespace
}  // namespace fixpoint::apiserver
