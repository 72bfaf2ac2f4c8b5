#include "harness/document/diff.h"

#include <algorithm>
#include <string_view>
#include <utility>

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
      within(escape_token(member->key.text()), [&, is = &member->value, was = old] {
        was == nullptr ? report_.change(path_, nullptr, is) : compare(*was, *is);
      });
    }
    for (const auto& [member, now] : differing(before, after)) {
      if (now != nullptr) continue;
      within(escape_token(member->key.text()),
             [&, was = &member->value] { report_.change(path_, was, nullptr); });
    }
  }

  /// The members that `other` lacks or has as another tree, bytewise by name.
  static std::vector<Pair> differing(const Value& object, const Value& other) {
    std::vector<Pair> found;
    const auto ours = object.members(), theirs = other.members();
    for (std::size_t i = 0; i < ours.size(); ++i) {
      const bool aligned = i < theirs.size() && theirs[i].key == ours[i].key;
      const Value* namesake = aligned ? &theirs[i].value : other.find(ours[i].key.name());
      if (namesake == nullptr || !namesake->same(ours[i].value)) found.emplace_back(&ours[i], namesake);
    }
    std::sort(found.begin(), found.end(),
              [](const Pair& a, const Pair& b) { return a.first->key.text() < b.first->key.text(); });
    return found;
  }

  void compare_lists(const Value& before, const Value& after) {
    const std::size_t common = std::min(before.size(), after.size());
    for (std::size_t i = before.size(); i > common; --i) {
      within(std::to_string(i - 1), [&] { report_.change(path_, &before.at(i - 1), nullptr); });
    }
    for (std::size_t i = common; i < after.size(); ++i) {
      within(std::to_string(i), [&] { report_.change(path_, nullptr, &after.at(i)); });
    }
    for (std::size_t i = 0; i < common; ++i) {
      if (before.at(i).same(after.at(i))) continue;
      within(std::to_string(i), [&] { compare(before.at(i), after.at(i)); });
    }
  }

  template <class Step>
  void within(const std::string& token, const Step& step) {
    const std::size_t length = path_.size();
    path_.append("/").append(token);
    step();
    path_.resize(length);
  }

  Report& report_;
  std::string path_{};
};

struct Operations {
  std::vector<Value> list{};
  static bool full() { return false; }
  void change(const std::string& path, const Value* before, const Value* after) {
    static const Value kAdd("add"), kRemove("remove"), kReplace("replace");
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

std::vector<Change> list_changes(const Value& before, const Value& after, std::size_t changes_max) {
  Changes changes{changes_max};
  Differ<Changes>(changes).compare(before, after);
  return std::move(changes.list);
}

}  // namespace fixpoint::document
