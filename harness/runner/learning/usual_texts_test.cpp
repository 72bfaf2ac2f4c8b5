#include "harness/runner/learning/usual_texts.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace fixpoint::runner {
namespace {

bool has(std::span<const char* const> texts, std::string_view text) {
  return std::ranges::find(texts, text) != texts.end();
}

TEST(UsualTexts, AreWhatTheNamePromises) {
  for (const char* name :
       {"duration", "renewBefore", "scrapeTimeout", "responseCacheDuration", "evaluationPeriod"})
    EXPECT_TRUE(has(usual_texts(name, "").texts, "1h30m")) << name;
  for (const char* name : {"cpuLimit", "storageSize", "memory"})
    EXPECT_TRUE(has(usual_texts(name, "").texts, "10Gi")) << name;
  EXPECT_TRUE(has(usual_texts("schedule", "").texts, "0 3 * * *"));
  EXPECT_TRUE(has(usual_texts("endpoint", "").texts, "https://example.com/a"));
  EXPECT_TRUE(has(usual_texts("podCIDR", "").texts, "10.0.0.0/16"));
  EXPECT_TRUE(has(usual_texts("keepFor", "A Go duration.").texts, "24h"));
  for (const char* name : {"name", "mode", "periodic", "images", "sizes"})
    EXPECT_TRUE(usual_texts(name, "").texts.empty()) << name;
}

}  // namespace
}  // namespace fixpoint::runner
