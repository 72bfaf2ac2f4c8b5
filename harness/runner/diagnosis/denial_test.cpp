#include "harness/runner/diagnosis/denial.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"

namespace fixpoint::runner {
namespace {

bool is_designed(const char* value, std::string_view message) {
  document::Value pod = document::read_json(R"({"metadata":{},"spec":{"serviceAccountName":"robot",
      "containers":[{"name":"main","image":"a"}]}})")
                            .value();
  pod.edit("metadata").edit("annotations").set("agent.example.io/level", value);
  return is_refusal_by_design(pod, message);
}

TEST(Denial, IsByDesignIfItNamesWhatIsWrong) {
  EXPECT_TRUE(is_designed("shout", "unknown level \"shout\""));
  EXPECT_TRUE(is_designed("shout", "agent.example.io/level is none of debug, info"));
  EXPECT_TRUE(is_designed("debug", "serviceaccounts \"robot\" not found"));
  EXPECT_FALSE(is_designed("shout", "index out of range"));
  EXPECT_FALSE(is_designed("shout", "container main not found")) << "the Pod has it";
  EXPECT_FALSE(is_designed("in", "invalid syntax")) << "too short to be a word of the message";
}

TEST(Denial, IsADefectIfTheValueIsLegal) {
  for (const char* value : {"10k", "1.5Gi", "500m", "30s", "1h30m", "True", "1e3", "8080"})
    EXPECT_FALSE(is_designed(value, std::string("strconv.Atoi: parsing \"") + value + "\": invalid syntax"));
}

}  // namespace
}  // namespace fixpoint::runner
