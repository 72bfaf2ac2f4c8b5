#include "harness/campaign/policy.h"

#include <gtest/gtest.h>

#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "reports/report_schema_model.h"

namespace fixpoint::campaign {
namespace {

TEST(Policy, TheRepositorysOwnIsWhatItsSchemaSays) {
  const std::string file = FIXPOINT_SOURCE "/.ci/release.yaml";
  const auto read = read_policy(file);
  const auto* policy = std::get_if<Policy>(&read);
  ASSERT_NE(policy, nullptr) << std::get<std::vector<document::Error>>(read).front().text();
  EXPECT_FALSE(policy->subjects.empty() || policy->conformance.empty() || policy->bench.empty());
  const auto document = document::read_file(file).value().front();
  EXPECT_EQ(reports::schema_problems(FIXPOINT_SOURCE "/reports/schemas", "policy.json",
                                     document::write_json(document)),
            "");
}

TEST(Policy, KnowsDays) {
  for (const char* day : {"2026-02-28", "2028-02-29"}) EXPECT_TRUE(is_day(day)) << day;
  for (const char* day :
       {"2026-02-29", "2026-13-01", "2026-1-01", "26-01-01", "2026-01-01x", "", "2026/01/01"})
    EXPECT_FALSE(is_day(day)) << day;
  EXPECT_TRUE(is_day(today()));
}

}  // namespace
}  // namespace fixpoint::campaign
