#include "harness/conformance/cluster_verdict.h"

#include <utility>

#include "harness/conformance/vectors.h"

namespace fixpoint::conformance {

using document::Value;

namespace {

/// Returns "5 steps, 3 requests".
std::string detail_of_steps(const Value& steps) {
  std::size_t requests = 0;
  for (const Value& step : steps.elements()) requests += step["requests"].size();
  return std::to_string(steps.size()) + " steps, " + std::to_string(requests) + " requests";
}

/// Returns "422 spec.volumes[3].name FieldValueDuplicate, … after 2 calls" or "201 after 2 calls".
std::string detail_of(const Value& line) {
  if (const Value* steps = line.find("steps")) return detail_of_steps(*steps);
  std::string text(line["code"].text());
  for (const Value& error : line["invalid"].elements()) {
    text.append(text.size() > 3 ? ", " : " ").append(error["field"].text()).append(" ");
    text.append(error["type"].text());
  }
  return text + " after " + std::to_string(line["calls"].size()) + " calls";
}

}  // namespace

const char* ClusterVerdict::word() const {
  if (kind == Kind::not_runnable) return "not runnable";
  return kind == Kind::agrees ? "agrees" : "differs";
}

ClusterVerdict verdict_of(const LiveAnswer& answer) {
  using Kind = ClusterVerdict::Kind;
  if (!answer.not_runnable.empty()) return {.kind = Kind::not_runnable, .detail = answer.not_runnable};
  Compared compared = check_line(answer.line);
  if (compared.answer == Compared::Answer::unsupported)
    return {.kind = Kind::not_runnable, .detail = compared.differences.front()};
  return {.kind = compared.answer == Compared::Answer::agreed ? Kind::agrees : Kind::differs,
          .detail = detail_of(answer.line),
          .differences = std::move(compared.differences)};
}

}  // namespace fixpoint::conformance
