#include "harness/runner/learning/executable_keys.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cctype>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace fixpoint::runner {

namespace {

/// The bounds on the length of a prefix and of a name, and on the places that are examined: enough for large
/// programs.
constexpr std::size_t kPrefixMax = 80, kNameMax = 128, kSlashesMax = 20'000, kModulesMax = 4096;
/// The bound on the places of one text in front of a `/`, since the function names of a package are many.
constexpr std::size_t kPlacesMax = 256;
constexpr std::size_t kModulePathMax = 256;

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_of_dns(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; }
bool is_alnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool is_of_name(char c) { return is_alnum(c) || c == '-' || c == '_' || c == '.'; }
/// Returns true for a character that separates strings in programs that do separate them.
bool is_separator(char c) { return c == '\0' || c == '\n' || c == '\t' || c == '"' || c == '\'' || c == '`'; }

bool is_prefix(std::string_view text) {
  constexpr std::array<std::string_view, 10> kFiles{"go", "proto", "json", "yaml", "html",
                                                    "so", "py",    "js",   "md",   "txt"};
  const auto dot = text.rfind('.');
  if (dot == std::string_view::npos || text.size() > 63 || !is_alnum(text.front()) || text.front() == '-')
    return false;
  if (text.find("..") != std::string_view::npos || text.find("-.") != std::string_view::npos) return false;
  const std::string_view top = text.substr(dot + 1);
  return top.size() >= 2 && top.size() <= 12 && std::all_of(top.begin(), top.end(), is_letter) &&
         std::find(kFiles.begin(), kFiles.end(), top) == kFiles.end();
}
/// Returns true for the groups of Kubernetes itself, and for hosts of code and documentation.
bool is_known_elsewhere(std::string_view before) {
  constexpr std::array<std::string_view, 9> kEnds{"k8s.io",     "kubernetes.io",  "github.com",
                                                  "gitlab.com", "golang.org",     "gopkg.in",
                                                  "google.com", "googleapis.com", "w3.org"};
  return std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view end) { return before.ends_with(end); });
}
bool is_key_name(std::string_view name) {
  const bool is_version = name.size() > 1 && name[0] == 'v' && name[1] >= '0' && name[1] <= '9';
  return !name.empty() && name.size() <= 63 && is_alnum(name.front()) && is_alnum(name.back()) && !is_version;
}

/// The contexts of a candidate for a prefix, in all its places: a prefix has many different characters in
/// front of it, a longer text few, and a shorter one a single one.
struct Contexts {
  std::bitset<256> before = {};
  bool is_separated = false;
  std::size_t places = 0;
  std::size_t neighbours() const { return before.count() + (is_separated ? 2 : 0); }
};

std::size_t rank_of(std::string_view key) {
  constexpr std::array<std::string_view, 6> kWords{"inject", "enable", "sidecar", "agent", "mutat", "role"};
  const std::string_view name = key.substr(key.find('/') + 1);
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    if (name.starts_with(kWords[i])) return i;
  }
  const bool is_spoken =
      std::all_of(name.begin(), name.end(), [](char c) { return is_of_dns(c) && c != '.'; });
  return kWords.size() + (is_spoken ? 0 : 1);
}

}  // namespace

void ExecutableKeys::take(std::string_view block) {
  if (!layout_) layout_.emplace(block);
  go_on(block);
}

void ExecutableKeys::take_again(std::string_view block) {
  if (!is_second_reading_) {
    scan(scanned_, buffer_.size());
    buffer_.clear();
    scanned_ = buffer_offset_ = 0;
    is_second_reading_ = true;
    is_used_.assign(slashes_.size(), false);
  }
  if (layout_ && layout_->is_known()) go_on(block);
}

void ExecutableKeys::go_on(std::string_view block) {
  buffer_.append(block);
  constexpr std::size_t kAhead = kNameMax + kModulePathMax;
  if (buffer_.size() <= scanned_ + kAhead) return;
  if (is_second_reading_)
    scan_uses(scanned_, buffer_.size() - kAhead);
  else
    scan(scanned_, buffer_.size() - kAhead);
  scanned_ = buffer_.size() - kAhead;
  if (scanned_ <= kPrefixMax + 2) return;
  const std::size_t done = scanned_ - kPrefixMax - 2;
  buffer_.erase(0, done);
  buffer_offset_ += done;
  scanned_ -= done;
}

