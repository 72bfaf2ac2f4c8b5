#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generators/draw.h"
#include "generators/mutate.h"
#include "harness/cases/case.h"
#include "harness/document/limits.h"

namespace fixpoint::generators {

/// The inputs of a fuzzer as Cases: each is the JSON text of one. Keeps those that were read or written last,
/// since parsing one costs more than an admission.
class FuzzInputs {
 public:
  FuzzInputs(const Limits& limits, cases::KnownInjector known_injector)
      : limits_(limits), known_injector_(std::move(known_injector)) {}

  /// Returns the Case that the text holds, if any. The copy is cheap, because all documents are shared.
  std::optional<Case> read(std::string_view text);
  /// Does the same without those that are kept.
  std::optional<Case> read_anew(std::string_view text) const;
  /// Writes the Case in its canonical order and returns the size of its text; 0 if it is too large.
  std::size_t write(const Case& value, std::uint8_t* data, std::size_t capacity);

  /// Mutates the Case. An input that is no Case, or that would grow too large, is replaced by a drawn one.
  std::size_t mutate(std::uint8_t* data, std::size_t size, std::size_t size_max, unsigned int seed,
                     const DrawContext& draw_context);
  /// Writes the first Case with parts of the second; 0 if one of them is none.
  std::size_t cross(std::string_view first, std::string_view second, std::uint8_t* out, std::size_t out_size,
                    unsigned int seed);

 private:
  struct Entry {
    std::string text = {};
    std::optional<Case> value = {};
  };
  static constexpr std::size_t kEntries = 2048;
  Entry& entry_of(std::string_view text);

  Limits limits_;
  cases::KnownInjector known_injector_;
  std::vector<Entry> entries_{kEntries};
};

}  // namespace fixpoint::generators
