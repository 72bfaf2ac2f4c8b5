#include "harness/apiserver/kinds/job_indexes.h"

#include "harness/apiserver/kinds/workload_checks.h"
#include "harness/apiserver/text/cron_schedules.h"
#include "harness/document/server_text.h"
#include "harness/document/split.h"

namespace fixpoint::apiserver::kinds {

namespace {

std::string not_increasing(std::int64_t before, std::int64_t now) {
  return Text("non-increasing order, previous: {}, current: {}")
      .with({std::to_string(before), std::to_string(now)});
}

IndexInterval read_interval(std::string_view text, std::int64_t completions) {
  const auto ends = document::split(text, "-");
  if (ends.size() > 2)
    return {.problem = Text("the fragment {} violates the requirement that an index interval can have at "
                            "most two parts separated by '-'")
                           .with({document::go_quoted(text)})};
  std::vector<std::int64_t> numbers;
  for (const std::string_view end : ends) {
    const auto number = go_atoi(end);
    const std::string quoted = document::go_quoted(end);
    if (!number) return {.problem = Text("cannot convert string to integer for index: {}").with({quoted})};
    if (*number >= completions) return {.problem = Text("too large index: {}").with({quoted})};
    numbers.push_back(*number);
  }
  if (numbers.size() == 2 && numbers[0] >= numbers[1])
    return {.problem = not_increasing(numbers[0], numbers[1])};
  return {numbers.front(), numbers.back()};
}

}  // namespace

std::vector<IndexInterval> read_indexes(std::string_view text, std::int64_t completions) {
  std::vector<IndexInterval> intervals;
  if (text.empty()) return intervals;
  for (const std::string_view interval : document::split(text, ","))
    intervals.push_back(read_interval(interval, completions));
  return intervals;
}

std::string indexes_problem(const std::vector<IndexInterval>& intervals) {
  std::int64_t last = -1;
  for (const IndexInterval& one : intervals) {
    if (!one.problem.empty()) return one.problem;
    if (last >= one.first) return not_increasing(last, one.first);
    last = one.last;
  }
  return {};
}

}  // namespace fixpoint::apiserver::kinds
