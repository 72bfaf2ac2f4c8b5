#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "generators/mutate.h"
#include "harness/document/check.h"
#include "harness/document/json.h"
#include "harness/runner/examine.h"
#include "injectors/catalog.h"

// The input is a Case as JSON. What its webhooks do wrong is asked and forgotten here (the runner reports
// it); this target stops for broken rules of the harness alone, and for what the sanitizers see.

namespace {

using namespace fixpoint;
using document::Value;

constexpr Limits kLimits{.depth_max = 64, .document_bytes_max = 1u << 18};
/// A whole second run is made of every so many inputs: it tells nothing new of most.
constexpr std::uint64_t kRunTwiceOneIn = 4;

const generators::Repertoire& repertoire() {
  static const generators::Repertoire made = [] {
    generators::DrawOptions options;
    for (const injectors::Injector& injector : injectors::all()) {
      const std::string name(injector.name);
      auto& players = injector.role == injectors::Role::peer ? options.peers : options.subjects;
      players.push_back(injectors::find_subject(name).value());
      if (injector.role == injectors::Role::peer || injector.releases.empty()) continue;
      for (std::string_view release : injector.releases)
        options.earlier.push_back(name + "@" + std::string(release));
      players.push_back(injectors::find_subject(options.earlier.back()).value());
      players.push_back(injectors::find_subject(name + "@" + std::string(injector.releases.front())).value());
    }
    options.resolve = injectors::resolve;
    return generators::Repertoire(std::move(options));
  }();
  return made;
}

/// How many inputs were Cases, and how many of those could run: said at exit.
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

std::optional<cases::Case> read(std::string_view text) {
  const auto document = document::read_json(text, kLimits);
  if (!document) return std::nullopt;
  auto value = cases::read_case(*document, [](std::string_view name) -> std::optional<std::string> {
    const auto known = injectors::resolve(name);
    return known ? std::nullopt : std::optional<std::string>(known.error().message);
  });
  if (!value) return std::nullopt;
  return *std::move(value);
}

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

void check_round_trip(const cases::Case& value) {
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
  const std::string text = document::write_json(cases::write_case(value));
  if (text.size() > capacity) return 0;
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

cases::Case drawn(runner::Choices& choices) { return generators::draw(choices, repertoire()); }

std::string_view view(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;  // libFuzzer's first
  ++shares.inputs;
  const auto value = read(view(data, size));
  if (!value) return 0;
  ++shares.cases;
  const auto prepared = runner::prepare(*value, injectors::resolve, kLimits);
  if (!prepared) return 0;
  ++shares.ran;
  runner::ask(*prepared, properties::all(), true, kLimits);
  if (hash_of(view(data, size)) % kRunTwiceOneIn == 0) {
    check_round_trip(*value);
    check_same_outcome(*value, *prepared);
  }
  return 0;
}

/// A change to the Case; an input that is none, or grew too large, is replaced by a drawn one.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  runner::Choices choices(seed, size);
  if (auto value = read(view(data, size)); value && !choices.one_in(64)) {
    if (const auto written =
            put(generators::mutate(*std::move(value), choices, repertoire()), data, max_size)) {
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
