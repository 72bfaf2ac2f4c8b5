#include "harness/campaign/steering_state.h"

#include <string>
#include <utility>

namespace fixpoint::campaign {

using document::Fields;
using document::Value;
using runner::OptionCount;
using runner::RoundCounts;
using runner::Steering;

namespace {

Value number(std::uint64_t count) { return Value::number(std::to_string(count)); }

/// Reads a flat list that holds two numbers for each option: the Cases, and those in which the subject acted.
std::vector<OptionCount> options_of(const Value& flat) {
  std::vector<OptionCount> options(flat.size() / 2);
  for (std::size_t i = 0; i < options.size(); ++i) {
    options[i] = {static_cast<std::uint64_t>(flat.at(2 * i).integer().value_or(0)),
                  static_cast<std::uint64_t>(flat.at(2 * i + 1).integer().value_or(0))};
  }
  return options;
}

}  // namespace

Value write_counts(const RoundCounts& counts) {
  std::vector<Value> triggers;
  for (const auto& options : counts.triggers) {
    std::vector<Value> flat;
    for (const OptionCount& option : options) {
      flat.push_back(number(option.cases));
      flat.push_back(number(option.acted));
    }
    triggers.emplace_back(std::move(flat));
  }
  return {
      {"cases", number(counts.cases)}, {"acted", number(counts.acted)}, {"triggers", std::move(triggers)}};
}

Value write_steering(const Steering& steering) {
  Value written = write_counts(steering.counts());
  written.set("lean", steering.lean());
  return written;
}

RoundCounts read_counts(Fields& fields) {
  RoundCounts counts;
  std::int64_t cases = 0, acted = 0;
  fields.optional("cases", cases);
  fields.optional("acted", acted);
  fields.list("triggers", [&](const Value& flat, const std::string&) {
    if (!flat.is_array() || flat.size() % 2 != 0)
      return fields.fail("triggers", "expected lists of pairs of counts");
    counts.triggers.push_back(options_of(flat));
  });
  counts.cases = static_cast<std::uint64_t>(cases);
  counts.acted = static_cast<std::uint64_t>(acted);
  return counts;
}

Steering read_steering(Fields& fields) {
  int lean = 0;
  RoundCounts counts = read_counts(fields);
  fields.optional("lean", lean);
  return Steering::stored(std::move(counts), lean);
}

}  // namespace fixpoint::campaign
