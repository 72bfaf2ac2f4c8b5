#include "reports/side_by_side.h"

#include <algorithm>
#include <optional>

#include "harness/document/yaml.h"

namespace fixpoint::reports {

namespace {

constexpr std::size_t kAround = 2;  ///< lines without a change that stand beside one

std::vector<std::string> lines_of(const document::Value& value, std::size_t lines_max) {
  const std::string text = document::write_yaml(value);
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < text.size() && lines.size() < lines_max;) {
    const auto to = std::min(text.find('\n', from), text.size());
    lines.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return lines;
}

/// The longest common subsequence of what lies between a common beginning and a common end.
class Alignment {
 public:
  Alignment(const std::vector<std::string>& a, const std::vector<std::string>& b) : a_(a), b_(b) {
    while (begin_ < a.size() && begin_ < b.size() && a[begin_] == b[begin_]) ++begin_;
    while (a.size() - end_ > begin_ && b.size() - end_ > begin_ &&
           a[a.size() - 1 - end_] == b[b.size() - 1 - end_])
      ++end_;
    width_ = b.size() - end_ - begin_ + 1;
    const std::size_t height = a.size() - end_ - begin_ + 1;
    lengths_.assign(width_ * height, 0);
    for (std::size_t i = height - 1; i-- > 0;) {
      for (std::size_t j = width_ - 1; j-- > 0;) {
        const bool same = a_[begin_ + i] == b_[begin_ + j];
        at(i, j) = same ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
      }
    }
  }

  std::vector<DiffLine> lines() {
    std::vector<DiffLine> out;
    const auto same = [&](std::size_t i) { out.push_back({.before = a_[i], .after = a_[i]}); };
    for (std::size_t i = 0; i < begin_; ++i) same(i);
    const std::size_t height = lengths_.size() / width_ - 1, width = width_ - 1;
    std::size_t i = 0, j = 0;
    while (i < height || j < width) {
      if (i < height && j < width && a_[begin_ + i] == b_[begin_ + j]) {
        same(begin_ + i);
        ++i, ++j;
      } else if (j < width && (i == height || at(i, j + 1) >= at(i + 1, j))) {
        out.push_back({.after = b_[begin_ + j++], .changed = true});
      } else {
        out.push_back({.before = a_[begin_ + i++], .changed = true});
      }
    }
    for (std::size_t k = a_.size() - end_; k < a_.size(); ++k) same(k);
    return out;
  }

 private:
  std::uint32_t& at(std::size_t i, std::size_t j) { return lengths_[i * width_ + j]; }

  const std::vector<std::string>& a_;
  const std::vector<std::string>& b_;
  std::size_t begin_ = 0, end_ = 0, width_ = 0;
  std::vector<std::uint32_t> lengths_;
};

/// Removed and added lines of one place stand beside one another.
std::vector<DiffLine> paired(const std::vector<DiffLine>& lines) {
  std::vector<DiffLine> out;
  for (std::size_t from = 0; from < lines.size();) {
    if (!lines[from].changed) {
      out.push_back(lines[from++]);
      continue;
    }
    std::vector<std::string> before, after;
    for (; from < lines.size() && lines[from].changed; ++from) {
      if (!lines[from].before.empty()) before.push_back(lines[from].before);
      if (!lines[from].after.empty()) after.push_back(lines[from].after);
    }
    for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i) {
      out.push_back({.before = i < before.size() ? before[i] : "",
                     .after = i < after.size() ? after[i] : "",
                     .changed = true});
    }
  }
  return out;
}

std::size_t indent_of(const std::string& line) { return std::min(line.find_first_not_of(' '), line.size()); }

/// The name in "+ volume models" and "+ mount /mnt of container main".
std::string item_of(const std::string& did) {
  const std::string told = did.substr(0, did.find(" of "));
  const auto blank = told.rfind(' ');
  return blank == std::string::npos || !told.starts_with("+") ? "" : told.substr(blank + 1);
}

bool tells(const std::string& line, const std::string& item) {
  const auto colon = line.find(": ");
  if (colon == std::string::npos) return false;
  const std::string value = line.substr(colon + 2);
  return value == item || value == '"' + item + '"' || value == '\'' + item + '\'';
}

/// Marks the added element of a list, from its dash to the next line that is not deeper, when it has the
/// name.
void mark_again(std::vector<DiffLine>& lines, const std::string& item) {
  for (std::size_t from = 0; from < lines.size(); ++from) {
    const std::string& first = lines[from].after;
    const std::size_t dash = indent_of(first);
    if (!lines[from].changed || first.empty() || first[std::min(dash, first.size() - 1)] != '-') continue;
    std::size_t to = from + 1;
    while (to < lines.size() && indent_of(lines[to].after) > dash) ++to;
    const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(from),
               end = lines.begin() + static_cast<std::ptrdiff_t>(to);
    if (std::none_of(begin, end, [&](const DiffLine& line) { return tells(line.after, item); })) continue;
    for (auto line = begin; line != end; ++line) line->again = line->changed;
  }
}

std::vector<DiffLine> without_the_rest(const std::vector<DiffLine>& lines) {
  std::vector<DiffLine> out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    bool near = false;
    for (std::size_t k = i < kAround ? 0 : i - kAround; k <= i + kAround && k < lines.size(); ++k)
      near = near || lines[k].changed;
    if (near) {
      out.push_back(lines[i]);
    } else if (out.empty() || !out.back().gap) {
      out.push_back({.before = "…", .after = "…", .gap = true});
    }
  }
  return out;
}

}  // namespace

std::vector<DiffLine> side_by_side(const document::Value& before, const document::Value& after,
                                   const std::vector<std::string>& again, std::size_t lines_max) {
  const auto left = lines_of(before, lines_max), right = lines_of(after, lines_max);
  auto lines = paired(Alignment(left, right).lines());
  for (const std::string& did : again) {
    if (const std::string item = item_of(did); !item.empty()) mark_again(lines, item);
  }
  if (std::none_of(lines.begin(), lines.end(), [](const DiffLine& line) { return line.changed; })) return {};
  return without_the_rest(lines);
}

}  // namespace fixpoint::reports
