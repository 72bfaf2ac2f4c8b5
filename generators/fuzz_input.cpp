#include "generators/fuzz_input.h"

#include <cstring>
#include <functional>
#include <utility>

#include "harness/document/json.h"

namespace fixpoint::generators {

FuzzInputs::Entry& FuzzInputs::entry_of(std::string_view text) {
  return entries_[std::hash<std::string_view>()(text) % kEntries];
}

std::optional<Case> FuzzInputs::read_anew(std::string_view text) const {
  const auto document = document::read_json(text, limits_);
  if (!document) return std::nullopt;
  auto value = cases::read_case(*document, known_injector_);
  if (!value) return std::nullopt;
  return *std::move(value);
}

std::optional<Case> FuzzInputs::read(std::string_view text) {
  Entry& entry = entry_of(text);
  if (entry.value && entry.text == text) return entry.value;
  auto value = read_anew(text);
  if (value) entry = {std::string(text), value};
  return value;
}

std::size_t FuzzInputs::write(const Case& value, std::uint8_t* data, std::size_t capacity) {
  const Value written = cases::write_case(value);
  const std::string text = document::write_json(written);
  if (text.size() > capacity) return 0;
  std::memcpy(data, text.data(), text.size());
  // Keep the Case as it reads back, with members in canonical order, so that a stored input behaves alike.
  if (auto same = cases::read_case(written, known_injector_)) entry_of(text) = {text, *std::move(same)};
  return text.size();
}

std::size_t FuzzInputs::mutate(std::uint8_t* data, std::size_t size, std::size_t size_max, unsigned int seed,
                               const DrawContext& draw_context) {
  Choices choices(seed, size);
  if (auto value = read({reinterpret_cast<const char*>(data), size}); value && !choices.one_in(64)) {
    const Case mutated = generators::mutate(*std::move(value), choices, draw_context);
    if (const auto written = write(mutated, data, size_max)) return written;
  }
  for (int tries = 0; tries < 8; ++tries) {
    if (const auto written = write(draw(choices, draw_context), data, size_max)) return written;
  }
  return size;
}

std::size_t FuzzInputs::cross(std::string_view first, std::string_view second, std::uint8_t* out,
                              std::size_t out_size, unsigned int seed) {
  auto value = read(first);
  const auto other = read(second);
  if (!value || !other) return 0;
  Choices choices(seed, first.size());
  return write(crossover(*std::move(value), *other, choices), out, out_size);
}

}  // namespace fixpoint::generators
