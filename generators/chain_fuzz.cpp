#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generators/mutate.h"
#include "harness/document/check.h"
#include "harness/document/json.h"
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

std::optional<cases::Case> read_text(std::string_view text) {
  const auto document = document::read_json(text, kLimits);
  if (!document) return std::nullopt;
  auto value = cases::read_case(*document, unknown_injector);
  if (!value) return std::nullopt;
  return *std::move(value);
}

/// A cache of Cases by their text: libFuzzer passes bytes, and parsing them costs more than an admission.
class Memory {
 public:
  const cases::Case* find(std::string_view text) const {
    const Entry& entry = entries_[slot(text)];
    return entry.value && entry.text == text ? &*entry.value : nullptr;
  }
  const cases::Case& keep(std::string_view text, cases::Case value) {
    Entry& entry = entries_[slot(text)];
    entry = {std::string(text), std::move(value)};
    return *entry.value;
  }

 private:
  struct Entry {
    std::string text = {};
    std::optional<cases::Case> value = {};
  };
  static constexpr std::size_t kEntries = 2048;
  static std::size_t slot(std::string_view text) { return std::hash<std::string_view>()(text) % kEntries; }
  std::vector<Entry> entries_{kEntries};
} memory;

/// Returns the Case that the text holds, if any. The copy is cheap because all documents are shared.
std::optional<cases::Case> read(std::string_view text) {
  if (const cases::Case* known = memory.find(text)) return *known;
  auto value = read_text(text);
  if (!value) return std::nullopt;
  return memory.keep(text, *std::move(value));
}

void check_round_trip(std::string_view text, const cases::Case& value) {
  const auto fresh = read_text(text);
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

std::size_t put(const cases::Case& value, std::uint8_t* data, std::size_t capacity) {
  const Value written = cases::write_case(value);
  const std::string text = document::write_json(written);
  if (text.size() > capacity) return 0;
  std::memcpy(data, text.data(), text.size());
  // Keep the Case as it reads back, with members in canonical order, so that a stored input behaves alike.
  if (auto same = cases::read_case(written, unknown_injector)) memory.keep(text, *std::move(same));
  return text.size();
}

cases::Case drawn(runner::Choices& choices) { return generators::draw(choices, draw_context()); }

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
  const auto value = read(view(data, size));
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

/// Mutates the Case. An input that is no Case, or that would grow too large, is replaced by a drawn one.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  runner::Choices choices(seed, size);
  if (auto value = read(view(data, size)); value && !choices.one_in(64)) {
    if (const auto written =
            put(generators::mutate(*std::move(value), choices, draw_context()), data, max_size)) {
      return written;
    }
  }
  for (int tries = 0; tries < 8; ++tries) {
    if (const auto written = put(drawn(choices), data, max_size)) return written;
  }
  return size;
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second, std::size_t second_size,
                                                 std::uint8_t* out, std::size_t out_size, unsigned int seed) {
  auto value = read(view(first, first_size));
  const auto other = read(view(second, second_size));
  if (!value || !other) return 0;
  runner::Choices choices(seed, first_size);
  return put(generators::crossover(*std::move(value), *other, choices), out, out_size);
}
