#include "harness/apiserver/decoding/timestamp.h"

#include <gtest/gtest.h>

namespace fixpoint::apiserver {
namespace {

TEST(Timestamp, IsWrittenInUtcAndWholeSeconds) {
  EXPECT_EQ(canonical_time("2020-01-01T02:00:00+02:00"), "2020-01-01T00:00:00Z");
  EXPECT_EQ(canonical_time("2020-02-29T23:59:59.999Z"), "2020-02-29T23:59:59Z");
  EXPECT_EQ(canonical_time("2019-12-31T23:00:00-24:00"), "2020-01-01T23:00:00Z");
  EXPECT_EQ(canonical_time("2020-01-01T0:00:00,5Z"), "2020-01-01T00:00:00Z");
  EXPECT_EQ(canonical_time("0001-01-01T00:00:00Z"), "");
}

TEST(Timestamp, RefusesWhatGoRefuses) {
  for (const char* text :
       {"", "2020-01-01", "2020-01-01t00:00:00z", "2020-01-01 00:00:00Z", "2020-02-30T00:00:00Z",
        "2020-01-01T24:00:00Z", "2020-01-01T00:00:00", "2020-01-01T00:00:00+25:00", "20-1-1"}) {
    EXPECT_FALSE(canonical_time(text)) << text;
  }
}

}  // namespace
}  // namespace fixpoint::apiserver
