#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/runner/learning/executable_layout.h"

namespace fixpoint::runner {

/// Finds keys of labels and annotations, DNS-prefix/name, among the bytes of an executable, which it reads in
/// blocks. A Go program packs its strings without separators, shorter ones first, and contains the name of
/// every package that it is built of: the length of a key comes from the code that refers to it, else from
/// the beginning of another prefix, or from the lengths of the keys before and behind it. Groups of
/// Kubernetes (k8s.io, kubernetes.io), addresses, paths and the modules of the build info are left out.
class ExecutableKeys {
 public:
  static constexpr std::size_t kKeysMax = 64;

  void take(std::string_view block);
  /// Reads the same blocks a second time, after all were read once: instructions and data of x86-64 that
  /// refer to a string hold its length.
  void take_again(std::string_view block);
  /// Returns at most kKeysMax keys, first those whose names suggest injection, then those of prefixes with
  /// many keys.
  std::vector<std::string> finish();

 private:
  /// A `/` and the text around it.
  struct Slash {
    std::uint64_t offset;
    char boundary;           ///< the character in front of `before`
    std::string before;      ///< characters of a DNS name
    std::string after;       ///< characters of a key's name
    char next;               ///< the character behind `after`
    std::size_t prefix = 0;  ///< length of the prefix at the end of `before`, once it is known
    std::uint64_t begin() const { return offset - prefix; }
  };

  void scan(std::size_t begin, std::size_t end);
  void take_slash(std::size_t at);
  void take_module(std::size_t at);
  void find_prefixes();
  void go_on(std::string_view block);
  std::size_t slash_behind(std::uint64_t address) const;
  bool refers_to_key(std::uint64_t address) const;
  void scan_uses(std::size_t begin, std::size_t end);
  void take_instruction(std::size_t at);
  void take_use(std::uint64_t address, std::uint64_t length);
  std::vector<std::string> cut() const;
  std::pair<std::size_t, std::size_t> bounds_of(std::size_t at,
                                                const std::vector<std::size_t>& lengths) const;
  bool is_of_module(std::string_view key) const;

  std::string buffer_ = {};          ///< the end of the last block, which the next one continues
  std::size_t scanned_ = 0;          ///< of the buffer
  std::uint64_t buffer_offset_ = 0;  ///< of the buffer's begin
  std::vector<Slash> slashes_ = {};
  std::map<std::string, std::size_t> places_ = {};  ///< the number of places of each text in front
  std::optional<ExecutableLayout> layout_ = {};
  bool is_second_reading_ = false;
  std::vector<std::string> used_ = {};     ///< keys whose length the program gives
  std::vector<bool> is_used_ = {};         ///< of each of `slashes_`
  std::vector<std::string> modules_ = {};  ///< host/first of each
};

}  // namespace fixpoint::runner