/// Scans for instructions at every byte, and for data of two words at every eighth.
void ExecutableKeys::scan_uses(std::size_t begin, std::size_t end) {
  const std::string_view text(buffer_);
  constexpr char kLoadAddress = '\x8d';
  for (std::size_t at = text.find(kLoadAddress, begin); at < end; at = text.find(kLoadAddress, at + 1))
    take_instruction(at);
  for (std::size_t at = begin + (8 - (buffer_offset_ + begin) % 8) % 8; at < end; at += 8) {
    const std::uint64_t length = read_little_endian(text, at + 8, 8);
    if (length > 0 && length <= kPrefixMax + kNameMax) take_use(read_little_endian(text, at, 8), length);
  }
}

/// `lea address(%rip), register`, and near it the length: `mov $length, register` or `cmp $length, register`.
void ExecutableKeys::take_instruction(std::size_t at) {
  constexpr std::size_t kNear = 24, kBytes = 6;
  const std::string_view text(buffer_);
  if (at < kNear + 1 || (text[at - 1] & '\xfb') != '\x48' || (text[at + 1] & '\xc7') != '\x05') return;
  const auto behind = layout_->address_of(buffer_offset_ + at + kBytes);
  if (!behind) return;
  const auto distance = static_cast<std::int32_t>(read_little_endian(text, at + 2, 4));
  const std::uint64_t address = *behind + static_cast<std::uint64_t>(static_cast<std::int64_t>(distance));
  if (!refers_to_key(address)) return;
  for (std::size_t near = at - kNear; near < at + kNear; ++near) {
    if ((text[near] & '\xf8') == '\xb8') take_use(address, read_little_endian(text, near + 1, 4));
    if (text[near] == '\x83' && (text[near + 1] & '\xf8') == '\xf8')
      take_use(address, read_little_endian(text, near + 2, 1));
  }
}

/// Returns the index in `slashes_` of the first `/` behind the address, or the size if there is none.
std::size_t ExecutableKeys::slash_behind(std::uint64_t address) const {
  const auto offset = layout_->offset_of(address);
  if (!offset) return slashes_.size();
  const auto found = std::lower_bound(slashes_.begin(), slashes_.end(), *offset,
                                      [](const Slash& slash, std::uint64_t at) { return slash.offset < at; });
  const bool is_near = found != slashes_.end() && found->offset - *offset <= found->before.size();
  return is_near ? static_cast<std::size_t>(found - slashes_.begin()) : slashes_.size();
}

bool ExecutableKeys::refers_to_key(std::uint64_t address) const {
  return slash_behind(address) < slashes_.size();
}

void ExecutableKeys::take_use(std::uint64_t address, std::uint64_t length) {
  const std::size_t at = slash_behind(address);
  if (at == slashes_.size()) return;
  const Slash& slash = slashes_[at];
  const std::uint64_t prefix = slash.offset - *layout_->offset_of(address);
  if (length <= prefix + 1 || length > prefix + 1 + slash.after.size()) return;
  const std::string host = slash.before.substr(slash.before.size() - prefix);
  const std::string name = slash.after.substr(0, length - prefix - 1);
  if (!is_prefix(host) || !is_key_name(name)) return;
  is_used_[at] = true;
  const std::string key = host + "/" + name;
  if (std::find(used_.begin(), used_.end(), key) == used_.end() && used_.size() < kSlashesMax)
    used_.push_back(key);
}

void ExecutableKeys::scan(std::size_t begin, std::size_t end) {
  const std::string_view text(buffer_);
  for (std::size_t at = text.find('/', begin); at < end; at = text.find('/', at + 1)) take_slash(at);
  for (std::size_t at = text.find('\t', begin); at < end; at = text.find('\t', at + 1)) take_module(at);
}

