#include "harness/apiserver/types/repeated_keys.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/document/json.h"

namespace fixpoint::apiserver {
namespace {

/// Two containers of one name are a fault of their own; the lists of each stand for themselves all the same.
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
