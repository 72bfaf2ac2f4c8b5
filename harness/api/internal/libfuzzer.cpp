#include "harness/api/libfuzzer.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "generators/fuzz_input.h"
#include "harness/api/internal/judged_case.h"
#include "injectors/bundled.h"

namespace fixpoint {

namespace {

/// A fuzzer's inputs are small.
constexpr Limits kLimits{.depth_max = 64, .document_bytes_max = 1u << 18};

std::string_view view(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

generators::FuzzInputs& inputs() {
  static thread_local generators::FuzzInputs all(kLimits, injectors::bundled().known_injectors());
  return all;
}

/// Returns two bytes a decision.
std::vector<std::uint64_t> decisions_of(std::string_view bytes) {
  std::vector<std::uint64_t> decisions;
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    const auto low = static_cast<unsigned char>(bytes[i]);
    const auto high = i + 1 < bytes.size() ? static_cast<unsigned char>(bytes[i + 1]) : 0;
    decisions.push_back(static_cast<std::uint64_t>(low) | (static_cast<std::uint64_t>(high) << 8));
  }
  return decisions;
}

cases::Case case_of(std::string_view bytes, const runner::RunOptions& run) {
  if (auto value = inputs().read(bytes)) return *std::move(value);
  runner::Choices choices(decisions_of(bytes));
  return std::get<cases::Case>(run.drawing.draw(choices, run.drawing.steering));
}

[[noreturn]] void fail(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
  std::abort();
}

/// Ends the process unless the violation is accepted. Each fingerprint is shrunk once.
void report(const api::JudgedCase& judged, const api::OwnViolation& violation, const FuzzOptions& options) {
  static thread_local std::map<std::string, CheckFinding> known;
  const bool is_severe =
      options.fails_on_warnings || violation.violation.severity == properties::Severity::error;
  if (!is_severe) return;
  const auto [at, is_new] = known.try_emplace(violation.fingerprint);
  if (is_new) at->second = api::finding_of(api::shrink(judged, violation));
  const CheckFinding& finding = at->second;
  if (!options.accepted.covers(finding)) fail("\n" + finding.text + "\n" + finding.document);
}

}  // namespace

int fuzz_one(const std::uint8_t* data, std::size_t size, const Webhook& webhook, const FuzzOptions& options) {
  try {
    const auto judged = api::run_case(case_of(view(data, size), webhook.hidden().run()), webhook);
    if (!judged) return -1;
    const std::uint64_t one_in = std::max<std::uint64_t>(options.all_properties_one_in, 1);
    const bool asks_all = std::hash<std::string_view>()(view(data, size)) % one_in == 0;
    for (const api::OwnViolation& violation : api::own_violations(*judged, {.only_cheap = !asks_all}))
      report(*judged, violation, options);
  } catch (const std::invalid_argument& problem) {
    fail(std::string("fixpoint: ") + problem.what() + "\n");
  }
  return 0;
}

std::size_t mutate_one(std::uint8_t* data, std::size_t size, std::size_t size_max, unsigned int seed,
                       const Webhook& webhook) {
  try {
    return inputs().mutate(data, size, size_max, seed, webhook.hidden().draw_context());
  } catch (const std::invalid_argument& problem) {
    fail(std::string("fixpoint: ") + problem.what() + "\n");
  }
}

std::size_t cross_one(const std::uint8_t* first, std::size_t first_size, const std::uint8_t* second,
                      std::size_t second_size, std::uint8_t* out, std::size_t out_size, unsigned int seed) {
  return inputs().cross(view(first, first_size), view(second, second_size), out, out_size, seed);
}

}  // namespace fixpoint
