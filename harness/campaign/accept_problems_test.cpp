#include "harness/campaign/accept_problems.h"

#include <gtest/gtest.h>

#include "harness/document/yaml.h"

namespace fixpoint::campaign {
namespace {

const std::vector<cases::Problem> kProblems{{.id = "0123456789ab",
                                             .ids = {"0123456789ab", "fedcba987654"},
                                             .part = "a: b # c",
                                             .repair = cases::Repair{"add-if-absent", "spec.volumes[x]"},
                                             .findings = {"1", "2"}}};
const Acceptance kWhy{.reason = "say \"hi\": # no", .until = "2026-12-31", .ticket = "T-1"};

/// The list reads back and no other line changes, in whatever style the file is written.
TEST(AcceptProblems, LeaveTheRestOfAPolicyAsItIs) {
  for (const std::string policy :
       {"a: 1 # one\nb: [2]\n", "a: 1", "accepted:\n  # why\n  - problem: x\nb: 1\n",
        "b: 1\naccepted:\n- problem: x\n", "# accepted:\nb: 1\naccepted:   # ours\n\n    - problem: x\n"}) {
    const auto text = with_accepted(policy, kProblems, kWhy);
    ASSERT_TRUE(text.ok()) << policy << text.error().text();
    const auto read = document::read_yaml(*text);
    ASSERT_TRUE(read.ok()) << *text;
    const auto& first = (*read)["accepted"].at(0);
    EXPECT_EQ(first["problem"].text(), "0123456789ab") << *text;
    EXPECT_EQ(first["part"].text(), "a: b # c");
    EXPECT_EQ(first["reason"].text(), kWhy.reason);
    EXPECT_EQ(first["repair"]["operation"].text(), "spec.volumes[x]");
    EXPECT_EQ(first["ids"].size(), 2u);
    for (std::size_t from = 0; from < policy.size();) {
      const auto to = std::min(policy.find('\n', from), policy.size());
      EXPECT_NE(text->find(policy.substr(from, to - from)), std::string::npos) << *text;
      from = to + 1;
    }
  }
}

TEST(AcceptProblems, RefuseAListOnOneLine) {
  for (const char* policy : {"accepted: []\n", "accepted: [{problem: x}]\nb: 1\n", "accepted:\nb: 1\n"})
    EXPECT_FALSE(with_accepted(policy, kProblems, kWhy).ok()) << policy;
}

}  // namespace
}  // namespace fixpoint::campaign
