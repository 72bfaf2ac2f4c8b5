#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "harness/conformance/real_server_test.h"
#include "harness/document/json.h"

namespace fixpoint::conformance {
namespace {

/// Every n-th of the requests that are written by hand, with nothing filled in by a recorder or a generator;
/// all of them at night (FIXPOINT_LIVE_STEP=1).
TEST_F(RealServer, AgreesOnRequestsWrittenByHand) {
  const char* given = std::getenv("FIXPOINT_LIVE_STEP");
  const int step = given == nullptr ? 15 : std::max(1, std::atoi(given));
  std::ifstream all(FIXPOINT_SOURCE "/corpus/conformance/live/requests.ndjson");
  std::string some;
  std::size_t asked = 0;
  int number = 0;
  for (std::string line; std::getline(all, line); ++number) {
    if (number % step != 0) continue;
    some += line + "\n";
    ++asked;
  }
  ASSERT_GE(number, 300);
  write("requests.ndjson", some);
  const auto events = live("--allow-cluster-objects requests.ndjson", 0);
  EXPECT_EQ(events.size(), asked);
  for (const Value& event : events)
    EXPECT_EQ(event["answer"].text(), "agrees")
        << document::write_json(event["line"]["id"]) << " " << document::write_json(event["differences"]);
}

}  // namespace
}  // namespace fixpoint::conformance
