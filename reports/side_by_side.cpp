#include "reports/side_by_side.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "harness/document/yaml.h"
#include "harness/runner/diagnosis/cause.h"

namespace fixpoint::reports {

using document::Value;

namespace {

constexpr std::size_t kAround = 2;  ///< unchanged lines shown around each change

std::vector<std::string> lines_of(const Value& value, std::size_t lines_max) {
  const std::string text = document::write_yaml(value);
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < text.size() && lines.size() < lines_max;) {
    const auto to = std::min(text.find('\n', from), text.size());
    lines.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return lines;
}

/// Returns the value with its members in the order of another value, whose members come first. Elements of
/// lists are matched by name.
Value in_order_of(const Value& other, const Value& value) {
  if (value.is_array()) {
    Value out = Value::empty_list();
    for (std::size_t i = 0; i < value.size(); ++i) {
      const Value& name = value.at(i)["name"];
      const auto all = other.elements();
      const auto namesake =
          std::find_if(all.begin(), all.end(), [&](const Value& one) { return one["name"] == name; });
      out.push_back(
          in_order_of(name.is_null() || namesake == all.end() ? other.at(i) : *namesake, value.at(i)));
    }
    return out;
  }
  if (!value.is_object() || !value.distinct()) return value;
  Value out = Value::empty_object();
  for (const document::Member& member : other.members())
    if (const Value* found = value.find(member.key.name()))
      out.set(member.key.name(), in_order_of(member.value, *found));
  for (const document::Member& member : value.members())
    if (other.find(member.key.name()) == nullptr) out.set(member.key.name(), member.value);
  return out;
}

/// Returns the line at which the value of the path begins, or nothing.
std::optional<std::size_t> line_of(const Value& document, std::string_view path, std::size_t lines_max) {
  const auto steps = runner::steps_of(path);
  Value other = document;
  Value* at = &other;
  for (const runner::PlaceStep& step : steps) {
    std::size_t index = 0;
    const auto end = step.text.data() + step.text.size();
    if (at->is_array()) {
      if (std::from_chars(step.text.data(), end, index).ptr != end || index >= at->size())
        return std::nullopt;
      at = &at->edit(index);
    } else {
      if (!at->is_object() || at->find(step.text) == nullptr) return std::nullopt;
      at = at->edit_known(step.text);
    }
  }
  if (steps.empty()) return std::nullopt;
  *at = *at == Value("a") ? "b" : "a";
  // The text before the value does not depend on the value.
  const auto lines = lines_of(document, lines_max), others = lines_of(other, lines_max);
  const auto differ = std::mismatch(lines.begin(), lines.end(), others.begin(), others.end());
  if (differ.first == lines.end()) return std::nullopt;
  return static_cast<std::size_t>(differ.first - lines.begin());
}

/// Marks the changed lines with these numbers.
void mark_offending(std::vector<DiffLine>& lines, std::optional<std::size_t> before,
                    std::optional<std::size_t> after) {
  std::size_t left = 0, right = 0;
  for (DiffLine& line : lines) {
    const bool is_left = !line.changed || !line.before.empty(), is_right = !line.changed || !is_left;
    line.offending = line.changed && ((is_left && left == before) || (is_right && right == after));
    left += is_left ? 1 : 0;
    right += is_right ? 1 : 0;
  }
}

/// Computes the longest common subsequence between a common beginning and a common end.
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

/// Puts removed and added lines of one place beside one another.
std::vector<DiffLine> paired(const std::vector<DiffLine>& lines) {
  std::vector<DiffLine> out;
  for (std::size_t from = 0; from < lines.size();) {
    if (!lines[from].changed) {
      out.push_back(lines[from++]);
      continue;
    }
    std::vector<const DiffLine*> before, after;
    for (; from < lines.size() && lines[from].changed; ++from) {
      if (!lines[from].before.empty()) before.push_back(&lines[from]);
      if (!lines[from].after.empty()) after.push_back(&lines[from]);
    }
    for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i) {
      DiffLine line{.changed = true};
      if (i < before.size()) line.before = before[i]->before;
      if (i < after.size()) line.after = after[i]->after;
      line.offending =
          (i < before.size() && before[i]->offending) || (i < after.size() && after[i]->offending);
      out.push_back(std::move(line));
    }
  }
  return out;
}

std::size_t indent_of(const std::string& line) { return std::min(line.find_first_not_of(' '), line.size()); }

/// Returns the name in "+ volume models" or "+ mount /mnt of container main".
std::string item_of(const std::string& effect) {
  const std::string item = effect.substr(0, effect.find(" of "));
  const auto blank = item.rfind(' ');
  return blank == std::string::npos || !item.starts_with("+") ? "" : item.substr(blank + 1);
}

bool tells(const std::string& line, const std::string& item) {
  const auto colon = line.find(": ");
  if (colon == std::string::npos) return false;
  const std::string value = line.substr(colon + 2);
  return value == item || value == '"' + item + '"' || value == '\'' + item + '\'';
}

/// Marks the added list element with that name, from its dash to the next line that is not deeper.
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

std::vector<DiffLine> side_by_side(const Value& before, const Value& after,
                                   const std::vector<std::string>& again, std::string_view path,
                                   std::size_t lines_max) {
  const Value ordered = in_order_of(before, after);
  const auto left = lines_of(before, lines_max), right = lines_of(ordered, lines_max);
  auto aligned = Alignment(left, right).lines();
  mark_offending(aligned, line_of(before, path, lines_max), line_of(ordered, path, lines_max));
  auto lines = paired(aligned);
  for (const std::string& effect : again) {
    if (const std::string item = item_of(effect); !item.empty()) mark_again(lines, item);
  }
  if (std::none_of(lines.begin(), lines.end(), [](const DiffLine& line) { return line.changed; })) return {};
  return without_the_rest(lines);
}

}  // namespace fixpoint::reports
