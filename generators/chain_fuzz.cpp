#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generators/fuzz_input.h"
#include "harness/document/check.h"
#include "harness/runner/examine.h"
#include "injectors/bundled.h"
#include "injectors/injector_catalog.h"

// The input is a Case as JSON. Violations by its webhooks are computed and ignored, because a run reports
// them. This target fails only for broken invariants of the harness and for reports of the sanitizers.

namespace {

using namespace fixpoint;
using document::Value;

constexpr Limits kLimits{.depth_max = 64, .document_bytes_max = 1u << 18};
/// One input in this many is run twice from start to end: for most inputs the second run shows nothing new.
constexpr std::uint64_t kRunTwiceOneIn = 16;

const generators::DrawContext& draw_context() {
  static const generators::DrawContext made = [] {
    generators::DrawOptions options;
    for (const injectors::Injector& injector : injectors::all()) {
      if (injector.role == injectors::Role::defect) continue;
      const std::string name(injector.name);
      auto& prepared_subjects = injector.role == injectors::Role::peer ? options.peers : options.subjects;
      prepared_subjects.push_back(injectors::find_subject(name).value());
      if (injector.role == injectors::Role::peer || injector.releases.empty()) continue;
      for (std::string_view release : injector.releases)
        options.earlier.push_back(name + "@" + std::string(release));
      prepared_subjects.push_back(injectors::find_subject(options.earlier.back()).value());
      prepared_subjects.push_back(
          injectors::find_subject(name + "@" + std::string(injector.releases.front())).value());
    }
    options.resolve = injectors::resolve;
    return generators::DrawContext(std::move(options));
  }();
  return made;
}

/// The number of inputs, of those that were Cases, and of those that could run; printed at exit.
struct Shares {
  std::uint64_t inputs = 0, cases = 0, ran = 0;
  ~Shares() {
    if (inputs == 0) return;
    std::fprintf(stderr, "%llu inputs: %.2f%% were Cases, %.2f%% of those ran\n",
                 static_cast<unsigned long long>(inputs),
                 100.0 * static_cast<double>(cases) / static_cast<double>(inputs),
                 100.0 * static_cast<double>(ran) / static_cast<double>(cases == 0 ? 1 : cases));
  }
} shares;

std::optional<std::string> unknown_injector(std::string_view name) {
  const auto known = injectors::resolve(name);
  return known ? std::nullopt : std::optional<std::string>(known.error().message);
}

generators::FuzzInputs inputs(kLimits, unknown_injector);

void check_round_trip(std::string_view text, const cases::Case& value) {
  const auto fresh = inputs.read_anew(text);
  document::check(fresh && *fresh == value, "a text is one Case");
  const Value written = cases::write_case(value);
  const auto again = cases::read_case(written);
  document::check(again.ok(), "a written Case reads back");
  document::check(cases::write_case(*again) == written, "a Case that was written and read is written alike");
}

void check_same_outcome(const cases::Case& value, const runner::Prepared& first) {
  const auto second = runner::prepare(value, injectors::resolve, kLimits);
  document::check(second.ok(), "a Case that ran runs again");
  const Value a = cases::write_outcome(apiserver::outcome_of(value, first.admission));
  const Value b = cases::write_outcome(apiserver::outcome_of(value, second->admission));
  document::check(a == b, "a Case has one Outcome");
}

std::string_view view(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace

/// Turns off two features of libFuzzer unless they are requested: a whole admission reaches thousands of
/// edges, so the entropic schedule and the counters cost more inputs than they gain. Without them the target
/// is six times faster. The corpus is not reloaded every second, which would only help processes that share
/// one.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  static char entropic[] = "-entropic=0", counters[] = "-use_counters=0", reload[] = "-reload=0";
  static std::vector<char*> all(*argv, *argv + *argc);
  all.insert(all.begin() + 1, {entropic, counters, reload});
  all.push_back(nullptr);
  *argc = static_cast<int>(all.size()) - 1;
  *argv = all.data();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;  // libFuzzer's first input is empty
  ++shares.inputs;
  const auto value = inputs.read(view(data, size));
  if (!value) return 0;
  ++shares.cases;
  const bool runs_twice = std::hash<std::string_view>()(view(data, size)) % kRunTwiceOneIn == 0;
  const auto prepared = runner::prepare(*value, injectors::resolve, kLimits,
                                        runs_twice ? apiserver::AdmitOptions{} : runner::kWithoutWarnings);
  if (!prepared) return 0;
  ++shares.ran;
  runner::ask(*prepared, injectors::bundled().catalog.of_cases(), {.only_cheap = true}, kLimits);
  if (runs_twice) {
    check_round_trip(view(data, size), *value);
    check_same_outcome(*value, *prepared);
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  return inputs.mutate(data, size, max_size, seed, draw_context());
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second, std::size_t second_size,
                                                 std::uint8_t* out, std::size_t out_size, unsigned int seed) {
  return inputs.cross(view(first, first_size), view(second, second_size), out, out_size, seed);
}
