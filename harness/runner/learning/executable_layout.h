#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fixpoint::runner {

/// Returns a number as x86-64 stores it, little end first; the text must be long enough.
std::uint64_t read_little_endian(std::string_view bytes, std::size_t at, std::size_t size);

/// The memory addresses of the parts of an ELF executable of x86-64, from the first bytes of its file. Any
/// other file has none.
class ExecutableLayout {
 public:
  explicit ExecutableLayout(std::string_view head);
  bool is_known() const { return !segments_.empty(); }
  std::optional<std::uint64_t> address_of(std::uint64_t offset) const;
  std::optional<std::uint64_t> offset_of(std::uint64_t address) const;

 private:
  struct Segment {
    std::uint64_t offset, address, size;
  };
  std::vector<Segment> segments_ = {};
};

}  // namespace fixpoint::runner