void ExecutableKeys::take_slash(std::size_t at) {
  std::size_t begin = at, end = at + 1;
  while (begin > 0 && at - begin < kPrefixMax && is_of_dns(buffer_[begin - 1])) --begin;
  while (end < buffer_.size() && end - at <= kNameMax && is_of_name(buffer_[end])) ++end;
  const std::string_view before = std::string_view(buffer_).substr(begin, at - begin);
  const char boundary = begin > 0 ? buffer_[begin - 1] : '\0';
  const bool is_address = boundary == '/' && begin > 1 && buffer_[begin - 2] == '/';
  if (before.find('.') == std::string_view::npos || end == at + 1 || is_address || is_known_elsewhere(before))
    return;
  if (slashes_.size() >= kSlashesMax || ++places_[std::string(before)] > kPlacesMax) return;
  slashes_.push_back({.offset = buffer_offset_ + at,
                      .boundary = boundary,
                      .before = std::string(before),
                      .after = buffer_.substr(at + 1, end - at - 1),
                      .next = end < buffer_.size() ? buffer_[end] : '\0'});
}

/// Reads a line of the build info that `go version -m` prints: `dep`, a tab, the path, a tab, the version.
void ExecutableKeys::take_module(std::size_t at) {
  const std::string_view text(buffer_), before = text.substr(0, at);
  const bool is_line = before.ends_with("\npath") || before.ends_with("\nmod") || before.ends_with("\ndep") ||
                       before.ends_with("\n=>") || before.ends_with("path");
  if (!is_line || modules_.size() >= kModulesMax) return;
  std::string_view path = text.substr(at + 1, kModulePathMax);
  path = path.substr(0, path.find_first_of("\t\n"));
  const auto slash = path.find('/');
  modules_.emplace_back(path.substr(0, slash == std::string_view::npos ? slash : path.find('/', slash + 1)));
}

/// Of all ends of the text in front of a `/`, the one with the most different neighbours is the prefix.
void ExecutableKeys::find_prefixes() {
  std::map<std::string, Contexts, std::less<>> contexts;
  const auto each_candidate = [](const Slash& slash, const auto& visit) {
    for (std::size_t begin = 0; begin + 4 < slash.before.size(); ++begin) {
      const char neighbour = begin == 0 ? slash.boundary : slash.before[begin - 1];
      const std::string_view candidate = std::string_view(slash.before).substr(begin);
      if (neighbour == '.' || neighbour == '/' || neighbour == '-' || !is_prefix(candidate)) continue;
      visit(candidate, neighbour);
    }
  };
  for (const Slash& slash : slashes_) {
    each_candidate(slash, [&](std::string_view candidate, char neighbour) {
      Contexts& of = contexts[std::string(candidate)];
      of.before.set(static_cast<unsigned char>(neighbour));
      of.is_separated = of.is_separated || is_separator(neighbour);
      ++of.places;
    });
  }
  for (Slash& slash : slashes_) {
    if (slash.boundary == '\0' && is_prefix(slash.before)) {
      slash.prefix = slash.before.size();
      continue;
    }
    std::pair<std::size_t, std::size_t> best{1, kSlashesMax};  // one neighbour says nothing
    each_candidate(slash, [&](std::string_view candidate, char) {
      const Contexts& of = contexts.find(candidate)->second;
      const std::pair weight(of.neighbours(), of.places);
      if (weight <= best) return;
      best = weight;
      slash.prefix = candidate.size();
    });
  }
  std::erase_if(slashes_, [](const Slash& slash) { return slash.prefix == 0; });
}

/// Returns true for a package of the module `example.org/tools`, or of `example.org`, or a function of one.
bool ExecutableKeys::is_of_module(std::string_view key) const {
  return std::any_of(modules_.begin(), modules_.end(), [&](const std::string& module) {
    const bool is_host = module.find('/') == std::string::npos;
    const auto at = key.find(module);
    if (at == std::string_view::npos || (at > 0 && key[at - 1] != '.')) return false;
    const std::string_view rest = key.substr(at + module.size());
    return is_host ? rest.starts_with('/') : rest.empty() || rest.front() == '.';
  });
}

