#include "harness/apiserver/cel/meter.h"

#include <string>

#include "harness/document/cut.h"

namespace fixpoint::apiserver::cel {

namespace {

constexpr std::uint64_t kStepsBetweenLooks = 4096;

struct Spent {
  std::uint32_t evaluations = 0;  ///< one within the other
  std::size_t bytes = 0;
  std::uint64_t steps = 0;
};
thread_local Spent spent;

[[noreturn]] void cut(const char* limit, std::uint64_t most) {
  throw document::Cut::at_limit(std::string(limit) + " (" + std::to_string(most) + ")", "a CEL evaluation");
}

}  // namespace

Metered::Metered() {
  if (spent.evaluations >= kNestingMax) cut("kNestingMax", kNestingMax);
  if (spent.evaluations++ == 0) spent = {.evaluations = 1};
}
Metered::~Metered() { --spent.evaluations; }

void spend_bytes(std::size_t bytes) {
  if (spent.evaluations == 0) return;
  if (bytes > kValueBytesMax) cut("kValueBytesMax", kValueBytesMax);
  spent.bytes += bytes;
  if (spent.bytes > kEvaluationBytesMax) cut("kEvaluationBytesMax", kEvaluationBytesMax);
}

void spend_step() {
  if (++spent.steps % kStepsBetweenLooks != 0) return;
  document::heed_end();
  if (spent.evaluations > 0 && spent.steps > kEvaluationStepsMax)
    cut("kEvaluationStepsMax", kEvaluationStepsMax);
}

void check_nesting(std::uint32_t depth) {
  if (depth > kNestingMax) cut("kNestingMax", kNestingMax);
}

}  // namespace fixpoint::apiserver::cel
