#include "harness/document/diff.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "harness/document/member_finder.h"
#include "harness/document/patch_nodes.h"
#include "harness/document/pointer.h"

namespace fixpoint::document {

namespace {

/// Walks two documents side by side and reports where they differ.
template <class Report>
class Differ {
 public:
  explicit Differ(Report& report) : report_(report) {}

  void compare(const Value& before, const Value& after) {
    if (report_.full() || before.same(after)) return;
    if (before.kind() != after.kind()) return report_.change(path_, &before, &after);
    if (before.is_object()) return compare_objects(before, after);
    if (before.is_array()) return compare_lists(before, after);
    if (!(before == after)) report_.change(path_, &before, &after);
  }

 private:
  using Pair = std::pair<const Member*, const Value*>;  ///< a member, and its namesake on the other side

  void compare_objects(const Value& before, const Value& after) {
    if (!before.distinct() || !after.distinct()) {
      Value left = before, right = after;
      drop_duplicates(left);
      drop_duplicates(right);
      return compare_objects(left, right);
    }
    for (const auto& [member, old] : differing(after, before)) {
      const std::size_t length = step_into(member->key.text());
      old == nullptr ? report_.change(path_, nullptr, &member->value) : compare(*old, member->value);
      path_.resize(length);
    }
    if (shared_names(before, after) == before.size()) return;
    for (const auto& [member, now] : differing(before, after)) {
      if (now != nullptr) continue;
      const std::size_t length = step_into(member->key.text());
      report_.change(path_, &member->value, nullptr);
      path_.resize(length);
    }
  }

  /// The members that are missing in `other` or that differ as nodes there, sorted bytewise by name.
  static std::vector<Pair> differing(const Value& object, const Value& other) {
    std::vector<Pair> found;
    const auto ours = object.members(), theirs = other.members();
    MemberFinder others(other);
    for (std::size_t i = 0; i < ours.size(); ++i) {
      const bool aligned = i < theirs.size() && theirs[i].key == ours[i].key;
      const Value* namesake = aligned ? &theirs[i].value : others.find(ours[i].key);
      if (namesake == nullptr || !surely_equal(*namesake, ours[i].value))
        found.emplace_back(&ours[i], namesake);
    }
    std::sort(found.begin(), found.end(),
              [](const Pair& a, const Pair& b) { return a.first->key.text() < b.first->key.text(); });
    return found;
  }

  /// The number of leading members with the same names on both sides.
  static std::size_t shared_names(const Value& before, const Value& after) {
    const auto ours = before.members(), theirs = after.members();
    std::size_t aligned = 0;
    while (aligned < std::min(ours.size(), theirs.size()) && ours[aligned].key == theirs[aligned].key)
      ++aligned;
    return aligned;
  }

  void compare_lists(const Value& before, const Value& after) {
    const auto old = before.elements(), now = after.elements();
    const std::size_t common = std::min(old.size(), now.size());
    for (std::size_t i = old.size(); i > common; --i) report_element(i - 1, &old[i - 1], nullptr);
    for (std::size_t i = common; i < now.size(); ++i) report_element(i, nullptr, &now[i]);
    for (std::size_t i = 0; i < common; ++i) {
      if (surely_equal(old[i], now[i])) continue;
      const std::size_t length = step_into(std::to_string(i));
      compare(old[i], now[i]);
      path_.resize(length);
    }
  }
  void report_element(std::size_t index, const Value* before, const Value* after) {
    const std::size_t length = step_into(std::to_string(index));
    report_.change(path_, before, after);
    path_.resize(length);
  }

  /// Compares without descending into arrays and objects that are different nodes.
  static bool surely_equal(const Value& a, const Value& b) {
    return a.same(b) || (!a.is_array() && !a.is_object() && a == b);
  }

  /// Adds a token to the path and returns the previous length, to restore later.
  std::size_t step_into(std::string_view token) {
    const std::size_t length = path_.size();
    path_ += '/';
    token.find_first_of("~/") == std::string_view::npos ? path_.append(token)
                                                        : path_.append(escape_token(token));
    return length;
  }

  Report& report_;
  std::string path_{};
};

struct Operations {
  std::vector<Value> list{};
  static bool full() { return false; }
  void change(const std::string& path, const Value* before, const Value* after) {
    thread_local const Value kAdd("add"), kRemove("remove"), kReplace("replace");
    const Value& op = before == nullptr ? kAdd : after == nullptr ? kRemove : kReplace;
    Value operation{{"op", op}, {"path", path}};
    if (after != nullptr) operation.set("value", *after);
    list.push_back(std::move(operation));
  }
};

struct Changes {
  std::size_t changes_max;
  std::vector<Change> list{};
  bool full() const { return list.size() >= changes_max; }
  void change(const std::string& path, const Value* before, const Value* after) {
    const auto copy = [](const Value* value) {
      return value == nullptr ? std::nullopt : std::optional<Value>(*value);
    };
    if (!full()) list.push_back({path, copy(before), copy(after)});
  }
};

}  // namespace

Value diff(const Value& before, const Value& after) {
  Operations operations;
  Differ<Operations>(operations).compare(before, after);
  return {std::move(operations.list)};
}

// The same without building operations and paths: most callers need no more.
bool differ(const Value& before, const Value& after) {
  if (before.same(after)) return false;
  if (before.kind() != after.kind()) return true;
  if (!before.is_object() && !before.is_array()) return !(before == after);
  if (!before.distinct() || !after.distinct()) {
    Value left = before, right = after;
    drop_duplicates(left);
    drop_duplicates(right);
    return differ(left, right);
  }
  if (before.size() != after.size()) return true;
  for (std::size_t i = 0; i < before.elements().size(); ++i) {
    if (differ(before.at(i), after.at(i))) return true;
  }
  const auto old = before.members(), now = after.members();
  MemberFinder others(after);
  for (std::size_t i = 0; i < old.size(); ++i) {
    const bool is_aligned = old[i].key == now[i].key;
    const Value* namesake = is_aligned ? &now[i].value : others.find(old[i].key);
    if (namesake == nullptr || differ(old[i].value, *namesake)) return true;
  }
  return false;
}

std::vector<Change> list_changes(const Value& before, const Value& after, std::size_t changes_max) {
  Changes changes{changes_max};
  Differ<Changes>(changes).compare(before, after);
  return std::move(changes.list);
}

}  // namespace fixpoint::document
