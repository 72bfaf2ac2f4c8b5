#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "harness/conformance/real_server_test.h"
#include "harness/document/json.h"

namespace fixpoint::conformance {
namespace {

/// Every n-th of the requests that are written by hand, with nothing filled in by a recorder or a
/// generator; all of them at night (FIXPOINT_LIVE_STEP=1).
struct Asked {
  std::string lines = {};
  std::size_t count = 0;
  int all = 0;
};
Asked requests_of(const std::string& file, int usual_step) {
  const char* given = std::getenv("FIXPOINT_LIVE_STEP");
  const int step = given == nullptr ? usual_step : std::max(1, std::atoi(given));
  std::ifstream all(FIXPOINT_SOURCE "/corpus/conformance/live/" + file);
  Asked asked;
  for (std::string line; std::getline(all, line); ++asked.all) {
    if (asked.all % step != 0) continue;
    asked.lines += line + "\n";
    ++asked.count;
  }
  return asked;
}

void expect_agreement(const std::vector<Value>& events, const Asked& asked) {
  EXPECT_EQ(events.size(), asked.count);
  for (const Value& event : events)
    EXPECT_EQ(event["answer"].text(), "agrees")
        << document::write_json(event["line"]["id"]) << " " << document::write_json(event["differences"]);
}

TEST_F(RealServer, AgreesOnRequestsWrittenByHand) {
  const Asked asked = requests_of("requests.ndjson", 15);
  ASSERT_GE(asked.all, 300);
  write("requests.ndjson", asked.lines);
  expect_agreement(live("--allow-cluster-objects requests.ndjson", 0), asked);
}

TEST_F(RealServer, AgreesOnCustomResourcesWrittenByHand) {
  const Asked asked = requests_of("custom-resources.ndjson", 4);
  ASSERT_GE(asked.all, 66);
  write("requests.ndjson", asked.lines);
  expect_agreement(live("--allow-cluster-objects requests.ndjson", 0), asked);
}

}  // namespace
}  // namespace fixpoint::conformance
