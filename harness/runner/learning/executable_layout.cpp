#include "harness/runner/learning/executable_layout.h"

namespace fixpoint::runner {

namespace {

/// The header and its program headers (System V ABI, chapters 4 and 5): 64 bits, little-endian, x86-64.
constexpr std::string_view kElf64(
    "\x7f"
    "ELF\x02\x01",
    6);
constexpr std::size_t kHeaderBytes = 64, kEntryBytes = 56, kMachine = 18, kTable = 32, kCount = 56;
constexpr std::uint64_t kX86 = 62, kLoaded = 1;

}  // namespace

std::uint64_t read_little_endian(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = size; i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

ExecutableLayout::ExecutableLayout(std::string_view head) {
  if (head.size() < kHeaderBytes || !head.starts_with(kElf64) ||
      read_little_endian(head, kMachine, 2) != kX86)
    return;
  const std::uint64_t table = read_little_endian(head, kTable, 8);
  const std::uint64_t count = read_little_endian(head, kCount, 2);
  if (table > head.size()) return;
  for (std::size_t i = 0, at = table; i < count && at + kEntryBytes <= head.size(); ++i, at += kEntryBytes) {
    if (read_little_endian(head, at, 4) != kLoaded) continue;
    segments_.push_back({.offset = read_little_endian(head, at + 8, 8),
                         .address = read_little_endian(head, at + 16, 8),
                         .size = read_little_endian(head, at + 32, 8)});
  }
}

std::optional<std::uint64_t> ExecutableLayout::address_of(std::uint64_t offset) const {
  for (const Segment& segment : segments_) {
    if (offset >= segment.offset && offset - segment.offset < segment.size)
      return segment.address + (offset - segment.offset);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> ExecutableLayout::offset_of(std::uint64_t address) const {
  for (const Segment& segment : segments_) {
    if (address >= segment.address && address - segment.address < segment.size)
      return segment.offset + (address - segment.address);
  }
  return std::nullopt;
}

}  // namespace fixpoint::runner