/// Returns the keys in the order of the program, some of them in more than one length.
std::vector<std::string> ExecutableKeys::cut() const {
  std::vector<std::string> keys;
  std::vector<std::size_t> lengths(slashes_.size(),
                                   0);  // of those that the next prefix, or a separator, ends
  for (std::size_t i = 0; i < slashes_.size(); ++i) {
    const Slash& slash = slashes_[i];
    const std::uint64_t end = slash.offset + 1 + slash.after.size();
    const bool is_cut = i + 1 < slashes_.size() && slashes_[i + 1].begin() <= end;
    if (is_cut && slashes_[i + 1].begin() > slash.offset)
      lengths[i] = static_cast<std::size_t>(slashes_[i + 1].begin() - slash.begin());
    else if (is_separator(slash.next))
      lengths[i] = slash.prefix + 1 + slash.after.size();
  }
  const auto add = [&](const Slash& slash, std::size_t length) {
    const std::string whole = slash.before.substr(slash.before.size() - slash.prefix) + "/" + slash.after;
    if (length <= slash.prefix + 1) return;  // a neighbour's length that cannot be this one's
    std::string key = whole.substr(0, length);
    if (is_key_name(std::string_view(key).substr(slash.prefix + 1)) && !is_of_module(key))
      keys.push_back(std::move(key));
  };
  for (std::size_t i = 0; i < slashes_.size(); ++i) {
    if (lengths[i] != 0) add(slashes_[i], lengths[i]);
  }
  for (std::size_t i = 0; i < slashes_.size(); ++i) {
    if (lengths[i] != 0 || slashes_[i].next == '/') continue;  // cut already, or a path
    const auto [least, most] = bounds_of(i, lengths);
    for (std::size_t length = least; length <= most; ++length) add(slashes_[i], length);
  }
  return keys;
}

/// Shorter strings come first in a program, so that the keys of known length in front and behind bound the
/// length of this one. If that leaves many lengths, the key is taken whole.
std::pair<std::size_t, std::size_t> ExecutableKeys::bounds_of(std::size_t at,
                                                              const std::vector<std::size_t>& lengths) const {
  constexpr std::uint64_t kNear = 1 << 16;
  constexpr std::size_t kLengthsMax = 6;
  const Slash& slash = slashes_[at];
  std::size_t least = 0, most = slash.prefix + 1 + slash.after.size();
  for (std::size_t i = at; i-- > 0 && slash.offset - slashes_[i].offset < kNear && least == 0;)
    least = lengths[i];
  for (std::size_t i = at + 1; i < slashes_.size() && slashes_[i].offset - slash.offset < kNear; ++i) {
    if (lengths[i] == 0) continue;
    most = std::min(most, lengths[i]);
    break;
  }
  if (least == 0 || least > most || most - least >= kLengthsMax) least = most;
  return {least, most};
}

std::vector<std::string> ExecutableKeys::finish() {
  if (!is_second_reading_) scan(scanned_, buffer_.size());
  std::vector<std::string> keys = used_;
  std::erase_if(keys, [&](const std::string& key) { return is_of_module(key); });
  std::size_t at = 0;
  std::erase_if(slashes_, [&](const Slash&) { return is_used_.size() > at && is_used_[at++]; });
  find_prefixes();
  for (std::string& key : cut()) keys.push_back(std::move(key));
  std::map<std::string, std::size_t> of_prefix;
  std::vector<std::string> distinct;
  for (std::string& key : keys) {
    if (std::find(distinct.begin(), distinct.end(), key) != distinct.end()) continue;
    ++of_prefix[key.substr(0, key.find('/'))];
    distinct.push_back(std::move(key));
  }
  std::stable_sort(distinct.begin(), distinct.end(), [&](const std::string& a, const std::string& b) {
    const auto order = [&](const std::string& key) {
      return std::pair(rank_of(key),
                       std::numeric_limits<std::size_t>::max() - of_prefix[key.substr(0, key.find('/'))]);
    };
    return order(a) < order(b);
  });
  if (distinct.size() > kKeysMax) distinct.resize(kKeysMax);
  return distinct;
}

}  // namespace fixpoint::runner
