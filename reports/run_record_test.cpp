#include "reports/run_record.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"
#include "reports/events.h"
#include "reports/side_by_side.h"

namespace fixpoint::reports {
namespace {

std::string line(const document::Value& event) { return document::write_json(event) + "\n"; }

TEST(RunRecord, HoldsWhatTheEventsSaid) {
  runner::RunOptions options;
  options.drawing.seed = 18446744073709551615u;
  options.subjects.names = {"a@1"};
  runner::RunSummary summary;
  summary.why = "time";
  summary.count({.cases = 5, .reinvoked = 3});
  summary.properties = {{"converges", {.asked = 5, .held = 4, .violated = 1}}};
  const auto record =
      read_events(line(start_event(options, "0.1.0")) + line(regression_event("f", "still failing")) +
                  line(vacuity_check_event({"g", false, true})) + line({{"event", "unheard-of"}}) +
                  line(stop_event(summary)));
  ASSERT_TRUE(record.ok()) << record.error().text();
  EXPECT_EQ(record->seed, "18446744073709551615");
  EXPECT_EQ(record->subjects, std::vector<std::string>{"a@1"});
  EXPECT_EQ(record->summary.cases, 5u);
  EXPECT_EQ(record->summary.properties.at("converges").violated, 1u);
  EXPECT_TRUE(record->complete && is_failed(*record));
  EXPECT_EQ(verdict_of(*record), "1 regression still fails, 1 vacuity check failed");
}

TEST(RunRecord, KnowsWhatTheRunKnew) {
  const auto finding = [](const char* print) {
    cases::Finding one{.property = print, .severity = "error", .fingerprint = print};
    one.value.request.object = document::Value::empty_object();
    return one;
  };
  const auto problem = [](const char* print) { return cases::Problem{.id = print, .findings = {print}}; };
  const std::string events = line(finding_event(finding("aaaaaaaaaaaa"))) +
                             line(finding_event(finding("bbbbbbbbbbbb"))) +
                             line(finding_event(finding("cccccccccccc"))) +
                             line(problem_event(problem("aaaaaaaaaaaa"), "a-regression")) +
                             line(problem_event(problem("bbbbbbbbbbbb"), ""));
  const auto record = read_events(line(regression_event("f", "fixed")) + events);
  ASSERT_TRUE(record.ok()) << record.error().text();
  EXPECT_EQ(state_of(problem("aaaaaaaaaaaa"), *record), "known");
  EXPECT_EQ(cases::known_as(problem("aaaaaaaaaaaa"), record->known), "a-regression");
  EXPECT_EQ(state_of(problem("bbbbbbbbbbbb"), *record), "new");
  EXPECT_EQ(state_of(problem("cccccccccccc"), *record), "") << "the run was cut off before it said";
  const auto alone = read_events(events);
  ASSERT_TRUE(alone.ok()) << alone.error().text();
  EXPECT_EQ(state_of(problem("bbbbbbbbbbbb"), *alone), "") << "nothing was there to know it from";
}

TEST(RunRecord, JoinedShardsHaveTheSeedOfTheirRun) {
  const auto record =
      read_events(line({{"event", "start"},
                        {"merged", document::Value::list({{{"seed", 1}, {"shard", {{"seed", 7}}}},
                                                          {{"seed", 2}, {"shard", {{"seed", 7}}}}})}}));
  ASSERT_TRUE(record.ok()) << record.error().text();
  EXPECT_EQ(record->seed, "7");
}

TEST(RunRecord, ARunThatWasKilledIsReadToItsLastWholeLine) {
  runner::RunSummary ended;
  ended.why = "time";
  const std::string whole = line(start_event({}, "0.1.0")) + line(stop_event(ended));
  const auto cut = read_events(whole.substr(0, whole.size() - 5));
  ASSERT_TRUE(cut.ok()) << cut.error().text();
  EXPECT_FALSE(cut->complete);
  EXPECT_EQ(verdict_of(*cut), "nothing found; the run was cut off");
  EXPECT_FALSE(read_events("").ok());
  const auto broken = read_events("{\"event\":\"start\"}\n{]\n{\"event\":\"stop\"}\n");
  ASSERT_FALSE(broken.ok());
  EXPECT_TRUE(broken.error().text().starts_with("line 2: ")) << broken.error().text();
}

TEST(RunRecord, HoldsWhatCasesCost) {
  const auto record = read_events(line(cost_event({"containers", 3, 60.504, 8.125})) +
                                  line(cost_event({"kilobytes", 1024, 0.001})));
  ASSERT_TRUE(record.ok()) << record.error().text();
  ASSERT_EQ(record->costs.size(), 2u);
  EXPECT_EQ(record->costs[0].axis, "containers");
  EXPECT_EQ(record->costs[0].size, 3);
  EXPECT_DOUBLE_EQ(record->costs[0].microseconds, 60.5);
  EXPECT_DOUBLE_EQ(record->costs[0].byte_nanoseconds, 8.12);
  EXPECT_DOUBLE_EQ(record->costs[1].microseconds, 0.01) << "what is written is read: nothing costs nothing";
}

TEST(RunRecord, RefusesCostsThatAreNone) {
  constexpr std::pair<const char*, const char*> kBroken[] = {
      {R"({"event":"cost","size":3,"microseconds":1})", "line 1: /axis: expected a text"},
      {R"({"event":"cost","axis":7,"size":3,"microseconds":1})", "line 1: /axis: expected a text"},
      {R"({"event":"cost","axis":"a","size":0,"microseconds":1})",
       "line 1: /size: expected a whole number above 0"},
      {R"({"event":"cost","axis":"a","size":1.5,"microseconds":1})",
       "line 1: /size: expected a whole number above 0"},
      {R"({"event":"cost","axis":"a","size":3})", "line 1: /microseconds: expected a number above 0"},
      {R"({"event":"cost","axis":"a","size":3,"microseconds":-1})",
       "line 1: /microseconds: expected a number above 0"},
      {R"({"event":"cost","axis":"a","size":3,"microseconds":"9"})",
       "line 1: /microseconds: expected a number above 0"},
      {R"({"event":"cost","axis":"a","size":3,"microseconds":1e999})",
       "line 1: /microseconds: expected a number above 0"},
      {R"({"event":"cost","axis":"a","size":3,"microseconds":1,"byteNanoseconds":-1})",
       "line 1: /byteNanoseconds: expected a number from 0"}};
  for (const auto& [text, problem] : kBroken) {
    const auto record = read_events(std::string(text) + "\n");
    ASSERT_FALSE(record.ok()) << text;
    EXPECT_EQ(record.error().text(), problem);
  }
}

document::Value pod_with_volumes(const std::string& volumes) {
  return document::read_json(R"({"spec":{"a":1,"b":2,"c":3,"d":4,"volumes":[)" + volumes + "]}}").value();
}

TEST(SideBySide, ShowsWhatWasAddedAgain) {
  const auto pod = pod_with_volumes;
  const auto lines =
      side_by_side(pod(R"({"name":"x"})"), pod(R"({"name":"x"},{"name":"x","emptyDir":{}})"), {"+ volume x"});
  std::size_t again = 0, removed = 0;
  for (const DiffLine& each : lines) {
    again += each.again ? 1 : 0;
    removed += each.changed && each.after.empty() ? 1 : 0;
  }
  EXPECT_EQ(again, 2u) << "the name and the rest of the element";
  EXPECT_EQ(removed, 0u);
  EXPECT_TRUE(lines.front().gap);
  EXPECT_TRUE(side_by_side(pod(""), pod(""), {}).empty());
}

/// Returns the marked lines, from the side that is not empty.
std::vector<std::string> offending_in(const std::vector<DiffLine>& lines) {
  std::vector<std::string> marked;
  for (const DiffLine& line : lines)
    if (line.offending) marked.push_back(line.after.empty() ? line.before : line.after);
  return marked;
}

TEST(SideBySide, MarksTheLineThatTheFindingSpeaksOf) {
  const auto one = pod_with_volumes(R"({"name":"x","emptyDir":{}})");
  const auto two = pod_with_volumes(R"({"name":"x","emptyDir":{}},{"emptyDir":{},"name":"x"})");
  const auto marked = [](const document::Value& before, const document::Value& after, const char* path) {
    return offending_in(side_by_side(before, after, {}, path));
  };
  EXPECT_EQ(marked(one, two, "spec.volumes[1].name"), std::vector<std::string>{"    - name: x"});
  EXPECT_EQ(marked(one, two, "spec.volumes[1]"), std::vector<std::string>{"    - name: x"});
  EXPECT_EQ(marked(two, one, "spec.volumes[1].name"), std::vector<std::string>{"      name: x"}) << "removed";
  EXPECT_EQ(marked(one, two, "spec.volumes[0].name"), std::vector<std::string>{}) << "not changed";
  EXPECT_EQ(marked(one, two, "spec.volumes[2].name"), std::vector<std::string>{}) << "on neither side";
  EXPECT_EQ(marked(one, two, "webhook"), std::vector<std::string>{});
}

TEST(SideBySide, HasNoLinesForTheOrderOfMembers) {
  const auto left = pod_with_volumes(R"({"name":"x","emptyDir":{}},{"name":"y","configMap":{"name":"c"}})");
  const auto right = pod_with_volumes(R"({"emptyDir":{},"name":"x"},{"configMap":{"name":"c"},"name":"y"})");
  EXPECT_EQ(side_by_side(left, right, {}), std::vector<DiffLine>{});
}

RC_GTEST_PROP(SideBySide, BothSidesHoldAllOfTheirLines,
              (const std::vector<bool>& left, const std::vector<bool>& right)) {
  const auto list = [](const std::vector<bool>& bits) {
    document::Value out = document::Value::empty_list();
    for (const bool bit : bits) out.push_back(bit);
    return out;
  };
  const auto lines = side_by_side(list(left), list(right), {});
  std::size_t removed = 0, added = 0;
  for (const DiffLine& each : lines) {
    RC_ASSERT(each.changed || each.before == each.after);
    removed += each.changed && !each.before.empty() ? 1 : 0;
    added += each.changed && !each.after.empty() ? 1 : 0;
  }
  if (!left.empty() && !right.empty()) RC_ASSERT(left.size() - removed == right.size() - added);
  RC_ASSERT(lines.empty() == (left == right));
}

}  // namespace
}  // namespace fixpoint::reports
