#include "harness/apiserver/kinds/job_indexes.h"

#include "harness/apiserver/kinds/workload_checks.h"
#include "harness/apiserver/text/cron_schedules.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::kinds {

namespace {

std::string not_increasing(std::int64_t before, std::int64_t now) {
  return Text("non-increasing order, previous: {}, current: {}")
      .with({std::to_string(before), std::to_string(now)});
}

IndexInterval read_interval(std::string_view text, std::int64_t completions) {
  const auto dash = text.find('-');
  const bool is_range = dash != std::string_view::npos;
  if (is_range && text.find('-', dash + 1) != std::string_view::npos)
    return {.problem = Text("the fragment {} violates the requirement that an index interval can have at "
                            "most two parts separated by '-'")
                           .with({document::go_quoted(text)})};
  const std::string_view ends[] = {text.substr(0, dash), is_range ? text.substr(dash + 1) : text};
  std::int64_t numbers[2] = {};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto number = go_atoi(ends[i]);
    const std::string quoted = document::go_quoted(ends[i]);
    if (!number) return {.problem = Text("cannot convert string to integer for index: {}").with({quoted})};
    if (*number >= completions) return {.problem = Text("too large index: {}").with({quoted})};
    numbers[i] = *number;
  }
  if (is_range && numbers[0] >= numbers[1]) return {.problem = not_increasing(numbers[0], numbers[1])};
  return {numbers[0], numbers[1]};
}

}  // namespace

std::vector<IndexInterval> read_indexes(std::string_view text, std::int64_t completions) {
  std::vector<IndexInterval> intervals;
  if (text.empty()) return intervals;
  for (;; text.remove_prefix(text.find(',') + 1)) {
    intervals.push_back(read_interval(text.substr(0, text.find(',')), completions));
    if (text.find(',') == std::string_view::npos) return intervals;
  }
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
